/** `npm run build`: the packages compiled to `packages/…/dist`, and the widget as the files that browsers load.
 *  `npm ci` ends with it. Does nothing where neither a source nor an output changed since the last time;
 *  `-- --clean` removes every output first. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { contentStamp } from './lib/content-stamp.ts';
import { fromRoot, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';

const stampFile = fromRoot('.artifacts/build-stamp.json');
const packages = ['packages/shared', 'packages/bff', 'packages/widget'];

interface BuildStamp {
  readonly sources: string;
  readonly outputs: string;
}

/** Builds what is not up to date. Rejects where a compiler is not content; its own words have been shown by then. */
export async function build({ clean = false } = {}): Promise<'built' | 'up to date'> {
  if (clean) await removeOutputs();
  const before = await readStamp();
  const now = await currentStamp();
  if (before.sources === now.sources && before.outputs === now.outputs) return 'up to date';

  const force = before.outputs === now.outputs ? [] : ['--force'];
  await must('tsc', toolScript('typescript/bin/tsc'), ['--build', ...packages, ...force]);
  await must('vite', toolScript('vite/bin/vite.js'), ['build', 'packages/widget', '--logLevel', 'warn']);

  await mkdir(dirname(stampFile), { recursive: true });
  await writeFile(stampFile, JSON.stringify(await currentStamp()));
  return 'built';
}

async function must(name: string, script: string, args: string[]): Promise<void> {
  const { exitCode } = await runScript(script, args);
  if (exitCode !== 0) throw new Error(`${name} ended with status ${exitCode}`);
}

async function currentStamp(): Promise<BuildStamp> {
  const isOutput = (path: string): boolean => /^packages\/[^/]+\/dist\//.test(path);
  const isTest = (path: string): boolean => path.endsWith('.test.ts');
  return {
    sources: await contentStamp(
      ['packages/**/*', 'tsconfig.json', 'package-lock.json', 'scripts/build.ts'],
      (path) => isOutput(path) || isTest(path),
    ),
    outputs: await contentStamp(['packages/*/dist/**/*']),
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
