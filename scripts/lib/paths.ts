/** Where things lie in the repository. */

import { join, relative, resolve } from 'node:path';

export const repositoryRoot = resolve(import.meta.dirname, '../..');

/** What a run leaves behind for people and for the next run: reports, screenshots, stamps. Ignored by git. */
export const artifactsDirectory = join(repositoryRoot, '.artifacts');

/** An absolute path from one relative to the root. */
export function fromRoot(...parts: string[]): string {
  return join(repositoryRoot, ...parts);
}

/** A path as a person would write it: relative to the root, with slashes. */
export function shortPath(path: string): string {
  return relative(repositoryRoot, path).replaceAll('\\', '/');
}

/** The script behind a dependency's command, to be run by this very runtime. */
export function toolScript(path: string): string {
  return fromRoot('node_modules', path);
}
