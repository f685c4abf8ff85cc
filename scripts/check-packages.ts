/** `npm run check:packages`: checks the packed packages for files that `exports` names and the tarball lacks, and for types
 *  that a consumer's compiler does not find. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot, toolScript } from './lib/paths.ts';
import { runCommand, runScript } from './lib/run-command.ts';

const packages = ['shared', 'bff', 'widget'];

const directory = await mkdtemp(join(tmpdir(), 'vestibule-packed-'));
try {
  for (const name of packages) {
    const tarball = await pack(name);
    await check(`publint ${name}`, toolScript('publint/src/cli.js'), ['run', tarball, '--strict']);
    await check(`attw ${name}`, toolScript('@arethetypeswrong/cli/dist/index.js'), [
      tarball, '--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--format', 'ascii',
    ]);
  }
} finally {
  await rm(directory, { recursive: true });
}

/** @returns the path of the tarball that `npm publish` would upload */
async function pack(name: string): Promise<string> {
  const args = ['pack', fromRoot('packages', name), '--json', '--pack-destination', directory];
  const { exitCode, output } = await runCommand('npm', args, { output: 'collect' });
  const [, file] = /"filename": "([^"]+)"/.exec(output) ?? [];
  if (exitCode !== 0 || file === undefined) throw new Error(`npm pack ${name} failed\n${output}`);
  return join(directory, file);
}

async function check(title: string, script: string, args: readonly string[]): Promise<void> {
  const { exitCode, output } = await runScript(script, args, { output: 'collect' });
  console.log(exitCode === 0 ? `${title}: ok` : `${title}: failed\n${output}`);
  if (exitCode !== 0) process.exitCode = 1;
}
