/** The repository's own documentation, and the blocks of code in it. */

import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

const pages = (await readdir(join(root, 'docs/'))).filter((name) => name.endsWith('.md')).sort().map((name) => `docs/${name}`);

/** What a reader of the repository or of a package reads, relative to the root. */
export const documents: readonly string[] = [
  'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages, 'packages/bff/README.md', 'packages/shared/README.md', 'packages/widget/README.md',
];

export interface CodeBlock {
  readonly document: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

export function readDocument(document: string): Promise<string> {
  return readFile(join(root, document), 'utf8');
}

/** Every block, or those of some languages. */
export async function codeBlocks(...languages: readonly string[]): Promise<readonly CodeBlock[]> {
  const blocks = await Promise.all(documents.map(async (document) => blocksOf(document, await readDocument(document))));
  return blocks.flat().filter(({ language }) => languages.length === 0 || languages.includes(language));
}

/** What stands between single backquotes. */
export function codeSpans(text: string): readonly string[] {
  const prose = text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

export function placeOf({ document, line }: CodeBlock): string {
  return `${document}:${line}`;
}

function blocksOf(document: string, text: string): CodeBlock[] {
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: code = '' }) => (
    { document, line: text.slice(0, index).split('\n').length + 1, language, code }
  ));
}
