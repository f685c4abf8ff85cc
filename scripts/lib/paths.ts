/** Paths of the repository. */

import { join, relative, resolve } from 'node:path';

export const repositoryRoot = resolve(import.meta.dirname, '../..');

/** Reports, screenshots and stamps; ignored by git. */
export const artifactsDirectory = join(repositoryRoot, '.artifacts');

/** Resolves a path against the root. */
export function fromRoot(...parts: string[]): string {
  return join(repositoryRoot, ...parts);
}

/** Returns a path relative to the root, with slashes. */
export function shortPath(path: string): string {
  return relative(repositoryRoot, path).replaceAll('\\', '/');
}

/** Path of a dependency's script, to be run with this runtime. */
export function toolScript(path: string): string {
  return fromRoot('node_modules', path);
}
