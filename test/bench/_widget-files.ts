/** The built widget, file by file: what a browser loads before a reader can type, and what comes later. */

import { glob, readFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export interface WidgetFile {
  /** Below `dist/browser`. */
  readonly path: string;
  readonly code: string;
}

export interface Weight {
  readonly minified: number;
  /** Level 9. */
  readonly gzip: number;
  /** Quality 11. */
  readonly brotli: number;
}

export const builtWidget = resolve(import.meta.dirname, '../../packages/widget/dist/browser');

export async function readWidgetFile(path: string): Promise<WidgetFile> {
  return { path, code: await readFile(join(builtWidget, path), 'utf8') };
}

/** `widget.js`, and what it imports statically, itself or through others. */
export async function readFirstStage(): Promise<readonly WidgetFile[]> {
  return readWithImports('widget.js');
}

/** A file of the build, and what it imports statically, itself or through others. */
export async function readWithImports(path: string): Promise<readonly WidgetFile[]> {
  const found = new Map<string, WidgetFile>();
  await addWithImports(path, found);
  return [...found.values()];
}

async function addWithImports(path: string, found: Map<string, WidgetFile>): Promise<void> {
  if (found.has(path)) return;
  const file = await readWidgetFile(path);
  found.set(path, file);
  for (const imported of staticImports(file.code)) await addWithImports(posix.join(posix.dirname(path), imported), found);
}

/** What comes later, by the chunk's name without its hash. */
export async function readAssets(): Promise<ReadonlyMap<string, WidgetFile>> {
  const assets = new Map<string, WidgetFile>();
  for await (const path of glob('assets/*.js', { cwd: builtWidget })) {
    assets.set(posix.basename(path).replace(/-[\w-]{8}\.js$/, ''), await readWidgetFile(path));
  }
  return new Map([...assets].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function weigh(files: readonly WidgetFile[]): Weight {
  const sum = (bytesOf: (code: string) => number): number => files.reduce((total, { code }) => total + bytesOf(code), 0);
  return {
    minified: sum((code) => Buffer.byteLength(code)),
    gzip: sum((code) => gzipSync(code, { level: 9 }).length),
    brotli: sum((code) => brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length),
  };
}

/** Relative addresses of `import … from "…"`, `import "…"` and `export … from "…"`; a dynamic `import("…")` is none. */
function staticImports(code: string): string[] {
  return [...code.matchAll(/\b(?:import|export)(?:\s*[\w*{][^"'`();]*?from)?\s*["'](\.[^"']+)["']/g)].map(([, address]) => address!);
}
