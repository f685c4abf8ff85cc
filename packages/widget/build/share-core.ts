/** Lets the chunks take what they share with `widget.js` from the copy that is running, not by its address. A page may
 *  load the script under another one (`widget.js?ver=6`, a versioned copy), and a chunk that imports `../widget.js` would
 *  then load everything a second time, and Lit's Trusted Types policy would be refused as a duplicate. */

import type { Plugin } from 'vite';

const CORE = 'globalThis[Symbol.for("vestibule.core")]';

export function shareCore(): Plugin {
  return {
    name: 'vestibule:share-core',
    apply: 'build',
    augmentChunkHash: () => CORE,
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        for (const chunk of chunks) {
          chunk.code = chunk.isEntry ? offer(chunk.code) : take(chunk.code);
          if (/\b(?:im|ex)port\b[^()]*"\.\.\/widget\.js"/.test(chunk.code)) this.error(`${chunk.fileName} still imports widget.js`);
          if (chunk.isEntry && chunk.exports.length > 0 && !chunk.code.includes(CORE)) this.error(`${chunk.fileName} still exports`);
        }
      },
    },
  };
}

/** `export{a as b};` becomes a property of the page's one core; the first copy wins. */
export function offer(code: string): string {
  return code.replace(/\bexport\{([^}]*)\};?\s*$/, (_, names: string) => `${CORE}??={${listNames(names, (local, name) => `${name}:${local}`)}};`);
}

/** `import{a as b}from"../widget.js";` takes from it. */
export function take(code: string): string {
  return code.replace(
    /\bimport\{([^}]*)\}from"\.\.\/widget\.js";?/g,
    (_, names: string) => `const{${listNames(names, (name, local) => `${name}:${local}`)}}=${CORE};`,
  );
}

function listNames(names: string, write: (before: string, after: string) => string): string {
  return names.split(',').map((name) => {
    const [before = '', after = before] = name.trim().split(/\s+as\s+/);
    return write(before, after);
  }).join(',');
}
