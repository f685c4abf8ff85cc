/** The way of one kind of call to the service: a cap on calls under way, and a circuit breaker that stops asking a service
 *  that does not answer. While it is open, calls end at once; one a time is a probe, and where that is answered the
 *  breaker closes. A probe knocks first, with a request that changes nothing, so that a service which is still away
 *  leaves no reader in doubt about a post. */

import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen, type CircuitBreakerPolicy } from 'cockatiel';
import { withDeadline } from '../lib/with-deadline.ts';
import { Bulkhead, type BulkheadSettings } from './bulkhead.ts';
import { NotAdmittedError } from './not-admitted-error.ts';
import { NoAnswerError } from './service-http.ts';

export const breakerStates = ['closed', 'open', 'half-open'] as const;

export type BreakerState = (typeof breakerStates)[number];

export interface GateSettings extends BulkheadSettings {
  /** Failures in a row that open the breaker. */
  readonly failures: number;
  /** From its opening to the next probe. */
  readonly openMs: number;
  /** For a probe, its knock included. */
  readonly probeTimeoutMs: number;
}

export interface GateDeps<A> {
  /** Whether an answer says that the service is not itself. That no answer came says so in any case. */
  readonly isFailure: (answer: A) => boolean;
  /** Settles when the service answered something, whatever it was. */
  readonly knock: (timeoutMs: number) => Promise<unknown>;
  readonly onState?: (state: BreakerState) => void;
}

/** Of calls that are answered at all, hardly one takes so long. */
const SILENT_AFTER_MS = 1_500;

const stateNames: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
};

export class Gate<A> {
  readonly #bulkhead: Bulkhead;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #deps: GateDeps<A>;
  readonly #settings: GateSettings;
  /** When the open breaker lets a probe through; the breaker's own clock. */
  #openUntil = 0;
  /** When the last answer came, or a call began that had none beside it. */
  #heardAt = 0;
  /** Whether the last probe was answered, only later than a probe may take: the next one may take as long as any call. */
  #answersLate = false;

  constructor(settings: GateSettings, deps: GateDeps<A>) {
    this.#deps = deps;
    this.#settings = settings;
    this.#bulkhead = new Bulkhead(settings);
    const policy = handleWhen((error) => error instanceof NoAnswerError).orWhenResult((answer) => deps.isFailure(answer as A));
    const breaker = new ConsecutiveBreaker(settings.failures);
    this.#breaker = circuitBreaker(policy, { halfOpenAfter: settings.openMs, breaker });
    this.#breaker.onBreak(() => { this.#openUntil = Date.now() + settings.openMs; });
    this.#breaker.onStateChange((state) => deps.onState?.(stateNames[state]));
  }

  get state(): BreakerState {
    return stateNames[this.#breaker.state];
  }

  get underWay(): number {
    return this.#bulkhead.underWay;
  }

  /** Whether so many calls that their failure would open the breaker have been under way without a single answer for a
   *  while: the breaker learns of a silent service only when their time is over. */
  get isSilent(): boolean {
    return this.underWay >= this.#settings.failures && Date.now() - this.#heardAt >= SILENT_AFTER_MS;
  }

  get waiting(): number {
    return this.#bulkhead.waiting;
  }

  /** Why a call would be turned away right now; `undefined` where it would not. */
  get refusal(): NotAdmittedError | undefined {
    if (this.state === 'closed') return this.#bulkhead.isFull ? new NotAdmittedError('busy') : undefined;
    return this.state === 'open' && Date.now() >= this.#openUntil ? undefined : new NotAdmittedError('open');
  }

  /** Makes the call. @throws {NotAdmittedError} it was not made; else what the call throws */
  pass(call: () => Promise<A>): Promise<A> {
    return this.state === 'closed' ? this.#bulkhead.run(() => this.#callWhileClosed(call)) : this.#passAsProbe(call);
  }

  async #passAsProbe(call: () => Promise<A>): Promise<A> {
    if (this.state === 'half-open') throw new NotAdmittedError('open');
    return this.#breaker.execute(() => this.#probe(call)).catch((error: unknown) => {
      throw error instanceof BrokenCircuitError ? new NotAdmittedError('open') : error;
    });
  }

  /** The breaker may have opened while the call waited. */
  async #callWhileClosed(call: () => Promise<A>): Promise<A> {
    if (this.state !== 'closed') throw new NotAdmittedError('open');
    if (this.underWay === 1) this.#heardAt = Date.now();
    const answer = await this.#breaker.execute(call);
    this.#heardAt = Date.now();
    return answer;
  }

  async #probe(call: () => Promise<A>): Promise<A> {
    const endsAt = performance.now() + this.#settings.probeTimeoutMs;
    await this.#deps.knock(this.#settings.probeTimeoutMs / 2)
      .catch((cause: unknown) => { throw new NoAnswerError(false, cause); });
    if (this.#answersLate) {
      this.#answersLate = false;
      return call();
    }
    let isLate = false;
    const answer = call();
    answer.then((late) => { this.#answersLate = isLate && !this.#deps.isFailure(late); }, () => undefined);
    return withDeadline(endsAt - performance.now(), () => answer, () => {
      isLate = true;
      return new NoAnswerError(true, new Error('The time for a probe is over.'));
    });
  }
}
