/** The series of a metric, one for each combination of label values, found by one look. prom-client makes a text of the
 *  labels and looks a histogram's buckets up by name for each observation: a request has ten of them, which took as long
 *  as its answer. Its registry reads these like its own. */

import type { Metric, Registry } from 'prom-client';

/** A line of the text format. */
export interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface SeriesWish<T> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram';
  readonly labelNames: readonly string[];
  readonly registry: Registry;
  /** What a new series begins with. */
  readonly begin: () => T;
  readonly samples: (labels: Sample['labels'], tally: T) => readonly Sample[];
}

export class Series<T> {
  readonly #wish: SeriesWish<T>;
  readonly #root = new Branch<T>();
  readonly #tallies: { readonly labels: Sample['labels']; readonly tally: T }[] = [];

  constructor(wish: SeriesWish<T>) {
    this.#wish = wish;
    const { name, help, type, registry } = wish;
    const get = async () => ({ name, help, type, aggregator: 'sum', values: this.#samples() });
    registry.registerMetric({ name, get } as unknown as Metric);
  }

  /** What is counted for these values, in the order of the labels' names. */
  of(...values: readonly string[]): T {
    let branch = this.#root;
    for (const value of values) branch = branch.to(value);
    return branch.tally ??= this.#begin(values);
  }

  #begin(values: readonly string[]): T {
    const labels = Object.fromEntries(this.#wish.labelNames.map((name, i) => [name, values[i] as string]));
    const tally = this.#wish.begin();
    this.#tallies.push({ labels, tally });
    return tally;
  }

  #samples(): readonly Sample[] {
    return this.#tallies.flatMap(({ labels, tally }) => this.#wish.samples(labels, tally));
  }
}

/** A tree of label values: a look for each costs less than a text made of them. */
class Branch<T> {
  tally: T | undefined = undefined;
  readonly #branches = new Map<string, Branch<T>>();

  to(value: string): Branch<T> {
    const known = this.#branches.get(value);
    if (known) return known;
    const branch = new Branch<T>();
    this.#branches.set(value, branch);
    return branch;
  }
}
