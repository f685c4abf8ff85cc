/**
 * One HTTP exchange with the service over an undici dispatcher. Follows no redirect, reads at most 1 MiB, ends when its
 * signal aborts, and reports exactly whether a byte of the request may have been sent.
 */

import { Pool, type Dispatcher } from 'undici';
import { nextTraceParent } from '../lib/trace-context.ts';

/** Bytes. */
const MAX_BODY_SIZE = 1024 * 1024;

export interface ServiceRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `undefined`: larger than 1 MiB, discarded. */
  readonly body: Buffer | undefined;
  /** When the request was handed to the dispatcher, in milliseconds since the epoch. */
  readonly sentAt: number;
  /** When the response was complete, in milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** No complete response arrived. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Whether a byte of the request may have been sent. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'The service did not respond in time, or not completely.' : 'The service could not be reached.', { cause });
    this.sent = sent;
  }
}

export interface HttpTransportOptions {
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** Sockets of the pool. */
  readonly connections: number;
  /** Replaces the pool, for example with a `ProxyAgent` or an `Agent` with a client certificate. Set `allowH2: false`. The caller
   *  closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

export class HttpTransport implements AsyncDisposable {
  readonly #origin: string;
  readonly #dispatcher: Dispatcher;
  readonly #ownsDispatcher: boolean;

  constructor({ origin, connectTimeoutMs, connections, dispatcher }: HttpTransportOptions) {
    this.#origin = origin;
    // undici repeats a refused HTTP/2 stream by itself, with the same signature.
    const connect = { timeout: connectTimeoutMs };
    this.#dispatcher = dispatcher ?? new Pool(origin, { allowH2: false, connections, pipelining: 1, connect });
    this.#ownsDispatcher = !dispatcher;
  }

  /** @param signal ends the exchange @throws {NoResponseError} */
  send(request: ServiceRequest, signal: AbortSignal): Promise<ServiceResponse> {
    return new Promise((resolve, reject) => {
      const collector = new ResponseCollector(signal, resolve, reject);
      const traceparent = nextTraceParent();
      this.#dispatcher.dispatch({
        origin: this.#origin,
        method: request.method as Dispatcher.HttpMethod,
        path: request.path,
        headers: { ...request.headers, traceparent },
        body: request.body ?? null,
        // The signal covers the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      }, collector);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ownsDispatcher) await this.#dispatcher.destroy();
  }
}

/** undici's handler of one request. Counts the size itself: `maxResponseSize` is not an option of every dispatcher. */
class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: ServiceResponse) => void;
  readonly #reject: (error: NoResponseError) => void;
  readonly #sentAt = Date.now();
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: ServiceResponse['headers'] = {};
  #size = 0;
  #sent = false;

  constructor(signal: AbortSignal, resolve: (response: ServiceResponse) => void, reject: (error: NoResponseError) => void) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#abort);
  }

  /** undici calls this when the request is assigned a socket, before it writes a byte. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(new Error('Aborted before the request was sent.'));
    else this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: ServiceResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_BODY_SIZE) {
      this.#chunks.push(chunk);
      return;
    }
    this.#finish(undefined);
    controller.abort(new Error('The response is larger than 1 MiB.'));
  }

  onResponseEnd(): void {
    this.#finish(Buffer.concat(this.#chunks));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error);
  }

  readonly #abort = (): void => {
    const error = new Error('The time limit of the exchange is over.');
    this.#fail(error);
    this.#controller?.abort(error);
  };

  #finish(body: Buffer | undefined): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#resolve({ status: this.#status, headers: this.#headers, body, sentAt: this.#sentAt, receivedAt: Date.now() });
  }

  #fail(error: Error): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#reject(new NoResponseError(this.#sent, error));
  }
}
