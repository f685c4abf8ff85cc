/** The documentation of the repository, the blocks of code in it, and the examples that it names. */

import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Relative to the root. */
export const documents: readonly string[] = (await Array.fromAsync(glob(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root }))).sort();

export interface CodeBlock {
  /** Document, and line of its first line of code. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

export function readDocument(document: string): Promise<string> {
  return readFile(join(root, document), 'utf8');
}

export async function codeBlocks(...languages: readonly string[]): Promise<readonly CodeBlock[]> {
  const blocks = await Promise.all(documents.map(async (document) => {
    const text = await readDocument(document);
    return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: code = '' }) => (
      { place: `${document}:${text.slice(0, index).split('\n').length + 1}`, language, code }
    ));
  }));
  const examples = await Promise.all((await Array.fromAsync(glob('packages/bff/examples/*.mjs', { cwd: root }))).map(async (example) => (
    [{ place: `${example}:1`, language: 'js', code: await readDocument(example) }]
  )));
  return [...blocks, ...examples].flat().filter(({ language }) => languages.includes(language));
}
