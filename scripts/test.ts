/**
 * `npm test` and `npm run verify`: tools, build, every check and every suite, also after a failure. Service tests and browser
 * tests run side by side, then those that measure time. Ends with the slowest files, the failures, a summary, and
 * `N passed, N failed`.
 *
 * - `npm test -- <pattern>`: only the test files whose path contains the pattern, and no checks.
 * - `npm test -- --changed`: only the tests that a change since the upstream branch can affect. A change of the tools
 *   (`package.json`, `tsconfig.json`, this file, the build, `scripts/lib/`) affects all of them.
 * - `npm run test:long` sets `VESTIBULE_TEST_LONG=1`, which runs the tests under `test/` at full length.
 */

import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from './build.ts';
import { ensureTools } from './ensure-tools.ts';
import { affectedTests } from './lib/affected-tests.ts';
import { bundleBff } from './lib/bff-bundle.ts';
import { runChecks } from './lib/checks.ts';
import type { Counts, Failure, FileDuration } from './lib/counts.ts';
import { artifactsDirectory, repositoryRoot } from './lib/paths.ts';
import { findSuites, runSuite, type Suite } from './lib/suites.ts';

interface Line extends Counts {
  readonly name: string;
  readonly seconds: number;
}

const SLOWEST = 10;

/** Of a failure's message: an assertion shows the values after its first lines. */
const MESSAGE_LINES = 6;

/** Compiled modules for the processes of the tests, most of which load the same ones. */
const compileCache = join(artifactsDirectory, 'compile-cache');

const args = process.argv.slice(2);
const long = args.includes('--long');
const pattern = args.find((argument) => !argument.startsWith('--'));
const lines: Line[] = [];
const durations: FileDuration[] = [];
const failures: Failure[] = [];

// Only a whole run has a bundle, and makes it anew.
delete process.env['VESTIBULE_TEST_BUNDLE'];
await mkdir(artifactsDirectory, { recursive: true });
const paths = await prepare('tools', ensureTools) ?? {};
await prepare('build', build);
const suites = await findSuites({
  ...(pattern === undefined ? {} : { pattern }),
  ...(args.includes('--changed') && { only: await affectedTests() }),
  long,
});
const isWhole = pattern === undefined && !long;
const bundle = isWhole ? await prepare('bundle', bundleBff) : undefined;
await Promise.all([
  runLane('services', async () => { if (isWhole) await checkAll(); }),
  runLane('browsers'),
  runLane('engines'),
  runLane('faults'),
]);
await runLane('alone');
conclude();

async function prepare<T>(name: string, action: () => Promise<T>): Promise<T | undefined> {
  const startedAt = performance.now();
  let failed = 0;
  try {
    return await action();
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`);
    failed = 1;
    return undefined;
  } finally {
    lines.push({ name, passed: 0, failed, skipped: 0, seconds: (performance.now() - startedAt) / 1000 });
  }
}

async function checkAll(): Promise<void> {
  for await (const { name, ok, seconds, output } of runChecks()) {
    console.log(`\n── ${name}\n${output}`);
    lines.push({ name, passed: 0, failed: ok ? 0 : 1, skipped: 0, seconds });
  }
}

async function runLane(lane: Suite['lane'], before?: () => Promise<void>): Promise<void> {
  await before?.();
  for (const suite of suites) if (suite.lane === lane) await run(suite);
}

/** Shows the output at once if nothing runs beside the suite, otherwise when it has ended. */
async function run(suite: Suite): Promise<void> {
  const output = suite.lane === 'alone' || suites.length === 1 ? 'show' : 'collect';
  const heading = `\n── ${suite.name}: ${suite.files.length} files`;
  if (output === 'show') console.log(heading);
  const startedAt = performance.now();
  const { output: printed, files, failures: failed, ...counts } = await runSuite(suite, {
    env: {
      ...paths,
      NODE_COMPILE_CACHE: compileCache,
      ...(bundle !== undefined && { VESTIBULE_TEST_BUNDLE: bundle }),
      ...(long && { VESTIBULE_TEST_LONG: '1' }),
    },
    timeoutMs: (long ? 60 : 15) * 60_000,
    output,
  });
  if (output === 'collect') console.log(`${heading}\n${printed}`);
  durations.push(...files);
  failures.push(...failed);
  lines.push({ name: suite.name, ...counts, seconds: (performance.now() - startedAt) / 1000 });
}

/** Fails if something failed or no test was run; in CI also if a test was skipped. */
function conclude(): void {
  const passed = sum((line) => line.passed);
  const skipped = process.env['CI'] === 'true' ? sum((line) => line.skipped) : 0;
  const failed = sum((line) => line.failed) + skipped;

  if (passed + failed === 0) console.error('\nno test was run');
  console.log('\n── slowest files');
  for (const { file, seconds } of durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)) {
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative(repositoryRoot, file)}`);
  }
  if (failures.length > 0) console.log('\n── failures');
  for (const { file, titles, message } of failures) {
    console.log(`  ${[relative(repositoryRoot, file), ...titles].join(' › ')}`);
    for (const line of message.split('\n').filter((text) => text.trim() !== '').slice(0, MESSAGE_LINES)) console.log(`    ${line}`);
  }
  console.log('\n── summary');
  for (const line of lines) {
    const outcome = line.passed + line.failed + line.skipped === 0 ? 'passed' : wordsFor(line);
    console.log(`  ${line.name.padEnd(24)} ${outcome.padEnd(36)} ${line.seconds.toFixed(1).padStart(6)} s`);
  }
  if (failed > 0 || passed === 0) process.exitCode = 1;
  console.log(`\n${passed} passed, ${failed} failed`);
}

function wordsFor({ passed, failed, skipped }: Line): string {
  if (passed + skipped === 0) return 'FAILED';
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function sum(pick: (line: Line) => number): number {
  return lines.reduce((total, line) => total + pick(line), 0);
}
