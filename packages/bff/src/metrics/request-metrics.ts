/** HTTP requests by route, method and status, their durations, and requests in flight. */

import { endpoints, problemTypes } from '@vestibule/shared';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface EndedRequest {
  /** From the closed list of `http/request-context.ts`. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
  /** From the request's head to the end of its response. */
  readonly ms: number;
}

/** `status` of a request whose client disconnected before the response was complete. */
const ABORTED = 'aborted';

const statuses: ReadonlySet<string> = new Set([
  ...['200', '201', '204', '302', '303', '304', ABORTED],
  ...Object.values(problemTypes).map(({ status }) => String(status)),
]);

/** Methods by route; other methods of a route count as `other`. */
const methodsByRoute: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.values(endpoints).map(({ path }) => (
    [path, new Set(Object.values(endpoints).filter((endpoint) => endpoint.path === path).map(({ method }) => method))] as const
  )),
  ...['/widget.js', '/widget-*.js', '/assets/*'].map((route) => [route, new Set(['GET'])] as const),
  ['other', new Set<string>()],
]);

export class RequestMetrics {
  readonly #total: Counter<'route' | 'method' | 'status'>;
  readonly #duration: Histogram<'route' | 'method'>;
  readonly #open: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#total = new Counter({
      name: 'vestibule_http_requests_total',
      help: 'Requests by route, method and status. HEAD counts as GET.',
      labelNames: ['route', 'method', 'status'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'vestibule_http_request_duration_seconds',
      help: 'From the head of a request to the end of its response.',
      labelNames: ['route', 'method'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#open = new Gauge({ name: 'vestibule_http_requests_open', help: 'Requests in flight.', registers });
    for (const [route, methods] of methodsByRoute) {
      for (const method of [...methods, 'other']) {
        this.#duration.zero({ route, method });
        for (const status of statuses) this.#total.inc({ route, method, status }, 0);
      }
    }
  }

  began(): void {
    this.#open.inc();
  }

  ended({ route, method: received, status, aborted, ms }: EndedRequest): void {
    const named = received === 'HEAD' ? 'GET' : received;
    const method = methodsByRoute.get(route)?.has(named) ? named : 'other';
    this.#open.dec();
    this.#total.inc({ route, method, status: aborted ? ABORTED : String(status) });
    this.#duration.observe({ route, method }, ms / 1000);
  }
}
