/** Survivors of `npm run test:mutants` that change no behaviour. Every other survivor needs a better test, or its code is
 *  removed. */

export interface EquivalentMutant {
  /** Below `packages/bff/src`. */
  readonly file: string;
  /** The line or lines, with single spaces. */
  readonly code: string;
  /** The same lines with the change. */
  readonly mutant: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [];
