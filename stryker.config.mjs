/** Mutation testing of a folder of the BFF, or of one of its files, by the tests that run it in their own process.
 *  `scripts/test-mutants.ts` names them and runs this in a copy of the repository. */

import { availableParallelism } from 'node:os';
import process from 'node:process';

const { MUTATED_FOLDER: folder = 'signing', MUTATED_FILE: file = '*' } = process.env;

/** Tests of `test/bff` that run a folder's code in their own process. All of them would take minutes for each survivor. */
const bffTests = {
  sync: ['sign-in', 'validation', 'hooks', 'attempts', 'standard-variant'],
  http: ['headers', 'failure-log', 'problems'],
  service: ['signed-calls'],
};

export default {
  testRunner: 'tap',
  tap: {
    testFiles: [`packages/bff/src/${folder}/*.test.ts`, ...(bffTests[folder] ?? []).map((name) => `test/bff/${name}.test.ts`)],
    nodeArgs: ['--conditions=@vestibule/source', '--disable-warning=ExperimentalWarning', '--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'],
  },
  coverageAnalysis: 'perTest',
  concurrency: availableParallelism(),
  // A copy of Stryker's own would resolve the packages of the workspace to the original.
  inPlace: true,
  mutate: [`packages/bff/src/${folder}/${file}.ts`, '!**/*.test.ts', '!**/_*.ts'],
  ignorePatterns: ['.artifacts', 'docs', 'packages/*/dist'],
  timeoutMS: 20_000,
  disableTypeChecks: false,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'mutants.json' },
};
