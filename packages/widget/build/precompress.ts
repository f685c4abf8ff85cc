/** Writes a brotli (quality 11) and a gzip (level 9) form beside each script of a directory, for servers that send precompressed
 *  files. */

import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export async function precompress(directory: string): Promise<void> {
  await Promise.all(globSync('**/*.js', { cwd: directory }).map(async (name) => {
    const path = join(directory, name);
    const script = await readFile(path);
    await writeFile(`${path}.br`, await toBrotli(script));
    await writeFile(`${path}.gz`, await promisify(gzip)(script, { level: 9 }));
  }));
}

function toBrotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  } });
}
