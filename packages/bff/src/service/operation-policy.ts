/**
 * Load policy of one kind of call to the service, built from cockatiel's bulkhead, circuit breaker and timeout.
 *
 * Calls carry the partition that they are made for: a hash of the client address or of the user id.
 * - Bulkhead: limits calls in flight and calls that wait. One partition gets a share of both.
 * - Circuit breaker: opens after failures of several partitions in a row, so one reader's failures do not open it. An
 *   unreachable service and a call without a partition count each time. While it is open, calls are refused at once; after
 *   `openMs` one call passes, preceded by a probe that has no effect.
 * - `Retry-After` of a response holds for its partition only.
 */

import { AsyncResource } from 'node:async_hooks';
import {
  BrokenCircuitError, BulkheadRejectedError, bulkhead, circuitBreaker, CircuitState, handleWhen, timeout, TimeoutStrategy, wrap,
  type BulkheadPolicy, type CircuitBreakerPolicy, type IBreaker, type IPolicy,
} from 'cockatiel';
import { NoResponseError } from './http-transport.ts';

export const breakerStates = ['closed', 'open', 'half-open'] as const;

export type BreakerState = (typeof breakerStates)[number];

export interface OperationLimits {
  /** Calls in flight. */
  readonly capacity: number;
  /** Calls that wait for one of those to end. */
  readonly queue: number;
  /** How long a call waits. */
  readonly queueTimeoutMs: number;
  /** How long a call takes, from its admission to its response. */
  readonly timeoutMs: number;
  /** Partitions that fail in a row before the breaker opens. */
  readonly failures: number;
  /** How long the breaker stays open before a call passes. */
  readonly openMs: number;
}

export interface OperationHooks<R> {
  /** Whether a response counts as an outage of the service. */
  readonly isFailure: (response: R) => boolean;
  /** `Retry-After` of a response; `undefined` without one. */
  readonly retryAfterSeconds: (response: R) => number | undefined;
  /** A request without effect. Resolves with any response. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly onStateChange: (state: BreakerState) => void;
}

/** The call was not made. `busy`: bulkhead full. `open`: circuit breaker open. `retry-after`: requested by the service. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';
  readonly reason: 'busy' | 'open' | 'retry-after';
  /** Only for `retry-after`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: 'busy' | 'open' | 'retry-after', retryAfterSeconds?: number) {
    super(`The call to the service was not made: ${reason}.`);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Part of the capacity and of the queue that one partition may use. */
const PARTITION_SHARE = 1 / 4;

/** A service that responds at all hardly ever takes as long. */
const STALLED_AFTER_MS = 1_500;

/** Partitions whose `Retry-After` is remembered. */
const MAX_RETRY_AFTER_ENTRIES = 10_000;

type Run<R> = (context: { readonly signal: AbortSignal }) => Promise<R>;

/** Limits of one partition while it has calls. */
interface Share {
  readonly bulkhead: BulkheadPolicy;
  /** Calls that the bulkhead has not settled: in flight, waiting, or waited in vain. */
  calls: number;
}

const stateNames: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
};

export class OperationPolicy<R> {
  readonly #limits: OperationLimits;
  readonly #hooks: OperationHooks<R>;
  readonly #bulkhead: BulkheadPolicy;
  readonly #shares = new Map<string, Share>();
  readonly #partitionLimits: { readonly capacity: number; readonly queue: number };
  readonly #failures: DistinctFailures;
  readonly #breaker: CircuitBreakerPolicy;
  /** Bulkhead, breaker and timeout. */
  readonly #policy: IPolicy;
  readonly #retryAt = new Map<string, number>();
  /** When the open breaker lets a call pass. */
  #openUntil = 0;
  /** Partition whose call failed after the last probe, and until when calls of others are tried first. */
  #failedTrial: { readonly partition: string; readonly until: number } | undefined;
  #inFlight = 0;
  #waiting = 0;
  /** When the last response arrived, or a call started while no other was in flight. */
  #lastResponseAt = 0;

  constructor(limits: OperationLimits, hooks: OperationHooks<R>) {
    this.#limits = limits;
    this.#hooks = hooks;
    this.#bulkhead = bulkhead(limits.capacity, limits.queue);
    this.#partitionLimits = {
      capacity: Math.ceil(limits.capacity * PARTITION_SHARE),
      queue: Math.ceil(limits.queue * PARTITION_SHARE),
    };
    this.#failures = new DistinctFailures(limits.failures);
    const failed = handleWhen((error) => error instanceof NoResponseError)
      .orWhenResult((response) => hooks.isFailure(response as R));
    this.#breaker = circuitBreaker(failed, { halfOpenAfter: limits.openMs, breaker: this.#failures });
    this.#breaker.onBreak(() => {
      this.#openUntil = Date.now() + limits.openMs;
      this.#failures.success();
    });
    this.#breaker.onStateChange((state) => hooks.onStateChange(stateNames[state]));
    const timeLimit = timeout(limits.timeoutMs, { strategy: TimeoutStrategy.Cooperative, abortOnReturn: false });
    this.#policy = wrap(this.#bulkhead, this.#breaker, timeLimit);
  }

  get state(): BreakerState {
    return stateNames[this.#breaker.state];
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether enough calls to open the breaker have been in flight for a while without a response. The breaker itself
   *  notices a stalled service only when the calls time out. */
  get isStalled(): boolean {
    return this.#inFlight >= this.#limits.failures && Date.now() - this.#lastResponseAt >= STALLED_AFTER_MS;
  }

  /** Why a call would be refused now; `undefined` if it would be made. */
  refusal(partition?: string): NotAdmittedError | undefined {
    const retryAfterMs = partition === undefined ? 0 : (this.#retryAt.get(partition) ?? 0) - Date.now();
    if (retryAfterMs > 0) return new NotAdmittedError('retry-after', Math.ceil(retryAfterMs / 1000));
    if (this.state === 'closed') return this.#isFull(partition) ? new NotAdmittedError('busy') : undefined;
    const isTurn = partition === undefined || partition !== this.#failedTrial?.partition || Date.now() >= this.#failedTrial.until;
    return this.state === 'open' && Date.now() >= this.#openUntil && isTurn ? undefined : new NotAdmittedError('open');
  }

  /** @throws {NotAdmittedError} the call was not made; otherwise what the call throws */
  async execute(call: (signal: AbortSignal) => Promise<R>, partition?: string): Promise<R> {
    const refusal = this.refusal(partition);
    if (refusal) throw refusal;
    const queue = new AbortController();
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    let isWaiting = true;
    this.#waiting += 1;
    const leaveQueue = () => {
      clearTimeout(timer);
      if (isWaiting) this.#waiting -= 1;
      isWaiting = false;
    };
    const timer = setTimeout(() => {
      queue.abort();
      reject(new NotAdmittedError('busy'));
    }, this.#limits.queueTimeoutMs);
    // The bulkhead runs a waiting call when another one ends: it keeps the async context of its own request.
    const run = AsyncResource.bind(({ signal }: { readonly signal: AbortSignal }) => {
      leaveQueue();
      return this.#run(call, signal, partition);
    });
    const response = this.#execute(run, queue.signal, partition);
    try {
      return await Promise.race([response, timedOut]);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new NotAdmittedError('busy');
      throw error instanceof BrokenCircuitError ? new NotAdmittedError('open') : error;
    } finally {
      leaveQueue();
    }
  }

  /** Runs a call within the share of its partition. */
  #execute(run: Run<R>, signal: AbortSignal, partition: string | undefined): Promise<R> {
    if (partition === undefined) return this.#policy.execute(run, signal);
    const { capacity, queue } = this.#partitionLimits;
    const share = this.#shares.get(partition) ?? { bulkhead: bulkhead(capacity, queue), calls: 0 };
    this.#shares.set(partition, share);
    share.calls += 1;
    return wrap(share.bulkhead, this.#policy).execute(run, signal).finally(() => {
      share.calls -= 1;
      if (share.calls === 0) this.#shares.delete(partition);
    });
  }

  #isFull(partition: string | undefined): boolean {
    const own = partition === undefined ? undefined : this.#shares.get(partition)?.bulkhead;
    return [this.#bulkhead, own].some((one) => one && one.executionSlots <= 0 && one.queueSlots <= 0);
  }

  async #run(call: (signal: AbortSignal) => Promise<R>, signal: AbortSignal, partition: string | undefined): Promise<R> {
    const isTrial = this.state === 'half-open';
    if (this.#inFlight === 0) this.#lastResponseAt = Date.now();
    this.#inFlight += 1;
    try {
      if (isTrial) await this.#hooks.probe(signal).catch((cause: unknown) => { throw new NoResponseError(false, cause); });
      const response = await call(signal);
      this.#lastResponseAt = Date.now();
      if (this.#hooks.isFailure(response)) this.#recordFailure(partition, isTrial);
      this.#rememberRetryAfter(response, partition);
      return response;
    } catch (error) {
      if (error instanceof NoResponseError) this.#recordFailure(error.sent ? partition : undefined, isTrial);
      throw error;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #recordFailure(partition: string | undefined, isTrial: boolean): void {
    this.#failures.add(partition);
    if (isTrial && partition !== undefined) this.#failedTrial = { partition, until: Date.now() + 2 * this.#limits.openMs };
  }

  #rememberRetryAfter(response: R, partition: string | undefined): void {
    const seconds = this.#hooks.retryAfterSeconds(response);
    if (partition === undefined || seconds === undefined) return;
    this.#retryAt.delete(partition);
    this.#retryAt.set(partition, Date.now() + seconds * 1000);
    const [oldest] = this.#retryAt.keys();
    if (this.#retryAt.size > MAX_RETRY_AFTER_ENTRIES && oldest !== undefined) this.#retryAt.delete(oldest);
  }
}

/** Opens the breaker after failures of `threshold` distinct partitions without a success in between. */
class DistinctFailures implements IBreaker {
  readonly #threshold: number;
  readonly #partitions = new Set<string | symbol>();
  state: unknown = undefined;

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** @param partition `undefined`: concerns everybody, counts each time */
  add(partition: string | undefined): void {
    this.#partitions.add(partition ?? Symbol('failure'));
  }

  success(): void {
    this.#partitions.clear();
  }

  failure(): boolean {
    return this.#partitions.size >= this.#threshold;
  }
}
