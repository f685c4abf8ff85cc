/** One hash of the names and contents of many files. */

import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot, repositoryRoot, shortPath } from './paths.ts';

/** Hashes the files that match `patterns` (relative to the root), except those for which `isLeftOut` returns true. */
export async function contentStamp(patterns: readonly string[], isLeftOut = (_path: string): boolean => false): Promise<string> {
  const stamp = createHash('sha256');
  for (const path of await listFiles(patterns)) {
    if (isLeftOut(path)) continue;
    stamp.update(`${path}\0`).update(await readFile(fromRoot(path))).update('\0');
  }
  return stamp.digest('hex');
}

/** Returns the matching files outside `node_modules`, relative to the root, sorted. */
export async function listFiles(patterns: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const isElsewhere = (entry: Dirent): boolean => entry.name === 'node_modules';
  for await (const entry of glob([...patterns], { cwd: repositoryRoot, withFileTypes: true, exclude: isElsewhere })) {
    if (entry.isFile()) found.add(shortPath(join(entry.parentPath, entry.name)));
  }
  return [...found].sort();
}
