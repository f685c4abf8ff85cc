/** Posts by what became of them. Those that were refused before they were looked at stand among the requests alone. */

import type { ProblemType } from '@vestibule/shared';
import type { Registry } from 'prom-client';
import { Counter } from './counter.ts';

/** `replayed`: the answer to a key that was answered before. */
export type PostOutcome = 'created' | 'replayed' | ProblemType;

export class PostMetrics {
  readonly #total: Counter;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'vestibule_posts_total',
      help: 'Posts by outcome.',
      labelNames: ['outcome'],
      registry,
    });
  }

  count(outcome: PostOutcome): void {
    this.#total.count(outcome);
  }
}
