/** What the service client tells goes to the metrics, and what an operator must know of it to the log, once a change. */

import type { Logger } from 'pino';
import type { ServiceOperation } from './operation.ts';
import type { ServiceObserver } from './service-observer.ts';

export function observeService(log: Logger, metrics: ServiceObserver): ServiceObserver {
  /** Kinds of calls that are not answered. */
  const out = new Set<ServiceOperation>();
  return {
    callEnded: (operation, outcome, seconds) => { metrics.callEnded(operation, outcome, seconds); },
    breakerChanged(operation, state) {
      metrics.breakerChanged(operation, state);
      if (state === 'open' && !out.has(operation)) {
        out.add(operation);
        log.warn({ operation }, 'the service does not answer: calls of this kind are refused at once until it does');
      }
      if (state === 'closed' && out.delete(operation)) log.info({ operation }, 'the service answers again');
    },
    clockCorrected(correctionMs) {
      metrics.clockCorrected(correctionMs);
      log.warn({ correction_seconds: correctionMs / 1000 }, 'the service\'s clock differs from this machine\'s: nonces are made by the service\'s');
    },
  };
}
