/** Syncs by how far they came: begun, ended without a code, ended with one, or the problem that a step ended in. */

import type { ProblemType, SyncOutcome } from '@vestibule/shared';
import type { Registry } from 'prom-client';
import { toProblemError } from '../http/problem-response.ts';
import { Counter } from './counter.ts';

export type SyncStep = 'begun' | 'declined' | 'already-granted' | SyncOutcome['outcome'] | ProblemType;

export class SyncMetrics {
  readonly #total: Counter;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'vestibule_syncs_total',
      help: 'Steps of syncs by outcome.',
      labelNames: ['outcome'],
      registry,
    });
  }

  count(outcome: SyncStep): void {
    this.#total.count(outcome);
  }

  /** Takes a step and counts what came of it. */
  async step<T>(take: () => Promise<T>, outcomeOf: (result: T) => SyncStep): Promise<T> {
    try {
      const result = await take();
      this.count(outcomeOf(result));
      return result;
    } catch (error) {
      this.count(toProblemError(error).type);
      throw error;
    }
  }
}
