/** Counts how operations of one kind end: with an outcome of their own, or with a problem. */

import { problemTypes, type ProblemType } from '@vestibule/shared';
import { Counter, type Registry } from 'prom-client';
import { toProblemError } from '../http/problem-response.ts';

export interface OutcomeCounterOptions<O extends string> {
  readonly name: string;
  readonly help: string;
  /** Outcomes other than problems. */
  readonly outcomes: readonly O[];
  readonly registry: Registry;
}

export class OutcomeCounter<O extends string> {
  readonly #total: Counter<'outcome'>;

  constructor({ name, help, outcomes, registry }: OutcomeCounterOptions<O>) {
    this.#total = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    for (const outcome of [...outcomes, ...Object.keys(problemTypes)]) this.#total.inc({ outcome }, 0);
  }

  count(outcome: O | ProblemType): void {
    this.#total.inc({ outcome });
  }

  /** Runs `operation` and counts its result, or the problem that its error maps to. */
  async track<T>(operation: () => Promise<T>, outcomeOf: (result: T) => O): Promise<T> {
    try {
      const result = await operation();
      this.count(outcomeOf(result));
      return result;
    } catch (error) {
      this.count(toProblemError(error).type);
      throw error;
    }
  }
}
