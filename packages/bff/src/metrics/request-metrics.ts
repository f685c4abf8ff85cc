/** Requests by route, method and status, how long they took, and how many are under way. */

import { Gauge, type Registry } from 'prom-client';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';

/** `status` of a request whose requester went away before the answer. */
const ABORTED = 'aborted';

export interface EndedRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Whether the client disconnected before the response was complete. */
  readonly aborted: boolean;
  /** From the request's head to the end of its response. */
  readonly ms: number;
}

export class RequestMetrics {
  readonly #total: Counter;
  readonly #duration: Histogram;
  #underWay = 0;

  constructor(registry: Registry) {
    this.#total = new Counter({
      name: 'vestibule_http_requests_total',
      help: 'Requests by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registry,
    });
    this.#duration = new Histogram({
      name: 'vestibule_http_request_duration_seconds',
      help: 'From a request\'s head to the end of its answer.',
      labelNames: ['route', 'method'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registry,
    });
    const underWay = () => this.#underWay;
    new Gauge({
      name: 'vestibule_http_requests_open',
      help: 'Requests under way.',
      registers: [registry],
      collect() { this.set(underWay()); },
    });
  }

  began(): void {
    this.#underWay += 1;
  }

  ended({ route, method, status, aborted, ms }: EndedRequest): void {
    this.#underWay -= 1;
    this.#total.count(route, method, aborted ? ABORTED : String(status));
    this.#duration.of(route, method).observe(ms / 1000);
  }
}
