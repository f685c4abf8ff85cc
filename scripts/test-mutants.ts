/**
 * `npm run test:mutants`: mutation testing with StrykerJS, one area after the other. StrykerJS changes one expression of the code
 * at a time; a test must fail. `npm run test:mutants -- posts signing/sign-request` tests an area and a file.
 * Writes the figures of each file to `test/mutants.md`, and the survivors to `.artifacts/mutants/<name>.txt`.
 * `test/equivalent-mutants.ts` lists the mutants that change no behaviour; they do not count.
 * Fails if an area misses its goal, or if an entry of that list matches no survivor.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { equivalentMutants, type EquivalentMutant } from '../test/equivalent-mutants.ts';
import { mutantAreas, type MutantArea } from './lib/mutant-areas.ts';
import { shareOf, sumOf, writeMutantFigures, type MutantFigures } from './lib/mutant-figures.ts';
import { artifactsDirectory, toolScript } from './lib/paths.ts';
import { runCommand } from './lib/run-command.ts';
import { createWorkingCopy } from './lib/working-copy.ts';

interface Mutant {
  readonly location: Readonly<Record<'start' | 'end', Position>>;
  readonly replacement: string;
  readonly status: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Result {
  readonly files: Record<string, MutantFigures>;
  /** Entries for these files that no survivor matches. */
  readonly stale: readonly EquivalentMutant[];
}

const directory = join(artifactsDirectory, 'mutants');
await mkdir(directory, { recursive: true });

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(mutantAreas)) {
  const [areaName = '', ...path] = name.split('/');
  const area = mutantAreas[areaName];
  if (!area) throw new Error(`There is no area "${areaName}"; choose from ${Object.keys(mutantAreas).join(', ')}.`);
  const { files, stale } = await testMutants(name, area, path.join('/'));
  await writeMutantFigures(areaName, files);
  const figures = sumOf(Object.values(files));
  const isReached = shareOf(figures) >= area.goal;
  console.log(
    `${isReached ? '✔' : '✖'} ${name}: ${figures.killed} of ${figures.mutants} mutants killed, ${figures.equivalent} equivalent: `
    + `${shareOf(figures).toFixed(1)} %, goal ${area.goal} %; ${Math.round(figures.seconds)} s`,
  );
  for (const { file, code } of stale) console.log(`✖ listed as equivalent, but killed or gone: ${file}: ${code}`);
  if (!isReached || stale.length > 0) process.exitCode = 1;
}

async function testMutants(name: string, area: MutantArea, file: string): Promise<Result> {
  const startedAt = performance.now();
  await using copy = await createWorkingCopy();
  await runCommand(process.execPath, [toolScript('@stryker-mutator/core/bin/stryker.js'), 'run'], {
    cwd: copy.root,
    env: {
      NODE_OPTIONS: '--conditions=@vestibule/source',
      MUTANT_RUNNER: area.runner,
      MUTATED_FILES: [...file ? [`${area.folder}/${file}.ts`] : area.files, '!**/*.test.ts', '!**/_*.ts'].join(' '),
      MUTANT_TESTS: area.tests.join(' '),
      // Each mutant starts the tests again, with the same modules.
      NODE_COMPILE_CACHE: join(copy.root, 'compile-cache'),
    },
  });
  const report = await readFile(join(copy.root, 'mutants.json'), 'utf8');
  const files: Record<string, MutantFigures> = {};
  const survivors: string[] = [];
  const matched = new Set<EquivalentMutant>();
  for (const [path, { source, mutants }] of Object.entries((JSON.parse(report) as Report).files)) {
    const figures = { mutants: 0, killed: 0, timeouts: 0, equivalent: 0, seconds: 0 };
    for (const mutant of mutants) {
      const { status } = mutant;
      if (['Ignored', 'CompileError', 'RuntimeError'].includes(status)) continue;
      figures.mutants += 1;
      if (status === 'Timeout') figures.timeouts += 1;
      if (status === 'Killed' || status === 'Timeout') { figures.killed += 1; continue; }
      const [before, after] = lines(source, mutant);
      const entry = equivalentMutants.find((one) => isOf(path, one) && one.code === before && one.mutant === after);
      if (entry) {
        figures.equivalent += 1;
        matched.add(entry);
      } else survivors.push(`${path}:${mutant.location.start.line} ${status}\n- ${before}\n+ ${after}\n`);
    }
    files[path] = figures;
  }
  await writeFile(join(directory, `${name.replaceAll(/[^\w-]+/g, '-')}.txt`), survivors.join('\n'));
  const seconds = (performance.now() - startedAt) / 1000;
  const secondsEach = seconds / sumOf(Object.values(files)).mutants;
  return {
    files: Object.fromEntries(Object.entries(files).map(([path, figures]) => (
      [path, { ...figures, seconds: Math.round(secondsEach * figures.mutants) }]
    ))),
    stale: equivalentMutants.filter((entry) => !matched.has(entry) && Object.keys(files).some((path) => isOf(path, entry))),
  };
}

function isOf(path: string, { file }: EquivalentMutant): boolean {
  return path.endsWith(`/${file}`);
}

/** The lines of the change, before and after it, with single spaces. */
function lines(source: string, { location: { start, end }, replacement }: Mutant): [before: string, after: string] {
  const all = source.split('\n');
  const head = all[start.line - 1]?.slice(0, start.column - 1) ?? '';
  const changed = all.slice(start.line - 1, end.line).join('\n').slice(head.length);
  const tail = all[end.line - 1]?.slice(end.column - 1) ?? '';
  return [head + changed, head + replacement + tail].map((text) => text.replaceAll(/\s+/g, ' ').trim()) as [string, string];
}
