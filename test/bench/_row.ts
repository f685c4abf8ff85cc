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

/** A benchmark: it warms up, runs its rounds, and leaves nothing running. */
export type Bench = () => readonly BenchRow[] | Promise<readonly BenchRow[]>;
