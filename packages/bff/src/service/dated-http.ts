/** Exchanges with the service whose answers say how far its clock is ahead of ours. */

import { driftOf, type ClockDrift } from './clock-drift.ts';
import type { SendsRequests, ServiceAnswer, ServiceRequest } from './service-http.ts';

export class DatedHttp implements SendsRequests {
  readonly #http: SendsRequests;
  readonly #drift: ClockDrift;

  constructor(http: SendsRequests, drift: ClockDrift) {
    this.#http = http;
    this.#drift = drift;
  }

  async send(request: ServiceRequest, timeoutMs?: number): Promise<ServiceAnswer> {
    const sentAt = Date.now();
    const answer = await this.#http.send(request, timeoutMs);
    const { date, age } = answer.headers;
    const isCached = age !== undefined;
    if (isCached || typeof date !== 'string') return answer;
    const driftMs = driftOf({ date, sentAt, receivedAt: Date.now() });
    if (driftMs === undefined) return answer;
    this.#drift.observe(driftMs);
    return { ...answer, driftMs };
  }
}
