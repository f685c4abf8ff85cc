/**
 * Metrics of an instance, in the Prometheus text format. Labels come from closed lists, and each series of a closed list
 * exists from the start at 0, so that `rate()` sees the first event.
 */

import { problemTypes, type ProblemType, type SyncOutcome } from '@vestibule/shared';
import { collectDefaultMetrics, Counter, Histogram, Registry, type LabelValues, type Metric } from 'prom-client';
import { toProblemError } from '../http/problem-response.ts';
import type { Store } from '../store/store.ts';
import { RequestMetrics } from './request-metrics.ts';
import { ServiceMetrics } from './service-metrics.ts';

/** `Content-Type` of the text. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** `replayed`: the stored response to an idempotency key that was used before. */
export type PostOutcome = 'created' | 'replayed';

/** Steps of a form that goes on, not failures. The outcome of a post in progress counts when it is known. */
export const notFailures: ReadonlySet<string> = new Set<ProblemType>(['invalid-answers', 'user-changed', 'post-in-progress']);

const failedOperations = ['sign-in', 'post', 'page'] as const;

export type FailedOperation = (typeof failedOperations)[number];

export type SyncStep = 'begun' | 'declined' | 'already-granted' | SyncOutcome['outcome'];

export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #hostRegistry: Registry | undefined;
  readonly requests: RequestMetrics;
  readonly posts: OutcomeCounter<PostOutcome>;
  readonly syncs: OutcomeCounter<SyncStep>;
  readonly failures: Counter<'operation' | 'problem'>;
  readonly service: ServiceMetrics;
  readonly store: StoreMetrics;

  /** @param hostRegistry registry of a host application, which gets these metrics until they are disposed */
  constructor(hostRegistry?: Registry) {
    this.#hostRegistry = hostRegistry;
    const registry = this.#registry;
    this.requests = new RequestMetrics(registry);
    this.posts = new OutcomeCounter({
      name: 'vestibule_posts_total',
      help: 'Posts by outcome.',
      outcomes: ['created', 'replayed'],
      registry,
    });
    this.syncs = new OutcomeCounter({
      name: 'vestibule_syncs_total',
      help: 'Steps of sign-ins by outcome.',
      outcomes: ['begun', 'declined', 'already-granted', 'accepted', 'rejected', 'cancelled'],
      registry,
    });
    this.failures = new Counter({
      name: 'vestibule_failures_total',
      help: 'Failed sign-ins and posts, and refused pages, by problem: as many as there are lines at warn or above about them. '
        + `Not failures: ${[...notFailures].join(', ')}.`,
      labelNames: ['operation', 'problem'],
      registers: [registry],
    });
    for (const problem of Object.keys(problemTypes).filter((type) => !notFailures.has(type))) {
      for (const operation of failedOperations) this.failures.inc({ operation, problem }, 0);
    }
    this.service = new ServiceMetrics(registry);
    this.store = new StoreMetrics(registry);
    for (const { name } of registry.getMetricsAsArray()) hostRegistry?.registerMetric(registry.getSingleMetric(name) as Metric);
  }

  /** Everything in the host's registry; without one, these metrics and those of the process. */
  text(): Promise<string> {
    return (this.#hostRegistry ?? Registry.merge([this.#registry, processRegistry()])).metrics();
  }

  [Symbol.dispose](): void {
    for (const { name } of this.#registry.getMetricsAsArray()) this.#hostRegistry?.removeSingleMetric(name);
  }
}

let sharedRegistry: Registry | undefined;

/** Metrics of the process (event loop lag, memory, CPU, lost log lines), shared by all instances in it. */
export function processRegistry(): Registry {
  if (!sharedRegistry) {
    sharedRegistry = new Registry();
    collectDefaultMetrics({ register: sharedRegistry });
    new Counter({ name: LOST_LOG_LINES, help: 'Log lines that standard output did not take.', registers: [sharedRegistry] });
    const refusals = 'Requests to "vestibule serve" that are incomplete or no HTTP, by the status of the response.';
    const refused = new Counter({ name: REFUSED, help: refusals, labelNames: ['status'], registers: [sharedRegistry] });
    for (const status of [400, 408, 431]) refused.inc({ status }, 0);
    const beyond = 'New connections to "vestibule serve" beyond a limit: delayed (address-second), or closed.';
    const limited = new Counter({ name: LIMITED, help: beyond, labelNames: ['limit'], registers: [sharedRegistry] });
    for (const limit of ['all', 'address', 'address-second']) limited.inc({ limit }, 0);
  }
  return sharedRegistry;
}

const LOST_LOG_LINES = 'vestibule_log_lines_lost_total';
const REFUSED = 'vestibule_http_requests_refused_total';
const LIMITED = 'vestibule_http_connections_limited_total';

export function countRefusal(status: number): void {
  count(REFUSED, { status });
}

export function countLimited(limit: string): void {
  count(LIMITED, { limit });
}

export function countLostLogLine(): void {
  count(LOST_LOG_LINES);
}

function count(name: string, labels: LabelValues<string> = {}): void {
  (processRegistry().getSingleMetric(name) as Counter).inc(labels);
}

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

export class StoreMetrics {
  readonly #duration: Histogram<'operation' | 'result'>;

  constructor(registry: Registry) {
    this.#duration = new Histogram({
      name: 'vestibule_store_operation_duration_seconds',
      help: 'Durations of store operations; unavailable: the store did not answer.',
      labelNames: ['operation', 'result'],
      buckets: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 2],
      registers: [registry],
    });
  }

  /** A view of `store` whose operations are measured. */
  measure(store: Store): Store {
    return {
      kind: store.kind,
      get: this.#measured('get', (key) => store.get(key)),
      set: this.#measured('set', (key, value, lifetimeMs) => store.set(key, value, lifetimeMs)),
      setIfAbsent: this.#measured('setIfAbsent', (key, value, lifetimeMs) => store.setIfAbsent(key, value, lifetimeMs)),
      compareAndSet: this.#measured('compareAndSet', (key, expected, value, lifetimeMs) => (
        store.compareAndSet(key, expected, value, lifetimeMs)
      )),
      touch: this.#measured('touch', (key, lifetimeMs) => store.touch(key, lifetimeMs)),
      take: this.#measured('take', (key) => store.take(key)),
      delete: this.#measured('delete', (key, expected) => store.delete(key, expected)),
      ping: this.#measured('ping', () => store.ping()),
      entries: (prefix) => store.entries(prefix),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  }

  #measured<A extends readonly unknown[], R>(
    operation: keyof Store & string,
    run: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R> {
    for (const result of ['ok', 'unavailable']) this.#duration.zero({ operation, result });
    return async (...args) => {
      const end = this.#duration.startTimer({ operation });
      try {
        const result = await run(...args);
        end({ result: 'ok' });
        return result;
      } catch (error) {
        end({ result: 'unavailable' });
        throw error;
      }
    };
  }
}
