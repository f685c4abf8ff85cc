/**
 * `npm run build`: compiles each package to its `dist`. `npm ci` and `npm pack` run it.
 * Does nothing if neither sources nor outputs changed since the last run; `-- --clean` removes the outputs first.
 *
 * `dist/browser` of the widget is what browsers load; the BFF gets a copy as `dist/widget`, so that it does not depend on
 * the widget's package. `dist/types` of a package holds its public declarations in one file, without internal ones.
 */

import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { contentStamp, listFiles } from './lib/content-stamp.ts';
import { PACKED_DOCS, writePackedDocs } from './lib/packed-docs.ts';
import { fromRoot, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';

const stampFile = fromRoot('.artifacts/build-stamp.json');
const packages = ['packages/shared', 'packages/bff', 'packages/widget'];

/** Sources and outputs of `tsc`. */
const compiled = [
  ['packages/shared/src', 'packages/shared/dist'],
  ['packages/bff/src', 'packages/bff/dist'],
  ['packages/widget/src', 'packages/widget/dist/esm'],
] as const;

interface BuildStamp {
  readonly sources: string;
  readonly outputs: string;
}

/** Builds what is not up to date. Rejects if a tool fails; the tool has shown its messages by then. */
export async function build({ clean = false } = {}): Promise<'built' | 'up to date'> {
  if (clean) await removeOutputs();
  await writePackedDocs();
  const before = await readStamp();
  const now = await currentStamp();
  if (before.sources === now.sources && before.outputs === now.outputs) return 'up to date';

  const force = before.outputs === now.outputs ? [] : ['--force'];
  await runTool('tsc', toolScript('typescript/bin/tsc'), ['--build', ...packages, ...force]);
  for (const [sources, outputs] of compiled) await removeStale(sources, outputs);
  await bundleDeclarations('packages/shared');
  await bundleDeclarations('packages/bff');
  await runTool('vite', toolScript('vite/bin/vite.js'), ['build', 'packages/widget', '--logLevel', 'warn']);
  await rm(fromRoot('packages/bff/dist/widget'), { recursive: true, force: true });
  // Source maps stay in the widget's package: no script names them, so no browser requests them.
  await cp(fromRoot('packages/widget/dist/browser'), fromRoot('packages/bff/dist/widget'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });

  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, JSON.stringify(await currentStamp()));
  return 'built';
}

/** Removes what `tsc` compiled from a source that is gone: it would be published. */
async function removeStale(sources: string, outputs: string): Promise<void> {
  for (const path of await listFiles([`${outputs}/**/*.js`, `${outputs}/**/*.d.ts`])) {
    const stem = path.slice(outputs.length).replace(/(?:\.d\.ts|\.js)$/, '');
    const isCompiled = !/^\/(?:types|widget)\//.test(stem);
    if (!isCompiled || existsSync(fromRoot(`${sources}${stem}.ts`))) continue;
    for (const file of [path, `${path}.map`]) await rm(fromRoot(file), { force: true });
  }
}

/** Writes `dist/types/index.d.ts`: the exports of `dist/index.d.ts` and the types that they name. */
async function bundleDeclarations(directory: string): Promise<void> {
  const bundle = await rollup({
    input: fromRoot(directory, 'dist/index.d.ts'),
    external: (id) => !/^[./]/.test(id),
    plugins: [dts()],
  });
  await bundle.write({ file: fromRoot(directory, 'dist/types/index.d.ts'), format: 'es' });
  await bundle.close();
}

async function runTool(name: string, script: string, args: string[]): Promise<void> {
  const { exitCode } = await runScript(script, args);
  if (exitCode !== 0) throw new Error(`${name} failed with status ${exitCode}`);
}

async function currentStamp(): Promise<BuildStamp> {
  const isOutput = (path: string): boolean => /^packages\/[^/]+\/dist\//.test(path);
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  return {
    sources: await contentStamp(
      ['packages/**/*', 'tsconfig.json', 'package-lock.json', 'scripts/build.ts'],
      (path) => isOutput(path) || isTest(path),
    ),
    // The documentation is written by each build.
    outputs: await contentStamp(['packages/*/dist/**/*'], (path) => path.startsWith(`packages/bff/${PACKED_DOCS}/`)),
  };
}

async function readStamp(): Promise<Partial<BuildStamp>> {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8')) as BuildStamp;
  } catch {
    return {};
  }
}

async function removeOutputs(): Promise<void> {
  for (const path of [...packages.map((name) => `${name}/dist`), '.artifacts/build-stamp.json']) {
    await rm(fromRoot(path), { recursive: true, force: true });
  }
}

if (import.meta.main) {
  try {
    const startedAt = performance.now();
    const outcome = await build({ clean: process.argv.includes('--clean') });
    console.log(`build: ${outcome} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(`build: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
