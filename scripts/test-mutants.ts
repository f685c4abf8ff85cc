/**
 * `npm run test:mutants`: mutation testing of the BFF with StrykerJS, one folder after the other, by the unit tests of the
 * folder and those of `test/bff` that `stryker.config.mjs` names.
 * `npm run test:mutants -- signing posts/idempotency` mutates a folder and a file. Prints the share of killed mutants of each;
 * the survivors are in `.artifacts/mutants/<name>.txt`. Fails if one misses its goal. `test/equivalent-mutants.md` lists the
 * survivors that change no behaviour.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactsDirectory, toolScript } from './lib/paths.ts';
import { runCommand } from './lib/run-command.ts';
import { createWorkingCopy } from './lib/working-copy.ts';

/** Per cent of the mutants that the tests must kill. */
const GOALS = { signing: 97, sync: 97, session: 97, posts: 97, store: 97, service: 93, http: 93 } as const;

type Folder = keyof typeof GOALS;

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GOALS);
const directory = join(artifactsDirectory, 'mutants');
await mkdir(directory, { recursive: true });

for (const name of names) {
  const [folder, file = '*'] = name.split('/') as [Folder, string?];
  await using copy = await createWorkingCopy();
  const { output } = await runCommand(process.execPath, [toolScript('@stryker-mutator/core/bin/stryker.js'), 'run'], {
    cwd: copy.root,
    // Each mutant starts the tests again, with the same modules.
    env: { MUTATED_FOLDER: folder, MUTATED_FILE: file, NODE_COMPILE_CACHE: join(copy.root, 'compile-cache') },
    output: 'collect',
  });
  await writeFile(join(directory, `${name.replace('/', '-')}.txt`), output);
  const { killed, all } = countMutants(JSON.parse(await readFile(join(copy.root, 'mutants.json'), 'utf8')) as Report);
  const share = killed / all * 100;
  const isReached = share >= GOALS[folder];
  console.log(`${isReached ? '✔' : '✖'} ${name}: ${killed} of ${all} killed, ${share.toFixed(1)} %; goal ${GOALS[folder]} %`);
  if (!isReached) process.exitCode = 1;
}

function countMutants({ files }: Report): { readonly killed: number; readonly all: number } {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const isCounted = (status: string): boolean => !['Ignored', 'CompileError', 'RuntimeError'].includes(status);
  return {
    killed: statuses.filter((status) => status === 'Killed' || status === 'Timeout').length,
    all: statuses.filter(isCounted).length,
  };
}
