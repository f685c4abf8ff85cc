/** An empty project of somebody else's with the packages in it, unpacked from the tarballs that would be published. What
 *  they declare to depend on is there too, and nothing else; no registry is asked. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = resolve(import.meta.dirname, '../..');
const packages = ['shared', 'widget', 'bff'] as const;

/** What a project in TypeScript brings by itself. */
const ownDependencies = ['express', 'cookie-parser', '@types/express', '@types/cookie-parser', '@types/node'] as const;

export interface Project extends AsyncDisposable {
  readonly directory: string;
  /** Paths in each tarball, as they lie in the package. */
  readonly files: Readonly<Record<(typeof packages)[number], readonly string[]>>;
}

export async function createProject(): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-project-'));
  const modules = join(directory, 'node_modules');
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'somebody-elses', private: true, type: 'module' }));
  const files: Record<string, readonly string[]> = {};
  const dependencies = new Map<string, string>(ownDependencies.map((dependency) => [dependency, root]));
  for (const name of packages) {
    const home = join(modules, '@vestibule', name);
    files[name] = await unpack(name, home, directory);
    const { dependencies: declared = {} } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { dependencies?: object };
    for (const dependency of Object.keys(declared)) dependencies.set(dependency, join(root, 'packages', name));
  }
  for (const [dependency, dependent] of dependencies) {
    if (!dependency.startsWith('@vestibule/')) await link(dependency, dependent, join(modules, dependency));
  }
  for (const name of ['express-app', 'plain-server']) await cp(join(import.meta.dirname, name), join(directory, name), { recursive: true });
  return {
    directory,
    files: files as Project['files'],
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** Links the release that `dependent` has here. */
async function link(dependency: string, dependent: string, place: string): Promise<void> {
  const installed = [dependent, root].map((from) => join(from, 'node_modules', dependency)).find((path) => existsSync(path));
  if (installed === undefined) throw new Error(`${dependency} is not installed`);
  await mkdir(dirname(place), { recursive: true });
  await symlink(installed, place);
}

async function unpack(name: string, home: string, directory: string): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', directory], {
    cwd: join(root, 'packages', name),
  });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
  if (!packed) throw new Error('npm packed nothing');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', join(directory, packed.filename), '-C', home, '--strip-components=1']);
  return packed.files.map(({ path }) => path);
}
