/** How long something took, by labels: observations by the buckets that they fall into, their number and their sum. */

import type { CounterWish } from './counter.ts';
import { Series, type Sample } from './series.ts';

export interface HistogramWish extends CounterWish {
  /** Upper bounds, ascending, in the unit of what is observed; what is above the last is counted too. */
  readonly buckets: readonly number[];
}

export class Histogram {
  readonly #series: Series<Distribution>;

  constructor({ buckets, ...wish }: HistogramWish) {
    this.#series = new Series({
      ...wish,
      type: 'histogram',
      begin: () => new Distribution(buckets),
      samples: (labels, distribution) => distribution.samples(wish.name, labels),
    });
  }

  /** Where to observe what has these labels, in the order of their names. */
  of(...values: readonly string[]): Distribution {
    return this.#series.of(...values);
  }
}

export class Distribution {
  readonly #bounds: readonly number[];
  /** By bucket, the last one for what is above every bound. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  /** Each bucket counts what fell into those before it too. */
  samples(name: string, labels: Sample['labels']): readonly Sample[] {
    let count = 0;
    const buckets = this.#counts.map((inBucket, i) => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { le: this.#bounds[i] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
