/** Mutation testing of one folder of the BFF by the unit tests; `scripts/test-mutants.ts` names the folder. */

import process from 'node:process';

const folder = process.env['MUTATED_FOLDER'] ?? 'signing';

export default {
  testRunner: 'tap',
  tap: {
    testFiles: ['packages/bff/src/**/*.test.ts'],
    nodeArgs: ['--conditions=@vestibule/source', '--disable-warning=ExperimentalWarning', '--test-reporter=tap', '-r', '{{hookFile}}', '{{testFile}}'],
  },
  coverageAnalysis: 'perTest',
  mutate: [`packages/bff/src/${folder}/*.ts`, '!**/*.test.ts', '!**/_*.ts'],
  ignorePatterns: ['.artifacts', 'docs', 'packages/*/dist'],
  timeoutMS: 20_000,
  disableTypeChecks: false,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `.artifacts/mutants/${folder}.json` },
  tempDirName: `.artifacts/stryker-${folder}`,
};
