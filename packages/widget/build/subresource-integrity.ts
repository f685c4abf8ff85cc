/** Writes `sri.json`: the Subresource Integrity hash (sha384) of each script of a directory by its path. */

import { hash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function writeIntegrity(directory: string): void {
  const integrity = (name: string): string => `sha384-${hash('sha384', readFileSync(join(directory, name)), 'base64')}`;
  const hashes = globSync('**/*.js', { cwd: directory }).toSorted().map((name) => [name, integrity(name)]);
  writeFileSync(join(directory, 'sri.json'), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
}
