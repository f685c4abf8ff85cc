/** Writes `sri.json`: the Subresource Integrity hash (sha384) of each script of the build by its path. */

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function subresourceIntegrity(): Plugin {
  return {
    name: 'vestibule:subresource-integrity',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const hashes = Object.values(bundle)
        .filter(({ fileName }) => fileName.endsWith('.js'))
        .map((file) => [file.fileName, integrity(file.type === 'chunk' ? file.code : file.source)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      await writeFile(join(dir!, 'sri.json'), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
    },
  };
}

function integrity(content: string | Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
