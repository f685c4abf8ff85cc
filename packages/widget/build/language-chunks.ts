/** Keeps the table of languages small in what a reader waits for: 20 addresses with a hash each weigh 300 bytes (brotli)
 *  there. The chunks of all languages carry one hash in common, and the table becomes a list of tags with one address. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version as viteVersion, type Plugin } from 'vite';

const folder = join(import.meta.dirname, '../src/locales');

/** Every language but English. */
export const tags: readonly string[] = readdirSync(folder)
  .map((name) => name.replace(/\.ts$/, ''))
  .filter((name) => /^[a-z]{2}$/.test(name) && name !== 'en');

/** Another one as soon as a language, or what compiles it, is another. */
const hash = createHash('sha256')
  .update([viteVersion, ...tags.map((tag) => readFileSync(join(folder, `${tag}.ts`), 'utf8'))].join('\0'))
  .digest('hex')
  .slice(0, 8);

/** File name of a chunk that is a language. */
export function languageFileName(name: string): string | undefined {
  return tags.includes(name) ? `assets/${name}-${hash}.js` : undefined;
}

export function languageChunks(): Plugin {
  return {
    name: 'vestibule:language-chunks',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
        if (entry?.type === 'chunk') entry.code = foldTable(entry.code);
      },
    },
  };
}

/** @throws where `code` does not hold the table of all languages. */
export function foldTable(code: string): string {
  const row = /([a-z]{2}):\(\)=>import\(`\.\/assets\/\1-[\w-]{8}\.js`\)/;
  const table = new RegExp(`\\{(?:${row.source.replace('\\1', '[a-z]{2}')},?){${tags.length}}\\}`);
  if (!table.test(code)) throw new Error('The table of languages is not what it was.');
  return code.replace(table, `Object.fromEntries(\`${tags.join(' ')}\`.split(\` \`).map(e=>[e,()=>import(\`./assets/\${e}-${hash}.js\`)]))`);
}
