/** Posts by what became of them. Those that were refused before they were looked at stand among the requests alone. */

import type { ProblemType } from '@vestibule/shared';
import { Counter, type Registry } from 'prom-client';

/** `replayed`: the answer to a key that was answered before. */
export type PostOutcome = 'created' | 'replayed' | ProblemType;

export class PostMetrics {
  readonly #total: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'vestibule_posts_total',
      help: 'Posts by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  count(outcome: PostOutcome): void {
    this.#total.inc({ outcome });
  }
}
