/** `npm run bench`: every benchmark of this folder one after the other, one table, and `.artifacts/bench.json`.
 *  `npm run bench -- <pattern>` runs those whose file or function name contains the pattern; `--quick` leaves out what takes
 *  minutes; `--publish` keeps the figures in `docs/bench.json` and writes them into `docs/benchmarks.md`. A benchmark that fails
 *  fails the run, at its end. A goal that is missed is marked and does not: a busy machine is no fault. */

import { glob, mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishFigures } from './_figures.ts';
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
if (publish) await publishFigures(report);

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
