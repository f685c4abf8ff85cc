/** What a benchmark reports. A module of this folder exports functions whose names begin with `bench`; each returns rows. */

export interface BenchRow {
  /** What was measured, in a few words. */
  readonly name: string;
  /** The median of the rounds. */
  readonly value: number;
  /** Of `value`: `ops/s`, `bytes`, `ms`. */
  readonly unit: string;
  /** Median of `value` to the baseline's value in the same round. */
  readonly ratio?: number;
  /** What `ratio` is the ratio to. */
  readonly baseline?: string;
  /** Bounds that are to be kept, of `ratio` where there is one and of `value` where there is none. */
  readonly goal?: { readonly atLeast?: number; readonly atMost?: number };
  /** Least and greatest round, of what `goal` is about. */
  readonly spread?: readonly [least: number, greatest: number];
}

export interface BenchOptions {
  /** Whether it may take minutes and gigabytes. Default: it may. */
  readonly full?: boolean;
}

/** A benchmark: it warms up, runs its rounds, and leaves nothing running. */
export type Bench = (wish?: BenchOptions) => readonly BenchRow[] | Promise<readonly BenchRow[]>;

/** What a run leaves behind. */
export interface BenchReport {
  /** ISO 8601. */
  readonly at: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  readonly rows: readonly BenchRow[];
}
