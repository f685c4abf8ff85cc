/** Benchmark rows as a Markdown table, aligned for a terminal. */

import type { BenchRow } from './_row.ts';

const HEADINGS = ['measured', 'value', 'ratio', 'to', 'spread', 'goal', ''];
const LEFT_ALIGNED = new Set([0, 3, 6]);

export function renderTable(rows: readonly BenchRow[]): string {
  const cells = rows.map(cellsOf);
  const widths = HEADINGS.map((heading, column) => Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, column) => pad(cell, column)).join(' | ')} |`;
  return [line(HEADINGS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n');

  function pad(cell: string, column: number): string {
    const width = widths[column] ?? 0;
    return LEFT_ALIGNED.has(column) ? cell.padEnd(width) : cell.padStart(width);
  }
}

/** Whether the row keeps its goal; `undefined` where it has none. */
export function meetsGoal({ ratio, value, goal }: BenchRow): boolean | undefined {
  if (goal === undefined) return undefined;
  const figure = ratio ?? value;
  return figure >= (goal.atLeast ?? -Infinity) && figure <= (goal.atMost ?? Infinity);
}

function cellsOf(row: BenchRow): string[] {
  const kept = meetsGoal(row);
  return [
    row.name,
    `${figure(row.value)} ${row.unit}`,
    row.ratio === undefined ? '' : figure(row.ratio),
    row.baseline ?? '',
    row.spread === undefined ? '' : `${figure(row.spread[0])} to ${figure(row.spread[1])}`,
    goalText(row.goal),
    kept === undefined ? '' : kept ? 'kept' : 'MISSED',
  ];
}

function goalText(goal: BenchRow['goal']): string {
  const parts = [];
  if (goal?.atLeast !== undefined) parts.push(`≥ ${figure(goal.atLeast)}`);
  if (goal?.atMost !== undefined) parts.push(`≤ ${figure(goal.atMost)}`);
  return parts.join(', ');
}

/** Three significant digits below a hundred, whole numbers with separators from there on. */
export function figure(value: number): string {
  return Math.abs(value) < 100 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString('en-US');
}
