/**
 * `npm run bench`: every benchmark of this folder, one table, and `.artifacts/bench.json`. A benchmark that fails fails the
 * run; a missed goal is marked and does not, because the machine may be busy.
 *
 * - `npm run bench -- <pattern>`: those whose file or function name contains the pattern
 * - `--quick`: shorter rounds, and without a million sessions
 * - `--publish`: five separate runs, kept in `docs/bench.json` and shown in `docs/benchmarks.md`
 */

import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { MIN_RUNS, publishFigures } from './_figures.ts';
import type { Bench, BenchReport, BenchRow } from './_row.ts';
import { meetsGoal, renderTable } from './_table.ts';

interface NamedBench {
  readonly name: string;
  readonly run: Bench;
}

const { values: { quick, publish }, positionals: [pattern = ''] } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, publish: { type: 'boolean', default: false } },
});
const file = resolve(import.meta.dirname, '../../.artifacts/bench.json');

if (publish) await publishRuns();
else await run();

/** Runs this module again in processes of their own. */
async function publishRuns(): Promise<void> {
  const runs: BenchReport[] = [];
  while (runs.length < MIN_RUNS) {
    const args = process.argv.slice(2).filter((argument) => argument !== '--publish');
    execFileSync(process.execPath, [...process.execArgv, import.meta.filename, ...args], { stdio: 'inherit' });
    runs.push(JSON.parse(await readFile(file, 'utf8')) as BenchReport);
  }
  await publishFigures(runs);
}

async function run(): Promise<void> {
  const rows: BenchRow[] = [];
  for (const { name, run } of await findBenches()) {
    const startedAt = performance.now();
    try {
      rows.push(...await run({ full: !quick }));
      console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    } catch (error) {
      console.error(`${name} failed:`, error);
      process.exitCode = 1;
    }
  }
  if (rows.length === 0) process.exitCode = 1;

  const processors = cpus();
  const report: BenchReport = {
    at: new Date().toISOString(), node: process.versions.node, processor: processors[0]?.model ?? 'unknown', cores: processors.length, rows,
  };
  console.log(`Node.js ${report.node}, ${report.cores} cores: ${report.processor}\n`);
  console.log(renderTable(rows));
  const judged = rows.map(meetsGoal);
  console.log(`\n${judged.filter((kept) => kept === true).length} goals kept, ${judged.filter((kept) => kept === false).length} missed`);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
}

async function findBenches(): Promise<NamedBench[]> {
  const found: NamedBench[] = [];
  for await (const file of glob('*.ts', { cwd: import.meta.dirname })) {
    if (file.startsWith('_') || file.endsWith('.test.ts') || file === basename(import.meta.filename)) continue;
    const exported = await import(`./${file}`) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      const title = `${file}: ${name}`;
      if (name.startsWith('bench') && typeof value === 'function' && title.includes(pattern)) {
        found.push({ name: title, run: value as Bench });
      }
    }
  }
  return found.sort((one, other) => one.name.localeCompare(other.name));
}
