/** `npm run test:mutations`: removes one protection after the other in a copy of the repository. The test of the protection
 *  must pass before and fail after. `npm run test:mutations -- <pattern>` runs those whose name contains the pattern. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'node:test';
import { mutations } from '../test/security/mutations/index.ts';
import { createWorkingCopy } from './lib/working-copy.ts';

type Mutation = (typeof mutations)[number];

interface Outcomes {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

const TEST_TIMEOUT_MS = 60_000;

const pattern = process.argv[2] ?? '';
const chosen = mutations.filter(({ name }) => name.includes(pattern));

await using copy = await createWorkingCopy();
/** Whether a test passes without a mutation. */
const baselines = new Map<string, Promise<Outcomes>>();
const beganAt = performance.now();
let survivors = 0;

for (const mutation of chosen) {
  const fault = await faultOf(mutation);
  if (fault) survivors += 1;
  console.log(`${fault ? '✖' : '✔'} ${mutation.name}${fault ? `: ${fault}` : ''}`);
}
const seconds = Math.round((performance.now() - beganAt) / 1_000);
console.log(`\n${chosen.length - survivors} caught, ${survivors} not caught, in ${seconds} s`);
if (survivors > 0 || chosen.length === 0) process.exitCode = 1;

/** The fault of the mutation or its test; `undefined` if the test catches the mutation. */
async function faultOf({ file, find, replace, test }: Mutation): Promise<string | undefined> {
  const { passed } = await baselineOf(test);
  if (!passed.has(test.name)) return `"${test.name}" does not pass as it is`;

  const path = join(copy.root, file);
  const source = await readFile(path, 'utf8');
  if (source.split(find).length !== 2) return `${file} does not hold the text to replace exactly once`;

  await writeFile(path, source.replace(find, () => replace));
  try {
    const { failed } = await outcomesOf(test);
    return failed.has(test.name) ? undefined : `"${test.name}" does not turn red`;
  } finally {
    await writeFile(path, source);
  }
}

function baselineOf(test: Mutation['test']): Promise<Outcomes> {
  const key = `${test.file} ${test.name}`;
  const outcomes = baselines.get(key) ?? outcomesOf(test);
  baselines.set(key, outcomes);
  return outcomes;
}

/** Runs the test, and no other of its file. */
async function outcomesOf({ file, name }: Mutation['test']): Promise<Outcomes> {
  const passed = new Set<string>();
  const failed = new Set<string>();
  const events = run({
    files: [join(copy.root, file)],
    cwd: copy.root,
    execArgv: ['--conditions=@vestibule/source'],
    testNamePatterns: [new RegExp(`${RegExp.escape(name)}$`)],
    timeout: TEST_TIMEOUT_MS,
    forceExit: true,
  });
  for await (const { type, data } of events) {
    if (type === 'test:pass') passed.add(data.name);
    if (type === 'test:fail') failed.add(data.name);
  }
  return { passed, failed };
}
