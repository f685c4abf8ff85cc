/** Runs @web/test-runner with the widget's configuration on the files of the arguments (default: all) and writes its report.
 *  `VESTIBULE_COVERAGE` names a directory for a coverage report. */

import {
  defaultReporter, startTestRunner, type Reporter, type TestRunnerConfig, type TestSession, type TestSuiteResult,
} from '@web/test-runner';
import config from '../../packages/widget/web-test-runner.config.ts';
import { writeReport, type Counts, type Failure, type FileDuration } from './counts.ts';

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };
const files = process.argv.slice(2);
const counter: Reporter = {
  onTestRunFinished: ({ sessions }) => void writeReport({
    ...countAll(sessions), files: sessions.map(durationOf), failures: sessions.flatMap(failuresOf),
  }),
};
const reportDir = process.env['VESTIBULE_COVERAGE'];
const coverage: TestRunnerConfig = reportDir === undefined ? {} : {
  coverage: true,
  coverageConfig: {
    reportDir,
    reporters: ['text', 'json-summary'],
    include: ['packages/{shared,widget}/src/**/*.ts'],
    exclude: ['**/*.test.ts', '**/_*.ts'],
  },
};
const counting: TestRunnerConfig = {
  ...config,
  ...coverage,
  ...(files.length > 0 ? { files } : {}),
  reporters: [...(config.reporters ?? [defaultReporter()]), counter],
};

const runner = await startTestRunner({ config: counting, readCliArgs: false, readFileConfig: false, autoExitProcess: false });
runner?.on('stopped', (passed) => { process.exitCode = passed ? 0 : 1; });

function countAll(sessions: readonly TestSession[]): Counts {
  return sessions.map(countSession).reduce(add, nothing);
}

/** Durations of the tests; the runner reports none for a file. */
function durationOf({ testFile, testResults }: TestSession): FileDuration {
  const milliseconds = testResults ? sumDurations(testResults) : 0;
  return { file: testFile, seconds: milliseconds / 1000 };
}

function sumDurations({ tests, suites }: TestSuiteResult): number {
  return [...tests.map(({ duration = 0 }) => duration), ...suites.map(sumDurations)].reduce((sum, ms) => sum + ms, 0);
}

/** Counts a file as a failure if it cannot be loaded, has no test, or fails outside its tests. */
function countSession({ testResults, passed }: TestSession): Counts {
  const counts = testResults ? countSuite(testResults) : nothing;
  const isAtFault = passed !== true || counts.passed + counts.skipped === 0;
  return isAtFault && counts.failed === 0 ? add(counts, { passed: 0, failed: 1, skipped: 0 }) : counts;
}

function countSuite({ tests, suites }: TestSuiteResult): Counts {
  const own: Counts = {
    passed: tests.filter((test) => test.passed && !test.skipped).length,
    failed: tests.filter((test) => !test.passed && !test.skipped).length,
    skipped: tests.filter((test) => test.skipped).length,
  };
  return suites.map(countSuite).reduce(add, own);
}

function failuresOf({ testFile: file, testResults, errors, passed }: TestSession): Failure[] {
  const failures = testResults ? failuresOfSuite(testResults, file, []) : [];
  if (passed === true || failures.length > 0) return failures;
  return [{ file, titles: [], message: errors[0]?.message ?? 'failed outside its tests' }];
}

function failuresOfSuite({ tests, suites }: TestSuiteResult, file: string, outer: readonly string[]): Failure[] {
  const failed = tests.filter((test) => !test.passed && !test.skipped);
  return [
    ...failed.map(({ name, error }) => ({ file, titles: [...outer, name], message: error?.message ?? '' })),
    ...suites.flatMap((suite) => failuresOfSuite(suite, file, [...outer, suite.name])),
  ];
}

function add(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped };
}
