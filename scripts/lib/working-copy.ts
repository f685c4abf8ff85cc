/** A temporary copy of the repository for scripts that change files. Workspace packages resolve within the copy; other
 *  dependencies are shared with the original. */

import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from './paths.ts';

export interface WorkingCopy extends AsyncDisposable {
  readonly root: string;
}

export async function createWorkingCopy(): Promise<WorkingCopy> {
  const root = await mkdtemp(join(tmpdir(), 'vestibule-copy-'));
  for (const name of ['packages', 'test', 'scripts', 'docs', 'README.md', 'package.json', 'tsconfig.json', 'stryker.config.mjs']) {
    await cp(fromRoot(name), join(root, name), { recursive: true, filter: (path) => !path.endsWith('/node_modules') });
  }
  await linkModules(fromRoot('node_modules'), join(root, 'node_modules'));
  for (const name of await readdir(fromRoot('packages'))) {
    await symlink(join(root, 'packages', name), join(root, 'node_modules/@vestibule', name));
    await linkModules(fromRoot('packages', name, 'node_modules'), join(root, 'packages', name, 'node_modules'));
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(join(to, '@vestibule'), { recursive: true });
  for (const name of await readdir(from).catch(() => [])) {
    if (name !== '@vestibule') await symlink(join(from, name), join(to, name));
  }
}
