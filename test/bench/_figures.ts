/**
 * Published figures: `docs/bench.json` keeps every row of several separate runs, and `docs/benchmarks.md` shows, between two
 * marks, those of the chosen rows that all runs agree on.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BenchReport, BenchRow } from './_row.ts';
import { figure, meetsGoal } from './_table.ts';

const root = resolve(import.meta.dirname, '../..');

export const publishedReport = resolve(root, 'docs/bench.json');

const document = resolve(root, 'docs/benchmarks.md');

const BEGIN = '<!-- figures: npm run bench -- --publish -->';
const END = '<!-- end of figures -->';

/** Separate runs that a published figure needs. */
export const MIN_RUNS = 5;

/** A figure is shown if all runs lie within this share of the greatest. */
const MAX_VARIATION = 0.15;

/** One row of every run. */
export interface PublishedRow extends Pick<BenchRow, 'name' | 'unit' | 'baseline' | 'goal'> {
  /** In the order of the runs. */
  readonly values: readonly number[];
  /** Ratios to the baseline of the same run, if the row has one. */
  readonly ratios?: readonly number[];
}

export interface PublishedReport extends Omit<BenchReport, 'rows'> {
  readonly runs: number;
  readonly rows: readonly PublishedRow[];
}

/** Joins the rows that every run has. @throws {Error} for too few runs */
export function joinRuns(runs: readonly BenchReport[]): PublishedReport {
  const last = runs.at(-1);
  if (!last || runs.length < MIN_RUNS) throw new Error(`Publishing needs ${MIN_RUNS} runs; there are ${runs.length}.`);
  const rows = last.rows.flatMap(({ name, unit, baseline, goal }) => {
    const found = runs.flatMap((run) => run.rows.filter((row) => row.name === name && row.baseline === baseline));
    if (found.length !== runs.length) return [];
    const ratios = found.flatMap(({ ratio }) => ratio ?? []);
    return [{
      name, unit, values: found.map(({ value }) => value),
      ...(baseline !== undefined && { baseline, ratios }), ...(goal && { goal }),
    }];
  });
  return { ...last, runs: runs.length, rows };
}

/** Whether all runs agree on a row: on its ratio, or on its value if it has none. */
export function isStable({ values, ratios = values }: PublishedRow): boolean {
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  return greatest === least || (greatest - least) / Math.abs(greatest) <= MAX_VARIATION;
}

/** Rows for the document: the ratios and bytes that all runs agree on, and every row that misses its goal. */
export function renderFigures({ rows, runs, node, cores, processor, at }: PublishedReport): string {
  const shown = rows.filter((row) => missesGoal(row) || (isStable(row) && isComparison(row)));
  return [
    '| measured | range of the runs | compared with | goal |', '| --- | ---: | --- | --- |', ...shown.map(lineOf), '',
    `${runs} separate runs on Node.js ${node}, ${cores} cores of ${processor}, ${at.slice(0, 10)}. Every row: [bench.json](bench.json).`,
  ].join('\n');
}

export async function publishFigures(runs: readonly BenchReport[]): Promise<void> {
  const report = joinRuns(runs);
  const text = await readFile(document, 'utf8');
  const [from, to] = placeOf(text);
  await writeFile(publishedReport, `${JSON.stringify(report, null, 1)}\n`);
  await writeFile(document, `${text.slice(0, from)}\n${renderFigures(report)}\n${text.slice(to)}`);
}

/** The text between the marks of the document. */
export function publishedFigures(text: string): string {
  return text.slice(...placeOf(text)).trim();
}

function placeOf(text: string): [from: number, to: number] {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('The document has no place for figures.');
  return [from + BEGIN.length, to];
}

/** Whether a row says something beyond this machine and this build: a size or a ratio to another program. */
function isComparison({ name, unit, ratios, baseline }: PublishedRow): boolean {
  return baseline !== name && baseline !== 'its budget' && (ratios !== undefined || (unit === 'bytes' && !name.includes('assets/')));
}

/** In at least one run. */
function missesGoal({ name, unit, goal, values, ratios = values }: PublishedRow): boolean {
  return ratios.some((ratio) => meetsGoal({ name, unit, value: ratio, ...(goal && { goal }) }) === false);
}

const unitNames: Readonly<Record<string, string>> = { 'req/s': 'requests per second', 'ops/s': 'operations per second' };

function lineOf(row: PublishedRow): string {
  const { name, unit, baseline, values, ratios, goal } = row;
  const [least, greatest] = [Math.min(...ratios ?? values), Math.max(...ratios ?? values)].map(figure);
  const range = `${least === greatest ? least : `${least} to ${greatest}`}${ratios ? '' : ` ${unit}`}`;
  const bounds = goal?.atMost === undefined ? goal?.atLeast === undefined ? '' : `≥ ${figure(goal.atLeast)}` : `≤ ${figure(goal.atMost)}`;
  return `| ${name}${ratios ? ` (${unitNames[unit] ?? unit})` : ''} | ${range} | ${baseline ?? ''} | ${bounds}${missesGoal(row) ? ', **missed**' : ''} |`;
}
