/**
 * What an instance measures, in the Prometheus text format. Labels come from closed lists, and each series of a closed list
 * exists from the start at 0, so that `rate()` sees the first event.
 */

import { problemTypes, type ProblemType, type SyncOutcome } from '@vestibule/shared';
import { collectDefaultMetrics, Counter, Registry, type Metric } from 'prom-client';
import { toProblemError } from '../http/problem-response.ts';
import { RequestMetrics } from './request-metrics.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { StoreMetrics } from './store-metrics.ts';

/** `Content-Type` of the text. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** `replayed`: the stored response to an idempotency key that was used before. */
export type PostOutcome = 'created' | 'replayed';

export type SyncStep = 'begun' | 'declined' | 'already-granted' | SyncOutcome['outcome'];

export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #hostRegistry: Registry | undefined;
  readonly requests: RequestMetrics;
  readonly posts: OutcomeCounter<PostOutcome>;
  readonly syncs: OutcomeCounter<SyncStep>;
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
  }
  return sharedRegistry;
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
