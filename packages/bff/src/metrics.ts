/**
 * Metrics of an instance, in the Prometheus text format. Labels come from closed lists, and each series exists from the start at
 * 0, so that `rate()` sees the first event.
 */

import { endpoints, problemTypes, type ProblemType, type SyncOutcome } from '@vestibule/shared';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type Metric } from 'prom-client';
import { failedOperations, notFailures, toProblemError, type FailedOperation } from './http/problem-response.ts';
import type { EndedRequest } from './http/request.ts';
import { serviceOperations, type CallOutcome, type ServiceOperation } from './service/client.ts';

/** `Content-Type` of the text. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/** `replayed`: the stored response to an idempotency key that was used before. */
export type PostOutcome = 'created' | 'replayed';

export type SyncStep = 'begun' | 'declined' | 'already-granted' | SyncOutcome['outcome'];

const problems = Object.keys(problemTypes) as ProblemType[];
const callOutcomes: readonly CallOutcome[] = [
  'ok', 'not-signed-in', 'service-refused', 'bad-service-response', 'service-unavailable', 'outcome-unknown', 'internal-error',
];
const statuses = ['200', '201', '204', '302', '303', '304', 'aborted', ...new Set(Object.values(problemTypes).map(({ status }) => String(status)))];

/** Methods by route; other methods of a route count as `other`. */
const methodsByRoute = new Map<string, Set<string>>([
  ...['/widget.js', '/count.js', '/widget-*.js', '/assets/*'].map((route) => [route, new Set(['GET'])] as const), ['other', new Set()],
]);
for (const { method, path } of Object.values(endpoints)) {
  methodsByRoute.set(path, (methodsByRoute.get(path) ?? new Set()).add(method));
}

export class Metrics implements Disposable {
  readonly posts: OutcomeCounter<PostOutcome>;
  readonly syncs: OutcomeCounter<SyncStep>;
  readonly #registry = new Registry();
  readonly #hostRegistry: Registry | undefined;
  readonly #requests: Histogram<'route' | 'method' | 'status'>;
  readonly #failures: Counter<'operation' | 'problem'>;
  readonly #calls: Histogram<'operation' | 'outcome'>;

  /** @param hostRegistry registry of a host application, which gets these metrics until they are disposed, unless another
   *  instance has registered them already */
  constructor(hostRegistry?: Registry) {
    const registers = [this.#registry];
    this.#hostRegistry = hostRegistry;
    this.#requests = new Histogram({
      name: 'vestibule_http_request_duration_seconds',
      help: 'From the head of a request to the end of its response. HEAD counts as GET.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 5],
      registers,
    });
    for (const [route, methods] of methodsByRoute) {
      for (const method of [...methods, 'other']) for (const status of statuses) this.#requests.zero({ route, method, status });
    }
    this.posts = new OutcomeCounter('vestibule_posts_total', 'Posts by outcome.', ['created', 'replayed'], this.#registry);
    this.syncs = new OutcomeCounter(
      'vestibule_syncs_total', 'Steps of sign-ins by outcome.', ['begun', 'declined', 'already-granted', 'accepted', 'rejected', 'cancelled'], this.#registry,
    );
    this.#failures = new Counter({
      name: 'vestibule_failures_total',
      help: 'Failed sign-ins and posts, and refused pages, by problem: as many as there are lines at warn or above about them.',
      labelNames: ['operation', 'problem'],
      registers,
    });
    for (const problem of problems) {
      for (const operation of failedOperations) if (!notFailures.has(problem)) this.#failures.inc({ operation, problem }, 0);
    }
    this.#calls = new Histogram({
      name: 'vestibule_service_call_duration_seconds',
      help: 'Durations of calls to the service by outcome.',
      labelNames: ['operation', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 3, 10],
      registers,
    });
    for (const operation of serviceOperations) for (const outcome of callOutcomes) this.#calls.zero({ operation, outcome });
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (hostRegistry && !hostRegistry.getSingleMetric(name)) {
        hostRegistry.registerMetric(this.#registry.getSingleMetric(name) as Metric);
      }
    }
  }

  /** The number of calls to the service in flight, when it is asked for. */
  watchCalls(inFlight: (operation: ServiceOperation) => number): void {
    new Gauge({
      name: 'vestibule_service_calls_open',
      help: 'Calls to the service in flight.',
      labelNames: ['operation'],
      registers: [this.#registry],
      collect() { for (const operation of serviceOperations) this.set({ operation }, inFlight(operation)); },
    });
  }

  observeRequest({ route, method: received, status, seconds }: EndedRequest): void {
    const named = received === 'HEAD' ? 'GET' : received;
    const method = methodsByRoute.get(route)?.has(named) ? named : 'other';
    this.#requests.observe({ route, method, status }, seconds);
  }

  countFailure(operation: FailedOperation, problem: ProblemType): void {
    this.#failures.inc({ operation, problem });
  }

  observeCall(operation: ServiceOperation, outcome: CallOutcome, seconds: number): void {
    this.#calls.observe({ operation, outcome }, seconds);
  }

  /** Everything in the host's registry; without one, these metrics and those of the process. */
  text(): Promise<string> {
    return (this.#hostRegistry ?? Registry.merge([this.#registry, processRegistry()])).metrics();
  }

  [Symbol.dispose](): void {
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (this.#hostRegistry?.getSingleMetric(name) === this.#registry.getSingleMetric(name)) {
        this.#hostRegistry?.removeSingleMetric(name);
      }
    }
  }
}

let sharedRegistry: Registry | undefined;

/** Metrics of the process (event loop lag, memory, CPU), shared by all instances in it. */
function processRegistry(): Registry {
  if (!sharedRegistry) {
    sharedRegistry = new Registry();
    collectDefaultMetrics({ register: sharedRegistry });
  }
  return sharedRegistry;
}

export class OutcomeCounter<O extends string> {
  readonly #total: Counter<'outcome'>;

  /** @param outcomes other than problems */
  constructor(name: string, help: string, outcomes: readonly O[], registry: Registry) {
    this.#total = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    for (const outcome of [...outcomes, ...problems]) this.#total.inc({ outcome }, 0);
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
