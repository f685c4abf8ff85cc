/** What the service client tells of its work, for the log and the metrics. No method throws. */

import type { ProblemType } from '@vestibule/shared';
import type { BreakerState } from './gate.ts';
import type { ServiceOperation } from './operation.ts';

/** `not-made`: turned away before anything was sent, by the cap or by the open breaker; else `ok` or the problem. */
export type CallOutcome = 'ok' | 'not-made' | ProblemType;

export interface ServiceObserver {
  /** A call ended; its time includes what it waited. */
  callEnded(operation: ServiceOperation, outcome: CallOutcome, seconds: number): void;
  breakerChanged(operation: ServiceOperation, state: BreakerState): void;
  /** Nonces are from now on made by a clock that is so much ahead of this machine's. */
  clockCorrected(correctionMs: number): void;
}

export const unobserved: ServiceObserver = {
  callEnded: () => undefined,
  breakerChanged: () => undefined,
  clockCorrected: () => undefined,
};
