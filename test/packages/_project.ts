/**
 * An empty project with the packages in it, unpacked from the tarballs that `npm publish` would upload. `node_modules` holds
 * what `npm install` would add for them: the releases of this repository's lock file, at the same places in the tree.
 */

import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = resolve(import.meta.dirname, '../..');

export type PackageName = 'shared' | 'widget' | 'bff';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export class Project implements AsyncDisposable {
  readonly directory: string;
  readonly #modules: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.#modules = join(directory, 'node_modules');
  }

  static async create(): Promise<Project> {
    const directory = await mkdtemp(join(tmpdir(), 'vestibule-project-'));
    await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    return new Project(directory);
  }

  /** Installs a package of this repository with its dependencies. @returns the paths in its tarball */
  async installPacked(name: PackageName): Promise<readonly string[]> {
    const home = join(root, 'packages', name);
    const { stdout } = await run('npm', ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', this.directory], { cwd: home });
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>);
    if (!packed) throw new Error('npm packed nothing');
    const target = join(this.#modules, '@vestibule', name);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(this.directory, packed.filename), '-C', target, '--strip-components=1']);
    await rm(join(this.directory, packed.filename));
    for (const dependency of await dependenciesOf(target)) {
      const shared = /^@vestibule\/(shared|widget|bff)$/.exec(dependency)?.[1] as PackageName | undefined;
      if (shared === undefined) await this.install(dependency, home);
      else if (!existsSync(join(this.#modules, dependency))) await this.installPacked(shared);
    }
    return packed.files.map(({ path }) => path);
  }

  /** Installs a dependency of `dependent`, a directory of this repository, with its own dependencies. */
  async install(dependency: string, dependent: string = root): Promise<void> {
    const installed = find(dependency, dependent);
    if (installed === undefined) throw new Error(`${dependency} is not installed`);
    const target = join(this.#modules, relative(root, installed).replace(/^packages/, 'node_modules/@vestibule').replace(/^node_modules\//, ''));
    if (existsSync(target)) return;
    for (const name of await readdir(installed)) {
      // Without a filter, the synchronous copy is the fastest.
      if (name !== 'node_modules') cpSync(join(installed, name), join(target, name), { recursive: true });
    }
    for (const name of await dependenciesOf(installed)) await this.install(name, installed);
  }

  /** Names of the installed packages. */
  async installed(): Promise<readonly string[]> {
    const names = await readdir(this.#modules);
    const scopes = names.filter((name) => name.startsWith('@'));
    const scoped = await Promise.all(scopes.map(async (scope) => (await readdir(join(this.#modules, scope))).map((name) => `${scope}/${name}`)));
    return [...names.filter((name) => !scopes.includes(name)), ...scoped.flat()].toSorted();
  }

  /** Bytes of all files in `node_modules`. */
  async installedBytes(): Promise<number> {
    const entries = await readdir(this.#modules, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}

async function dependenciesOf(directory: string): Promise<readonly string[]> {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest;
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Where Node.js finds `dependency` from `directory`. */
function find(dependency: string, directory: string): string | undefined {
  const path = join(directory, 'node_modules', dependency);
  if (existsSync(path)) return path;
  return directory === root ? undefined : find(dependency, dirname(directory));
}
