/** `npm test` and `npm run verify`: tools, build, every check and every suite, also after a failure. Ends with a summary and
 *  the line `N passed, N failed`.
 *
 *  `npm test -- <pattern>` runs only the test files whose path contains the pattern, and no checks.
 *  `npm run test:long` sets `VESTIBULE_TEST_LONG=1`, which runs the tests under `test/` at full length. */

import { mkdir } from 'node:fs/promises';
import { build } from './build.ts';
import { ensureTools } from './ensure-tools.ts';
import { runChecks } from './lib/checks.ts';
import { artifactsDirectory } from './lib/paths.ts';
import { findSuites, runSuite } from './lib/suites.ts';

interface Line {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

const args = process.argv.slice(2);
const long = args.includes('--long');
const pattern = args.find((argument) => !argument.startsWith('--'));
const lines: Line[] = [];

await mkdir(artifactsDirectory, { recursive: true });
const paths = await prepare('tools', ensureTools) ?? {};
await prepare('build', build);
if (pattern === undefined && !long) await checkAll();
await testAll({ ...paths, ...(long ? { VESTIBULE_TEST_LONG: '1' } : {}) });
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
  for await (const { name, ok, seconds } of runChecks()) {
    lines.push({ name, passed: 0, failed: ok ? 0 : 1, skipped: 0, seconds });
  }
}

async function testAll(env: Readonly<Record<string, string>>): Promise<void> {
  for (const suite of await findSuites({ ...(pattern === undefined ? {} : { pattern }), long })) {
    console.log(`\n── ${suite.name}: ${suite.files.length} files`);
    const startedAt = performance.now();
    const counts = await runSuite(suite, { env, timeoutMs: (long ? 60 : 10) * 60_000 });
    lines.push({ name: suite.name, ...counts, seconds: (performance.now() - startedAt) / 1000 });
  }
}

/** Fails if something failed or no test was run; in CI also if a test was skipped. */
function conclude(): void {
  const passed = sum((line) => line.passed);
  const skipped = process.env['CI'] === 'true' ? sum((line) => line.skipped) : 0;
  const failed = sum((line) => line.failed) + skipped;

  if (passed + failed === 0) console.error('\nno test was run');
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
