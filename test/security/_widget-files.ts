/** The files that browsers load, as they were built. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../../packages/widget/dist/browser');

/** Name and content of every script. */
export async function widgetFiles(): Promise<readonly (readonly [name: string, content: string])[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.js'));
  return Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const));
}
