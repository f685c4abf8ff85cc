/** `npm run coverage`: catches code that no test reaches. Runs the suites with V8's own counting, the processes they start
 *  included, and prints what is left out, file by file; whole reports are in `.artifacts/coverage`. What is killed rather
 *  than ended counts nothing.
 *
 *  `npm run coverage -- units services` runs these suites only. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.ts';
import { ensureTools } from './ensure-tools.ts';
import { artifactsDirectory, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';
import { findSuites, runSuite } from './lib/suites.ts';

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
  const { passed, failed } = await runSuite(suite, { env: counting, timeoutMs: 30 * 60_000, output: 'collect' });
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

console.log('\n── what the suites under Node.js reach');
const { exitCode } = await runScript(toolScript('c8/bin/c8.js'), [
  'report', '--all', `--temp-directory=${counted}`, `--reports-dir=${join(directory, 'node')}`, '--reporter=text', '--reporter=json-summary',
  '--skip-full', '--exclude-after-remap', '--src=packages',
  '--include=packages/{bff,shared}/src/**/*.ts', '--include=packages/widget/build/**/*.ts',
  '--exclude=**/*.test.ts', '--exclude=**/_*.ts', '--exclude=**/*.d.ts',
]);
if (exitCode !== 0) process.exitCode = 1;
