/** Writes a brotli (quality 11) and a gzip (level 9) form beside each script of the build, for servers that send
 *  precompressed files. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

export function precompress(): Plugin {
  return {
    name: 'vestibule:precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      await Promise.all(Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.js')).map(async (file) => {
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const path = join(dir!, file.fileName);
        await writeFile(`${path}.br`, await toBrotli(bytes));
        await writeFile(`${path}.gz`, await toGzip(bytes));
      }));
    },
  };
}

function toBrotli(bytes: Buffer): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, { params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  } });
}

function toGzip(bytes: Buffer): Promise<Buffer> {
  return promisify(gzip)(bytes, { level: 9 });
}
