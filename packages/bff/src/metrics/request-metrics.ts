/** Requests by route, method and status, how long they took, and how many are under way. */

import type { RequestHandler } from 'express';
import { Gauge, type Registry } from 'prom-client';
import { methodOf, routeOf } from '../http/route.ts';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';

/** `status` of a request whose requester went away before the answer. */
const ABORTED = 'aborted';

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

  /** Middleware that measures every request that passes. */
  readonly measure: RequestHandler = (req, res, next) => {
    const began = performance.now();
    const route = routeOf(req, res);
    const method = methodOf(req);
    this.#underWay += 1;
    res.on('close', () => {
      this.#underWay -= 1;
      this.#total.count(route, method, res.writableFinished ? String(res.statusCode) : ABORTED);
      this.#duration.of(route, method).observe((performance.now() - began) / 1000);
    });
    next();
  };
}
