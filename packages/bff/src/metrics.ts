/** Metrics of a process, in the Prometheus text format: at most 1,250 series. A series begins with its first event. */

import type { PostAction, ProblemType, SyncOutcome } from '@vestibule/shared';
import { Counter, Gauge, Histogram, Registry, type Metric } from 'prom-client';
import type { EndedRequest } from './http/frame.ts';
import type { FailedOperation } from './http/routes.ts';
import { toProblemError } from './problem.ts';
import type { CallOutcome, ServiceOperation } from './service/client.ts';

/** `Content-Type` of the text. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export type Metrics = ReturnType<typeof createMetrics>;

/** @param hostRegistry registry of a host application, which has these metrics until they are disposed, unless it has those of
 *  another instance */
export function createMetrics(hostRegistry?: Registry) {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'vestibule_http_requests_total', help: 'Requests by status. HEAD counts as GET.', labelNames: ['route', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'vestibule_http_request_duration_seconds',
    help: 'From the head of a request to the end of its response. HEAD counts as GET.',
    labelNames: ['route', 'method'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5],
    registers,
  });
  const posts = new Counter({ name: 'vestibule_posts_total', help: 'Posts by outcome.', labelNames: ['outcome'], registers });
  const actions = new Counter({
    name: 'vestibule_post_actions_total', help: 'Edits, removals and likes by outcome.', labelNames: ['action', 'outcome'], registers,
  });
  const syncs = new Counter({
    name: 'vestibule_syncs_total', help: 'Steps of sign-ins by outcome.', labelNames: ['outcome'], registers,
  });
  const failures = new Counter({
    name: 'vestibule_failures_total',
    help: 'Failed sign-ins, posts and actions, and refused pages, by problem: as many as there are lines at warn or above about them.',
    labelNames: ['operation', 'problem'],
    registers,
  });
  const calls = new Histogram({
    name: 'vestibule_service_call_duration_seconds',
    help: 'Durations of calls to the service by outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.025, 0.1, 0.25, 0.5, 1, 3, 10],
    registers,
  });
  const open = new Gauge({
    name: 'vestibule_service_calls_open', help: 'Calls to the service in flight.', labelNames: ['operation'], registers,
  });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const registered = names.filter((name) => hostRegistry && !hostRegistry.getSingleMetric(name));
  for (const name of registered) hostRegistry?.registerMetric(registry.getSingleMetric(name) as Metric);
  return {
    actions: (action: PostAction) => outcomeCounter<'done'>(actions, { action }),
    posts: outcomeCounter<'created' | 'replayed'>(posts),
    syncs: outcomeCounter<'begun' | 'declined' | 'already-granted' | SyncOutcome['outcome']>(syncs),
    countFailure(operation: FailedOperation, problem: ProblemType): void {
      failures.inc({ operation, problem });
    },
    /** Methods that a route does not have count as route and method `other`, whatever clients send. */
    observeRequest({ route: { label, methods }, method: received, status, seconds }: EndedRequest): void {
      const named = received === 'HEAD' ? 'GET' : received;
      const [route, method] = methods.includes(named) ? [label, named] : ['other', 'other'];
      requests.inc({ route, method, status });
      durations.observe({ route, method }, seconds);
    },
    /** Observes a call to the service. @returns what to call when it ends */
    startCall(operation: ServiceOperation) {
      open.inc({ operation });
      const end = calls.startTimer({ operation });
      return (outcome: CallOutcome): void => {
        open.dec({ operation });
        end({ outcome });
      };
    },
    /** Everything in the host's registry; without one, these metrics. */
    text: (): Promise<string> => (hostRegistry ?? registry).metrics(),
    [Symbol.dispose](): void {
      for (const name of registered) hostRegistry?.removeSingleMetric(name);
    },
  };
}

function outcomeCounter<O extends string>(total: Counter<string>, labels: { readonly action?: PostAction } = {}) {
  const count = (outcome: O | ProblemType): void => { total.inc({ ...labels, outcome }); };
  return {
    count,
    /** Runs `operation` and counts its result, or the problem that its error maps to. */
    async countOutcomeOf<T>(operation: () => Promise<T>, outcomeOf: (result: T) => O): Promise<T> {
      try {
        const result = await operation();
        count(outcomeOf(result));
        return result;
      } catch (error) {
        count(toProblemError(error).type);
        throw error;
      }
    },
  };
}
