/** `npm run test:mutations`: removes one protection after the other in a copy of the repository. The test of the protection
 *  must pass before and fail after. `npm run test:mutations -- <pattern>` runs those whose name contains the pattern. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'node:test';
import { mutations } from '../test/security/mutations.ts';
import { createWorkingCopy } from './lib/working-copy.ts';

type Mutation = (typeof mutations)[number];

const pattern = process.argv[2] ?? '';
const chosen = mutations.filter(({ name }) => name.includes(pattern));

await using copy = await createWorkingCopy();
const greenAtFirst = new Map<string, ReadonlySet<string>>();
let survivors = 0;

for (const mutation of chosen) {
  const fault = await faultOf(mutation);
  if (fault) survivors += 1;
  console.log(`${fault ? '✖' : '✔'} ${mutation.name}${fault ? `: ${fault}` : ''}`);
}
console.log(`\n${chosen.length - survivors} caught, ${survivors} not caught`);
if (survivors > 0 || chosen.length === 0) process.exitCode = 1;

/** The fault of the mutation or its test; `undefined` if the test catches the mutation. */
async function faultOf({ file, find, replace, test }: Mutation): Promise<string | undefined> {
  if (!(await greenTests(test.file)).has(test.name)) return `"${test.name}" does not pass as it is`;

  const path = join(copy.root, file);
  const source = await readFile(path, 'utf8');
  if (source.split(find).length !== 2) return `${file} does not hold the text to replace exactly once`;

  await writeFile(path, source.replace(find, () => replace));
  try {
    const { failed } = await outcomes(test.file);
    return failed.has(test.name) ? undefined : `"${test.name}" does not turn red`;
  } finally {
    await writeFile(path, source);
  }
}

async function greenTests(file: string): Promise<ReadonlySet<string>> {
  const known = greenAtFirst.get(file) ?? (await outcomes(file)).passed;
  greenAtFirst.set(file, known);
  return known;
}

async function outcomes(file: string): Promise<{ passed: Set<string>; failed: Set<string> }> {
  const passed = new Set<string>();
  const failed = new Set<string>();
  const events = run({
    files: [join(copy.root, file)], cwd: copy.root, execArgv: ['--conditions=@vestibule/source'], timeout: 120_000,
  });
  for await (const { type, data } of events) {
    if (type === 'test:pass') passed.add(data.name);
    if (type === 'test:fail') failed.add(data.name);
  }
  return { passed, failed };
}
