/** The requests that arrived, and promises of the next one. */

import type { EndpointName, ReceivedRequest } from './request.ts';

export class Arrivals {
  readonly requests: ReceivedRequest[] = [];
  readonly #keep: boolean;
  readonly #waiting = new Map<EndpointName, ((request: ReceivedRequest) => void)[]>();

  constructor(keep: boolean) {
    this.#keep = keep;
  }

  add(request: ReceivedRequest): void {
    if (this.#keep) this.requests.push(request);
    if (request.endpoint === undefined) return;
    const waiting = this.#waiting.get(request.endpoint);
    this.#waiting.delete(request.endpoint);
    for (const resolve of waiting ?? []) resolve(request);
  }

  next(endpoint: EndpointName): Promise<ReceivedRequest> {
    const { promise, resolve } = Promise.withResolvers<ReceivedRequest>();
    this.#waiting.set(endpoint, [...this.#waiting.get(endpoint) ?? [], resolve]);
    return promise;
  }
}
