/** `npm run coverage`: runs the suites with V8 coverage, child processes included, and prints by file what no test executes.
 *  Reports are in `.artifacts/coverage`. Killed processes and workers are not counted. Do not edit sources while it runs.
 *
 *  `npm run coverage -- units services` runs these suites only. */

import { readFile, rm } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { build } from './build.ts';
import { ensureTools } from './ensure-tools.ts';
import { listFiles } from './lib/content-stamp.ts';
import { artifactsDirectory, fromRoot, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';
import { findSuites, runSuite } from './lib/suites.ts';

const SOURCES = ['packages/{bff,shared}/src/**/*.ts', 'packages/widget/build/**/*.ts'];

const directory = join(artifactsDirectory, 'coverage');
const counted = join(directory, 'v8');
const chosen = process.argv.slice(2);

await rm(directory, { recursive: true, force: true });
const env = { ...await ensureTools(), VESTIBULE_COVERAGE: join(directory, 'elements') };
await build();
for (const suite of await findSuites()) {
  if (chosen.length > 0 && !chosen.includes(suite.name)) continue;
  console.log(`\n── ${suite.name}: ${suite.files.length} files`);
  const counting = suite.runner === 'node' ? { ...env, NODE_V8_COVERAGE: counted } : env;
  const { passed, failed } = await runSuite(suite, { env: counting, timeoutMs: 30 * 60_000 });
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

console.log('\n── coverage of the suites under Node.js');
const { exitCode } = await runScript(toolScript('c8/bin/c8.js'), [
  'report', '--all', `--temp-directory=${counted}`, `--reports-dir=${join(directory, 'node')}`, '--reporter=text', '--reporter=json-summary',
  '--skip-full', '--src=packages', '--exclude=**/dist/**',
  ...SOURCES.map((pattern) => `--include=${pattern}`), ...(await withoutCode()).map((path) => `--exclude=${path}`),
]);
if (exitCode !== 0) process.exitCode = 1;

/** Tests, their helpers, and files with types only. */
async function withoutCode(): Promise<string[]> {
  const paths = await listFiles(SOURCES);
  const kept = await Promise.all(paths.map(async (path) => {
    if (/\.test\.ts$|\.d\.ts$|\/_[\w-]+\.ts$/.test(path)) return false;
    const code = stripTypeScriptTypes(await readFile(fromRoot(path), 'utf8'));
    return /[^\s;]/.test(code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [^;]*;|^export \{\};/gm, ''));
  }));
  return paths.filter((_, i) => !kept[i]);
}
