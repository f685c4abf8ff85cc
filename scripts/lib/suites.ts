/** The test suites: their files and runners. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles } from './content-stamp.ts';
import { COUNTS_FILE_VARIABLE, takeReport, type RunReport } from './counts.ts';
import { artifactsDirectory, fromRoot } from './paths.ts';
import { runCommand, type RunOptions } from './run-command.ts';

export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  readonly runner: 'node' | 'browser';
  /** Suites of one lane run one after the other, lanes side by side; those that measure time run alone at the end. */
  readonly lane: 'services' | 'browsers' | 'engines' | 'faults' | 'alone';
  /** Concurrent test files. `shared process`: one after the other in one process, which loads common modules once. */
  readonly concurrency: number | 'shared process';
  /** Timeout of a test. Default: five minutes. */
  readonly testTimeoutMs?: number;
}

export interface SuiteOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether the runner's output is shown or collected. Default: `show`. */
  readonly output?: RunOptions['output'];
}

const TEST_TIMEOUT_MS = 5 * 60_000;
const LONG_TEST_TIMEOUT_MS = 20 * 60_000;

const TEST_FILES = ['packages/*/{build,src}/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts'];

const isElementTest = (path: string): boolean => path.startsWith('packages/widget/src/');
const isServiceTest = (path: string): boolean => path.startsWith('test/') && !isTimedTest(path) && !isEndToEndTest(path);
/** Tests of a BFF or a service in their own process, none of which changes the process. */
const isLibraryTest = (path: string): boolean => /^test\/(?:bff|examples|metrics|properties|service|site)\//.test(path);
/** Tests of the documentation, of figures and of types, which leave their process as it was. */
const isDocumentTest = (path: string): boolean => /^test\/(?:bench|capacity|docs|structure|types)\//.test(path);
/** Tests that wait most of their time, for a takeover or a restart. */
const isFaultTest = (path: string): boolean => /^test\/(?:fault|store)\//.test(path);
/** Tests that compare times. */
const isTimedTest = (path: string): boolean => /^test\/(?:abuse|load|page\/largest-paint)/.test(path);
const isEndToEndTest = (path: string): boolean => /^test\/(?:e2e|gallery|page)\//.test(path) && !isTimedTest(path);
const isPageTest = (path: string): boolean => path.startsWith('test/page/');
const isEngineTest = (path: string): boolean => /^test\/e2e\/(?:firefox|webkit)\./.test(path);
const isUnitTest = (path: string): boolean => !path.startsWith('test/') && !isElementTest(path);
const isLongTest = (path: string): boolean => path.endsWith('.long.test.ts');

export interface SuiteFilter {
  /** Part of the files' paths. */
  readonly pattern?: string;
  /** Paths of the files. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Whether to run the tests of `npm run test:long`: those under `test/` without a browser. */
  readonly long?: boolean;
}

/** The suites with the chosen files, without empty suites. */
export async function findSuites({ pattern = '', only, long = false }: SuiteFilter = {}): Promise<Suite[]> {
  const chosen = (await listFiles(TEST_FILES)).filter((path) => path.includes(pattern) && (!only || only.has(path)));
  const cores = availableParallelism();
  if (long) {
    const files = chosen.filter((path) => isServiceTest(path) || isTimedTest(path));
    return withFiles([{ name: 'long runs', files, runner: 'node', lane: 'alone', concurrency: 1, testTimeoutMs: LONG_TEST_TIMEOUT_MS }]);
  }

  const short = chosen.filter((path) => !isLongTest(path));
  const services = short.filter(isServiceTest);
  const endToEnd = short.filter(isEndToEndTest);
  return withFiles([
    { name: 'library', files: services.filter(isLibraryTest), runner: 'node', lane: 'services', concurrency: 'shared process' },
    { name: 'services', files: services.filter((path) => ![isLibraryTest, isDocumentTest, isFaultTest].some((isOther) => isOther(path))), runner: 'node', lane: 'services', concurrency: cores },
    { name: 'faults', files: services.filter(isFaultTest), runner: 'node', lane: 'faults', concurrency: cores },
    { name: 'elements', files: short.filter(isElementTest), runner: 'browser', lane: 'browsers', concurrency: 1 },
    { name: 'end to end', files: endToEnd.filter((path) => !isPageTest(path) && !isEngineTest(path)), runner: 'node', lane: 'browsers', concurrency: 'shared process' },
    { name: 'other engines', files: endToEnd.filter(isEngineTest), runner: 'node', lane: 'engines', concurrency: 1 },
    { name: 'documents', files: services.filter(isDocumentTest), runner: 'node', lane: 'engines', concurrency: 'shared process' },
    { name: 'units', files: short.filter(isUnitTest), runner: 'node', lane: 'engines', concurrency: 'shared process' },
    { name: 'pages', files: endToEnd.filter(isPageTest), runner: 'node', lane: 'engines', concurrency: 'shared process' },
    { name: 'load and abuse', files: short.filter(isTimedTest), runner: 'node', lane: 'alone', concurrency: 1 },
  ]);
}

function withFiles(suites: readonly Suite[]): Suite[] {
  return suites.filter((suite) => suite.files.length > 0);
}

export interface SuiteResult extends RunReport {
  /** What the runner printed, if it was collected. */
  readonly output: string;
}

/** Runs a suite. A runner that crashes, hangs, or fails without naming a test counts as one failure. */
export async function runSuite(suite: Suite, { env, timeoutMs, output = 'show' }: SuiteOptions): Promise<SuiteResult> {
  const countsFile = join(artifactsDirectory, `counts-${process.pid}-${suite.name.replaceAll(' ', '-')}.json`);
  const options: RunOptions = { env: { ...env, [COUNTS_FILE_VARIABLE]: countsFile }, timeoutMs, output };
  const { exitCode, timedOut, output: printed } = await runCommand(process.execPath, argumentsOf(suite), options);
  const note = timedOut ? `${suite.name}: killed after ${timeoutMs / 60_000} minutes\n` : '';
  if (output === 'show') process.stderr.write(note);

  const report = await takeReport(countsFile) ?? { passed: 0, failed: 0, skipped: 0, files: [], failures: [] };
  const isAtFault = exitCode !== 0 || report.passed + report.failed === 0;
  return { ...report, failed: isAtFault ? Math.max(report.failed, 1) : report.failed, output: printed + note };
}

function argumentsOf({ files, runner, concurrency, testTimeoutMs = TEST_TIMEOUT_MS }: Suite): string[] {
  if (runner === 'browser') return [fromRoot('scripts/lib/browser-tests.ts'), ...files];
  return [
    '--conditions=@vestibule/source',
    '--import', pathToFileURL(fromRoot('scripts/lib/end-test-file.ts')).href,
    '--test',
    concurrency === 'shared process' ? '--test-isolation=none' : `--test-concurrency=${concurrency}`,
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=spec', '--test-reporter-destination=stdout',
    `--test-reporter=${fromRoot('scripts/lib/node-counts-reporter.ts')}`, '--test-reporter-destination=stderr',
    ...files,
  ];
}
