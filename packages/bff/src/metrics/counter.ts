/** How often something happened, by labels. */

import { Series, type SeriesWish } from './series.ts';

export type CounterWish = Pick<SeriesWish<unknown>, 'name' | 'help' | 'labelNames' | 'registry'>;

export class Counter {
  readonly #series: Series<{ count: number }>;

  constructor(wish: CounterWish) {
    this.#series = new Series({
      ...wish,
      type: 'counter',
      begin: () => ({ count: 0 }),
      samples: (labels, { count }) => [{ labels, value: count }],
    });
  }

  /** @param values of the labels, in the order of their names */
  count(...values: readonly string[]): void {
    this.#series.of(...values).count += 1;
  }
}
