/** Mutation testing by the tests that run the code in their own process or page. `scripts/test-mutants.ts` runs this in a copy of
 *  the repository and sets the environment: the runner, patterns of files, and paths of tests, the fastest first. */

import process from 'node:process';

const { MUTANT_RUNNER: testRunner = '', MUTATED_FILES: mutated = '', MUTANT_TESTS: tests = '' } = process.env;

export default {
  testRunner,
  plugins: ['@stryker-mutator/tap-runner', './scripts/lib/element-mutant-runner.ts'],
  tap: {
    testFiles: tests.split(' '),
    nodeArgs: [
      '--conditions=@vestibule/source', '--disable-warning=ExperimentalWarning',
      // A test that never ends fails after this time, in ms, instead of at the time limit of its file.
      '--test-reporter=tap', '--test-timeout=15000', '-r', '{{hookFile}}', '{{testFile}}',
    ],
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A copy of Stryker's own would resolve the packages of the workspace to the original.
  inPlace: true,
  mutate: mutated.split(' '),
  ignorePatterns: ['.artifacts', 'docs', 'packages/*/dist'],
  timeoutMS: 5_000,
  disableTypeChecks: false,
  allowConsoleColors: false,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: 'mutants.json' },
};
