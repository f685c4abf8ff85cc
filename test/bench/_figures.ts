/** The figures of `docs/benchmarks.md`: rows of a kept run, as Markdown between two marks. */

import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BenchReport, BenchRow } from './_row.ts';
import { figure } from './_table.ts';

const root = resolve(import.meta.dirname, '../..');

export const keptReport = resolve(root, 'docs/bench.json');

const document = resolve(root, 'docs/benchmarks.md');

const BEGIN = '<!-- figures: npm run bench -- --publish -->';
const END = '<!-- end of figures -->';

interface Shown {
  readonly row: string;
  /** Where the name has several rows. */
  readonly baseline?: string;
  /** Name in the document. */
  readonly words: string;
  /** Name of the baseline in the document. Default: the row's. */
  readonly to?: string;
}

const amongThousand = 'the same among 1,000';

const SHOWN: readonly Shown[] = [
  { row: 'widget: before a reader can type, brotli 11', words: 'the widget until a reader can type, brotli' },
  { row: 'page: until a reader can type', words: 'until a reader can type, slow 4G and a slow processor', to: 'the article’s largest paint without the widget' },
  { row: 'page: largest paint', words: 'the article’s largest paint with the widget', to: 'without' },
  { row: 'page: layout shift', words: 'layout shift' },
  { row: 'page: the longest task of the widget’s', words: 'the longest task of the widget’s on the main thread' },
  { row: 'signing: ours', baseline: 'createHash + createHmac', words: 'signing a request' },
  { row: 'signing: ours', baseline: 'signing: hawk', words: 'signing a request', to: 'hawk' },
  { row: 'POST /posts: ours, SQLite', words: '`POST /posts`, durable in SQLite' },
  { row: 'POST /posts: ours, Redis', words: '`POST /posts`, Redis' },
  { row: 'GET /session: ours, SQLite', words: '`GET /session`, SQLite' },
  { row: 'GET /session: ours, Redis', words: '`GET /session`, Redis' },
  { row: 'POST /sync + /sync/validation: ours, SQLite', words: '`POST /sync` and `/sync/validation`, SQLite' },
  { row: 'GET /session by sessions in the store: 1,000,000', words: '`GET /session` among 1,000,000 sessions, SQLite', to: amongThousand },
  { row: 'store: sqlite, session found, 1,000,000 sessions', words: 'a session found among 1,000,000, SQLite', to: amongThousand },
  { row: 'store: redis, session found, 1,000,000 sessions', words: 'a session found among 1,000,000, Redis', to: amongThousand },
  { row: 'store: memory, session found, 1,000,000 sessions', words: 'a session found among 1,000,000, a `Map`', to: amongThousand },
  { row: 'start to ready: ours, SQLite', words: 'start to ready' },
  { row: 'memory at rest: ours, SQLite', words: 'memory at rest' },
];

export function renderFigures({ rows, node, cores, processor, at }: BenchReport): string {
  const lines = SHOWN.flatMap((shown) => {
    const row = rowOf(rows, shown);
    return row ? [lineOf(row, shown)] : [];
  });
  return [
    '| measured | | ratio, median and spread | to |', '| --- | ---: | ---: | --- |', ...lines, '',
    `Node.js ${node}, ${cores} cores of ${processor}, ${at.slice(0, 10)}. Every row: [bench.json](bench.json).`,
  ].join('\n');
}

/** Keeps the report and writes its figures into the document. Rejects if a row is missing. */
export async function publishFigures(report: BenchReport): Promise<void> {
  const missing = SHOWN.filter((shown) => !rowOf(report.rows, shown)).map(({ row }) => row);
  if (missing.length > 0) throw new Error(`not published, these rows are missing: ${missing.join(', ')}`);
  const text = await readFile(document, 'utf8');
  const [from, to] = placeOf(text);
  const published = `${text.slice(0, from)}\n${renderFigures(report)}\n${text.slice(to)}`;
  await writeFile(keptReport, `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(document, published);
}

/** The text between the marks of the document. */
export function publishedFigures(text: string): string {
  return text.slice(...placeOf(text)).trim();
}

function placeOf(text: string): [from: number, to: number] {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the document has no place for figures');
  return [from + BEGIN.length, to];
}

function rowOf(rows: readonly BenchRow[], shown: Shown): BenchRow | undefined {
  return rows.find(({ name, baseline }) => name === shown.row && baseline === (shown.baseline ?? baseline));
}

function lineOf({ value, unit, ratio, spread, baseline = '' }: BenchRow, { words, to = baseline }: Shown): string {
  const compared = ratio === undefined || spread === undefined ? '' : `**${figure(ratio)}** (${figure(spread[0])} to ${figure(spread[1])})`;
  return `| ${words} | ${figure(value)} ${unit} | ${compared} | ${to} |`;
}
