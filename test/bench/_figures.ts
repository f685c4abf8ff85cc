/** The figures that the README shows: rows of a run that was kept, as Markdown between two marks. */

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BenchReport, BenchRow } from './_row.ts';
import { figure } from './_table.ts';

const root = resolve(import.meta.dirname, '../..');

export const keptReport = resolve(root, 'docs/bench.json');

const readme = resolve(root, 'README.md');

const BEGIN = '<!-- figures: npm run bench -- --publish -->';
const END = '<!-- end of figures -->';

/** Names of rows, in the order of the README, and what the README calls them. Where a name has several rows the one with
 *  the baseline is meant. */
const SHOWN: readonly (readonly [name: string, words: string, baseline?: string])[] = [
  ['widget: before a reader can type, brotli 11', 'the widget until a reader can type, brotli'],
  ['signing: ours', 'signing a request', 'createHash + createHmac'],
  ['signing: ours', 'signing a request', 'signing: hawk'],
  ['POST /posts: ours, SQLite', '`POST /posts`, durable in SQLite'],
  ['POST /posts: ours, Redis', '`POST /posts`, Redis'],
  ['GET /session: ours, SQLite', '`GET /session`, SQLite'],
  ['GET /session: ours, Redis', '`GET /session`, Redis'],
  ['POST /sync + /sync/validation: ours, SQLite', '`POST /sync` and `/sync/validation`, SQLite'],
  ['GET /session by sessions in the store: 1,000,000', '`GET /session` with 1,000,000 sessions in SQLite'],
  ['store: sqlite, session found, 1,000,000 sessions', 'a session found among 1,000,000, SQLite'],
  ['store: redis, session found, 1,000,000 sessions', 'a session found among 1,000,000, Redis'],
  ['start to ready: ours, SQLite', 'start to ready'],
  ['memory at rest: ours, SQLite', 'memory at rest'],
];

export function renderFigures({ rows, node, cores, processor, at }: BenchReport): string {
  const lines = SHOWN.map(([name, words, baseline]) => {
    const row = rows.find((one) => one.name === name && (baseline === undefined || one.baseline === baseline));
    if (!row) throw new Error(`the run has no row "${name}"`);
    return lineOf(row, words);
  });
  return [
    '| measured | | ratio, median and spread | to |', '| --- | ---: | ---: | --- |', ...lines, '',
    `Node.js ${node}, ${cores} cores of ${processor}, ${at.slice(0, 10)}. Every row: [docs/bench.json](docs/bench.json).`,
  ].join('\n');
}

/** Keeps the report and writes its figures into the README. */
export async function publishFigures(report: BenchReport): Promise<void> {
  const text = await readFile(readme, 'utf8');
  const [from, to] = placeOf(text);
  const published = `${text.slice(0, from)}\n${renderFigures(report)}\n${text.slice(to)}`;
  await writeFile(keptReport, `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(readme, published);
}

/** What stands between the marks of a README. */
export function publishedFigures(text: string): string {
  return text.slice(...placeOf(text)).trim();
}

function placeOf(text: string): [from: number, to: number] {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the README has no place for figures');
  return [from + BEGIN.length, to];
}

function lineOf({ value, unit, ratio, spread, baseline }: BenchRow, words: string): string {
  const compared = ratio === undefined || spread === undefined ? '' : `**${figure(ratio)}** (${figure(spread[0])} to ${figure(spread[1])})`;
  return `| ${words} | ${figure(value)} ${unit} | ${compared} | ${baseline ?? ''} |`;
}
