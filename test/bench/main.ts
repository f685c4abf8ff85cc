/** `npm run bench`: every benchmark of this folder one after the other, one table, and `.artifacts/bench.json`.
 *  `npm run bench -- <pattern>` runs those whose file or function name contains the pattern.
 *  A goal that is missed is marked and does not fail the run: a busy machine is no fault. */

import { glob, mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Bench, BenchRow } from './_row.ts';
import { renderTable } from './_table.ts';

interface NamedBench {
  readonly name: string;
  readonly run: Bench;
}

const pattern = process.argv[2] ?? '';
const report = resolve(import.meta.dirname, '../../.artifacts/bench.json');

const rows: BenchRow[] = [];
for (const { name, run } of await findBenches()) {
  console.error(`${name} …`);
  rows.push(...await run());
}

console.log(`Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model ?? 'unknown'}\n`);
console.log(renderTable(rows));
await mkdir(join(report, '..'), { recursive: true });
await writeFile(report, `${JSON.stringify({ at: new Date().toISOString(), node: process.versions.node, rows }, null, 2)}\n`);
if (rows.length === 0) process.exitCode = 1;

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
