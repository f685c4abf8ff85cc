/** The test suites: their files and runners. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { listFiles } from './content-stamp.ts';
import { COUNTS_FILE_VARIABLE, takeCounts, type Counts } from './counts.ts';
import { artifactsDirectory, fromRoot } from './paths.ts';
import { runCommand, type RunOptions } from './run-command.ts';

export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  readonly runner: 'node' | 'browser';
  /** Concurrent test files. */
  readonly concurrency: number;
  /** Timeout of one file. Default: five minutes. */
  readonly fileTimeoutMs?: number;
}

export interface SuiteOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether the runner's output is shown or collected. Default: `show`. */
  readonly output?: RunOptions['output'];
}

/** A file that takes longer is killed and reported. */
const FILE_TIMEOUT_MS = 5 * 60_000;
const LONG_FILE_TIMEOUT_MS = 20 * 60_000;

const TEST_FILES = ['packages/*/{build,src}/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];

const isElementTest = (path: string): boolean => path.startsWith('packages/widget/src/');
const isServiceTest = (path: string): boolean => path.startsWith('test/') && !isTimedTest(path) && !isEndToEndTest(path);
/** Tests that measure time run alone. */
const isTimedTest = (path: string): boolean => /^test\/(?:abuse|fault|load)\//.test(path);
const isEndToEndTest = (path: string): boolean => /^test\/(?:e2e|page)\//.test(path);
const isUnitTest = (path: string): boolean => !path.startsWith('test/') && !isElementTest(path);
const isLongTest = (path: string): boolean => path.endsWith('.long.test.ts');

/** Returns the suites of `npm test` with the files whose path contains `pattern`, without empty suites.
 *  @param long the tests of `npm run test:long`: those under `test/` without a browser */
export async function findSuites({ pattern = '', long = false } = {}): Promise<Suite[]> {
  const chosen = (await listFiles(TEST_FILES)).filter((path) => path.includes(pattern));
  const cores = availableParallelism();
  if (long) {
    const files = chosen.filter((path) => isServiceTest(path) || isTimedTest(path));
    return withFiles([{ name: 'long runs', files, runner: 'node', concurrency: 1, fileTimeoutMs: LONG_FILE_TIMEOUT_MS }]);
  }

  const short = chosen.filter((path) => !isLongTest(path));
  return withFiles([
    { name: 'units', files: short.filter(isUnitTest), runner: 'node', concurrency: cores },
    { name: 'services', files: short.filter(isServiceTest), runner: 'node', concurrency: cores },
    { name: 'load and faults', files: short.filter(isTimedTest), runner: 'node', concurrency: 1 },
    { name: 'elements', files: short.filter(isElementTest), runner: 'browser', concurrency: 1 },
    { name: 'end to end', files: short.filter(isEndToEndTest), runner: 'node', concurrency: 1 },
  ]);
}

function withFiles(suites: readonly Suite[]): Suite[] {
  return suites.filter((suite) => suite.files.length > 0);
}

/** Runs a suite. A runner that crashes, hangs, or fails without naming a test counts as one failure. */
export async function runSuite(suite: Suite, { env, timeoutMs, output = 'show' }: SuiteOptions): Promise<Counts> {
  const countsFile = join(artifactsDirectory, `counts-${process.pid}.json`);
  const options: RunOptions = { env: { ...env, [COUNTS_FILE_VARIABLE]: countsFile }, timeoutMs, output };
  const { exitCode, timedOut } = await runCommand(process.execPath, argumentsOf(suite), options);
  if (timedOut && output === 'show') console.error(`${suite.name}: killed after ${timeoutMs / 60_000} minutes`);

  const counts = await takeCounts(countsFile) ?? { passed: 0, failed: 0, skipped: 0 };
  const isAtFault = exitCode !== 0 || counts.passed + counts.failed === 0;
  return isAtFault && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function argumentsOf({ files, runner, concurrency, fileTimeoutMs = FILE_TIMEOUT_MS }: Suite): string[] {
  if (runner === 'browser') return [fromRoot('scripts/lib/browser-tests.ts'), ...files];
  return [
    '--conditions=@vestibule/source',
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${fileTimeoutMs}`,
    '--test-reporter=spec', '--test-reporter-destination=stdout',
    `--test-reporter=${fromRoot('scripts/lib/node-counts-reporter.ts')}`, '--test-reporter-destination=stderr',
    ...files,
  ];
}
