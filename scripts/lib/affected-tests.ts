/**
 * The tests that a change can affect. A file depends on every existing file or folder that it names in quotes: imports,
 * processes that it starts, documents that it reads. Of documents and settings, the end of the path is enough (`deploy/`).
 * A test that uses a build output depends on every source of the packages.
 */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path/posix';
import { promisify } from 'node:util';
import { listFiles } from './content-stamp.ts';
import { fromRoot } from './paths.ts';

const run = promisify(execFile);

/** Changes here can affect every test. */
const ROOT_FILES = /^(?:package(?:-lock)?\.json|tsconfig\.json|packages\/[^/]+\/(?:package|tsconfig)\.json|packages\/widget\/(?:testing\/|[\w-]+\.config\.ts)|scripts\/(?:test|build)\.ts|scripts\/lib\/)/;

/** Sources of the build. */
const SOURCES = /^packages\/[^/]+\/(?:bin|build|src)\/(?!.*\.test\.ts$)/;
/** Files that may use a build output. The sources of a package name its own without a dependency on it. */
const TESTS = /^test\/|\.test\.ts$/;
const QUOTED_PATH = /['"`]((?:@vestibule\/|\.{0,2}\/|(?=[\w-]+[/.]))[\w@./-]+)['"`]/g;
const BUILD_OUTPUT = /['"`/](?:dist|bin)\/|startBff|VestibuleProcess|startNewspaper|StaticFiles|widgetDirectory/;

/** Test files that depend on a file that differs from the upstream branch; `undefined` if every test may.
 *  @throws {Error} outside a git repository */
export async function affectedTests(): Promise<ReadonlySet<string> | undefined> {
  const changed = await changedFiles();
  if (changed.some((path) => ROOT_FILES.test(path))) return undefined;
  const files = await listFiles(['packages/*/{bin,build,deploy,examples,src}/**/*', 'packages/*/*', 'test/**/*', 'scripts/**/*.ts', 'docs/**/*', '*.md']);
  const texts = new Map<string, string>();
  for (const file of files.filter((path) => /\.(?:m?[jt]s|html|css)$/.test(path))) texts.set(file, await readFile(fromRoot(file), 'utf8'));
  return testsAffectedBy(changed, new Set(files), texts);
}

/** The same from given changes, paths and source texts; paths are relative to the root. */
export function testsAffectedBy(
  changed: readonly string[],
  files: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const affected = new Set(changed);
  const isBuildChanged = changed.some((path) => SOURCES.test(path));
  for (const [file, text] of texts) if (isBuildChanged && TESTS.test(file) && BUILD_OUTPUT.test(text)) affected.add(file);
  const dependencies = new Map([...texts].map(([file, text]) => [file, namedPaths(file, text, files)]));
  for (let size = -1; size !== affected.size;) {
    size = affected.size;
    for (const [file, named] of dependencies) if (named.some((path) => affected.has(path))) affected.add(file);
  }
  return new Set([...affected].filter((path) => path.endsWith('.test.ts')));
}

function namedPaths(file: string, text: string, files: ReadonlySet<string>): string[] {
  return [...text.matchAll(QUOTED_PATH)].flatMap(([, named = '']) => {
    const workspace = /^@vestibule\/([a-z]+)/.exec(named)?.[1];
    if (workspace !== undefined) return [`packages/${workspace}/src/index.ts`];
    const places = [normalize(join(dirname(file), named)), normalize(named)];
    const exact = places.filter((path) => files.has(path));
    // A path from the root of a server is no file.
    if (exact.length > 0 || !/^\w|^\.+\/.*\w/.test(named)) return exact;
    const folders = places.map((path) => path.replace(/\/?$/, '/'));
    const within = [...files].filter((path) => folders.some((folder) => path.startsWith(folder)));
    return within.length > 0 ? within : [...files].filter((path) => !path.endsWith('.ts') && `${path}/`.includes(`/${folders[1]}`));
  });
}

/** Committed since the branch left its upstream, or in the working tree. */
async function changedFiles(): Promise<string[]> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: fromRoot('.') })).stdout.split('\n').filter(Boolean);
  const base = await git('merge-base', 'HEAD', '@{upstream}').catch(() => git('rev-parse', 'HEAD'));
  const [committed, untracked] = await Promise.all([git('diff', '--name-only', ...base), git('ls-files', '--others', '--exclude-standard')]);
  return [...committed, ...untracked];
}
