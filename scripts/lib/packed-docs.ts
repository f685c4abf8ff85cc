/** The documentation as the package of the BFF contains it, under `dist/docs`: the pages without pictures, with links to files
 *  that the package has. The changelog is one of the pages. */

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from './paths.ts';

/** Folder in the package of the BFF. */
export const PACKED_DOCS = 'dist/docs';

/** Paths in the repository and in the package, relative to the pages. */
const PACKED_FOLDERS: readonly (readonly [repository: string, packed: string])[] = [
  ['../packages/bff/deploy/', '../../deploy/'],
  ['../packages/bff/examples/', '../../examples/'],
  ['../packages/bff/README.md', '../../README.md'],
  ['../CHANGELOG.md', 'CHANGELOG.md'],
];

/** Texts by file name. */
export async function packedDocs(): Promise<ReadonlyMap<string, string>> {
  const pages = (await readdir(fromRoot('docs'))).filter((name) => name.endsWith('.md'));
  const paths = [...pages.map((name) => [name, `docs/${name}`] as const), ['CHANGELOG.md', 'CHANGELOG.md'] as const];
  return new Map(await Promise.all(paths.map(async ([name, path]) => [name, pack(await readFile(fromRoot(path), 'utf8'), pages)] as const)));
}

/** Writes the pages into the package. A build without them, such as that of the container image, writes none. */
export async function writePackedDocs(): Promise<void> {
  if (!existsSync(fromRoot('docs'))) return;
  const directory = fromRoot('packages/bff', PACKED_DOCS);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, text] of await packedDocs()) await writeFile(join(directory, name), text);
}

/** A link to a file that is not packed becomes its text. */
function pack(text: string, pages: readonly string[]): string {
  return text.replaceAll(/!\[([^\]]*)\]\([^)]+\)/g, '$1').replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link: string, words: string, address: string) => {
    const [path = ''] = address.split('#');
    if (/^https?:/.test(address) || path === '' || pages.includes(path)) return link;
    const folder = PACKED_FOLDERS.find(([repository]) => path.startsWith(repository));
    return folder ? `[${words}](${address.replace(...folder)})` : words;
  });
}
