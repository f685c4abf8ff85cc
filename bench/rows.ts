/** Rows of figures, and the table that shows them. */

export interface Row {
  /** What is measured, in a few words. */
  readonly name: string;
  /** Median of the rounds. */
  readonly value: number;
  /** Of `value`, such as `ops/s`, `bytes`, `ms`. */
  readonly unit: string;
  /** Ratios of each round to the baseline's value of the same round. */
  readonly ratios?: readonly number[];
  readonly baseline?: string;
}

export interface BenchOptions {
  /** Fewer and shorter rounds. */
  readonly quick: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1);
  return sorted.length % 2 === 1 ? low : (low + high) / 2;
}

/** @param base of the same rounds */
export function rowOf(name: string, unit: string, values: readonly number[], baseline?: string, base?: readonly number[]): Row {
  return {
    name, unit, value: median(values),
    ...(baseline !== undefined && { baseline, ratios: values.map((value, round) => value / (base?.[round] ?? Number.NaN)) }),
  };
}

/** A Markdown table, aligned for a terminal. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [['measured', 'value', 'ratio', 'to', 'spread'], ...rows.map(({ name, value, unit, ratios, baseline = '' }) => [
    name, `${figure(value)} ${unit}`, ratios ? figure(median(ratios)) : '', baseline,
    ratios ? `${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}` : '',
  ])];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => (i % 3 === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(line)].join('\n');
}

/** Three significant digits below a hundred, whole numbers with separators from there on. */
function figure(value: number): string {
  return Math.abs(value) < 100 ? String(Number(value.toPrecision(3))) : Math.round(value).toLocaleString('en-US');
}
