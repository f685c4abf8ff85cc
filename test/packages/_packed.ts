/** The packages as archives, and a project that has installed them. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

export const run = promisify(execFile);
export const root = resolve(import.meta.dirname, '../..');

export const NAMES = ['shared', 'widget', 'bff'] as const;

export type PackageName = (typeof NAMES)[number];

export interface Project extends AsyncDisposable {
  readonly directory: string;
  /** Paths in the archives. */
  readonly files: Readonly<Record<PackageName, readonly string[]>>;
}

/** Packs the packages, and installs the archives and `others` in an empty project. */
export async function createProject(others: readonly string[]): Promise<Project> {
  const temporary = await temporaryDirectory({ inMemory: false });
  const directory = join(temporary.path, 'consumer');
  await mkdir(directory);
  const files: Partial<Record<PackageName, readonly string[]>> = {};
  const archives: string[] = [];
  for (const name of NAMES) {
    const cwd = join(root, 'packages', name);
    // Without `prepack`, which builds anew: `npm run build` has.
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', temporary.path], { cwd });
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
    assert.ok(packed);
    files[name] = packed.files.map(({ path }) => path);
    archives.push(join(temporary.path, basename(packed.filename)));
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...archives, ...others], { cwd: directory });
  return { ...temporary, directory, files: files as Record<PackageName, readonly string[]> };
}
