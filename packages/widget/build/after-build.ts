/** What stands beside the built scripts of a directory. */

import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const scriptsOf = (directory: string): string[] => globSync('**/*.js', { cwd: directory }).toSorted();

/** A brotli (quality 11) and a gzip (level 9) form of each script, for servers that send precompressed files. */
export function precompress(directory: string): void {
  for (const path of scriptsOf(directory).map((name) => join(directory, name))) {
    const script = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(script));
    writeFileSync(`${path}.gz`, gzipSync(script, { level: 9 }));
  }
}

/** `sri.json`: the Subresource Integrity hash (sha384) of each script by its path. */
export function writeIntegrity(directory: string): void {
  const integrity = (name: string): string => `sha384-${hash('sha384', readFileSync(join(directory, name)), 'base64')}`;
  const hashes = Object.fromEntries(scriptsOf(directory).map((name) => [name, integrity(name)]));
  writeFileSync(join(directory, 'sri.json'), `${JSON.stringify(hashes, null, 2)}\n`);
}
