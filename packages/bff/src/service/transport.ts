/**
 * HTTP exchanges of one kind with the service, over undici. A counter bounds the calls in flight, in all and per key: beyond it
 * a call fails before a byte is sent. Nothing waits in a queue, no redirect is followed, and a response has at most 1 MiB.
 */

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { proxyFor } from '../lib/proxy.ts';

/** Bytes of a body, also after decoding. */
const MAX_BODY_BYTES = 1024 * 1024;

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
  /** Decoded; `undefined`: more than 1 MiB, or not decodable. */
  readonly body: Buffer | undefined;
}

/** No complete response arrived. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Whether a byte of the request may have been sent. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'The service did not respond in time, or not completely.' : 'The request was not sent.', { cause });
    this.sent = sent;
  }
}

export interface TransportOptions {
  readonly origin: string;
  readonly connectTimeoutMs: number;
  /** Of a complete exchange. */
  readonly timeoutMs: number;
  /** Calls in flight, and sockets. */
  readonly limit: number;
  /** Calls in flight of one key, such as a client address or a user. */
  readonly keyLimit: number;
  /** Replaces the pool, for example with an `Agent` that has a client certificate. The caller closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

export class Transport implements AsyncDisposable {
  readonly #options: TransportOptions;
  readonly #dispatcher: Dispatcher;
  /** Calls in flight by key; `''` counts all. */
  readonly #inFlight = new Map<string, number>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#dispatcher = options.dispatcher ?? createDispatcher(options);
  }

  get inFlight(): number {
    return this.#inFlight.get('') ?? 0;
  }

  /** @throws {NoResponseError} */
  async send(request: ServiceRequest, key?: string): Promise<ServiceResponse> {
    const { limit, keyLimit, timeoutMs } = this.#options;
    if (this.inFlight >= limit || (key !== undefined && (this.#inFlight.get(key) ?? 0) >= keyLimit)) {
      throw new NoResponseError(false, new Error('Too many calls to the service are in flight.'));
    }
    const keys = key === undefined ? [''] : ['', key];
    for (const one of keys) this.#inFlight.set(one, (this.#inFlight.get(one) ?? 0) + 1);
    try {
      return await this.#exchange(request, AbortSignal.timeout(timeoutMs));
    } finally {
      for (const one of keys) {
        const left = (this.#inFlight.get(one) ?? 1) - 1;
        if (left > 0) this.#inFlight.set(one, left);
        else this.#inFlight.delete(one);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#options.dispatcher) await this.#dispatcher.destroy();
  }

  #exchange({ method, path, headers, body }: ServiceRequest, signal: AbortSignal): Promise<ServiceResponse> {
    return new Promise((resolve, reject) => {
      this.#dispatcher.dispatch({
        origin: this.#options.origin,
        method: method as Dispatcher.HttpMethod,
        path,
        headers,
        body: body ?? null,
        // The signal covers the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      }, new ResponseCollector(signal, resolve, reject));
    });
  }
}

/** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` apply if they are set; loopback is reached directly unless `NO_PROXY` is set and
 *  empty. */
function createDispatcher({ origin, connectTimeoutMs: timeout, limit: connections }: TransportOptions): Dispatcher {
  // undici repeats a refused HTTP/2 stream by itself, with the same signature.
  const options = { allowH2: false, connections, pipelining: 1, connect: { timeout, autoSelectFamilyAttemptTimeout: timeout } };
  return proxyFor(origin) === undefined ? new Pool(origin, options) : new EnvHttpProxyAgent(options);
}

/** undici's handler of one request. */
class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (response: ServiceResponse) => void;
  readonly #reject: (error: NoResponseError) => void;
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
    if (this.#signal.aborted) controller.abort(new Error('The time limit ended before the request was sent.'));
    else this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: ServiceResponse['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= MAX_BODY_BYTES) {
      this.#chunks.push(chunk);
      return;
    }
    this.#finish(undefined);
    controller.abort(new Error('The response is larger than 1 MiB.'));
  }

  onResponseEnd(): void {
    this.#finish(decode(Buffer.concat(this.#chunks), String(this.#headers['content-encoding'] ?? '')));
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
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  #fail(error: Error): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#reject(new NoResponseError(this.#sent, error));
  }
}

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** Some services and proxies compress without being asked. */
function decode(body: Buffer, encoding: string): Buffer | undefined {
  const name = encoding.trim().toLowerCase().replace(/^x-/, '');
  if (name === '' || name === 'identity') return body;
  try {
    return decoders[name as keyof typeof decoders](body, { maxOutputLength: MAX_BODY_BYTES });
  } catch {
    return undefined;
  }
}
