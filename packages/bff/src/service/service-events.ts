/** Events of the service client. The composition root passes them on to the metrics and to the log. */

import type { Logger } from 'pino';
import type { ProblemType } from '@vestibule/shared';
import type { BreakerState } from './operation-policy.ts';

/** Kinds of calls to the service. Each has its own operation policy and its own metrics label. */
export const serviceOperations = ['token-exchange', 'create-post', 'request'] as const;

export type ServiceOperation = (typeof serviceOperations)[number];

/** `not-made`: refused before anything was sent, by the bulkhead, the breaker or a `Retry-After`. */
export type CallOutcome = 'ok' | 'not-made' | ProblemType;

export type ServiceEvent =
  /** `seconds` includes the time in the queue. */
  | { readonly type: 'call-ended'; readonly operation: ServiceOperation; readonly outcome: CallOutcome; readonly seconds: number }
  | { readonly type: 'breaker-changed'; readonly operation: ServiceOperation; readonly state: BreakerState }
  /** From now on `correctionMs` is added to this machine's clock in nonces. */
  | { readonly type: 'clock-corrected'; readonly correctionMs: number };

/** Must not throw. */
export type ServiceObserver = (event: ServiceEvent) => void;

/** Logs the beginning and the end of each outage, and each correction of the clock. */
export function logServiceEvents(log: Logger): ServiceObserver {
  const unavailable = new Set<ServiceOperation>();
  return (event) => {
    if (event.type === 'clock-corrected') {
      log.warn({ correction_seconds: event.correctionMs / 1000 },
        'the service\'s clock differs from this machine\'s: nonces now use the service\'s time; check NTP on this machine');
    }
    if (event.type !== 'breaker-changed') return;
    const { operation, state } = event;
    if (state === 'open' && !unavailable.has(operation)) {
      unavailable.add(operation);
      log.warn({ operation }, 'the service does not answer: the circuit breaker refuses calls of this kind; check VESTIBULE_SERVICE_URL');
    }
    if (state === 'closed' && unavailable.delete(operation)) log.info({ operation }, 'the service answers again');
  };
}
