/** Writes `widget.js` a second time as `widget-<version>-<hash>.js`, for pages that pin one
 *  version with its integrity hash. It is in the same folder, so that its chunks and the BFF's address resolve equally. */

import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

export function versionedEntry(version: string): Plugin {
  return {
    name: 'vestibule:versioned-entry',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || file.fileName !== 'widget.js') continue;
          this.emitFile({ type: 'asset', fileName: versionedName(file.name, version, file.code), source: file.code });
        }
      },
    },
  };
}

/** `hash`: the first eight hexadecimal digits of the content's SHA-256. */
function versionedName(name: string, version: string, code: string): string {
  return `${name}-${version}-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
}
