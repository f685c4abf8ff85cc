/** `npm run check:packages`: checks the packed packages for files that `exports` names and the tarball lacks, and for types
 *  that a consumer's compiler does not find. */

import { fromRoot, toolScript } from './lib/paths.ts';
import { runScript } from './lib/run-command.ts';

const packages = ['shared', 'bff', 'widget'];

for (const name of packages) {
  const directory = fromRoot('packages', name);
  await check(`publint ${name}`, toolScript('publint/src/cli.js'), ['run', directory, '--strict']);
  await check(`attw ${name}`, toolScript('@arethetypeswrong/cli/dist/index.js'), [
    '--pack', directory, '--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--format', 'ascii',
  ]);
}

async function check(title: string, script: string, args: readonly string[]): Promise<void> {
  const { exitCode, output } = await runScript(script, args, { output: 'collect' });
  console.log(exitCode === 0 ? `${title}: ok` : `${title}: failed\n${output}`);
  if (exitCode !== 0) process.exitCode = 1;
}
