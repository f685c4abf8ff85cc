/** HTTP exchanges of one kind with the service, over undici. Beyond the limit of calls in flight a call fails before a byte is
 *  sent. Nothing waits in a queue, no redirect is followed, and a response has at most 1 MiB. */

import { EnvHttpProxyAgent, interceptors, Pool, type Dispatcher } from 'undici';
import { proxyFor } from '../lib/proxy.ts';

/** Bytes of a decoded body. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded; `undefined`: more than 1 MiB. */
  readonly body: Buffer | undefined;
}

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Whether a byte of the request may have been sent. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: Error) {
    super(sent ? 'The service did not respond in time, or not completely.' : 'The request was not sent.', { cause });
    this.sent = sent;
  }
}

export interface TransportConfig {
  readonly serviceUrl: string;
  /** Limit for a complete response. */
  readonly serviceTimeoutMs: number;
  readonly serviceConnectTimeoutMs: number;
}

/** @param limit of calls in flight and of sockets
 *  @param given replaces the pool, for example by an `Agent` that has a client certificate; the caller closes it */
export function createTransport(
  { serviceUrl, serviceTimeoutMs, serviceConnectTimeoutMs }: TransportConfig, limit: number, given?: Dispatcher,
) {
  const dispatcher = given ?? createDispatcher(new URL(serviceUrl).origin, serviceConnectTimeoutMs, limit);
  // Some services and proxies compress without being asked.
  const decoding = dispatcher.compose(interceptors.decompress({ skipErrorResponses: false }));
  let inFlight = 0;
  return {
    async send(request: ServiceRequest): Promise<ServiceResponse> {
      if (inFlight >= limit) throw new NoResponseError(false, new Error('Too many calls to the service are in flight.'));
      inFlight += 1;
      try {
        return await exchange(decoding, request, serviceTimeoutMs);
      } finally {
        inFlight -= 1;
      }
    },
    close: async (): Promise<void> => (given ? undefined : dispatcher.destroy()),
  };
}

/** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` apply if they are set; loopback is reached directly unless `NO_PROXY` is set and
 *  empty. */
export function createDispatcher(origin: string, timeout: number, connections: number): Dispatcher {
  // Of a name with several addresses, the first ones may not answer.
  const connect = { timeout, autoSelectFamilyAttemptTimeout: Math.ceil(timeout / 3) };
  // undici repeats a refused HTTP/2 stream by itself, with the same signature.
  const options = { allowH2: false, connections, pipelining: 1, connect };
  return proxyFor(origin) === undefined ? new Pool(origin, options) : new EnvHttpProxyAgent(options);
}

/** One request and its response. @throws {NoResponseError} */
function exchange(dispatcher: Dispatcher, request: ServiceRequest, timeoutMs: number): Promise<ServiceResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: ServiceResponse['headers'] = {};
  let sent = false;
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;
  const fail = (error: Error): void => { reject(new NoResponseError(sent, error)); };
  const timer = setTimeout(() => {
    isOver = true;
    const error = new Error('The time limit of the exchange is over.');
    fail(error);
    controller?.abort(error);
  }, timeoutMs);
  dispatcher.dispatch({
    origin: request.url.origin,
    method: request.method as Dispatcher.HttpMethod,
    path: request.url.pathname + request.url.search,
    headers: request.headers,
    body: request.body ?? null,
    // The timer covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  }, {
    /** undici calls this when the request is assigned a socket, before it writes a byte. */
    onRequestStart(started) {
      controller = started;
      if (isOver) started.abort(new Error('The time limit ended before the request was sent.'));
      else sent = true;
    },
    onResponseStart(_, statusCode, fields) {
      status = statusCode;
      headers = fields;
    },
    onResponseData(started, chunk) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      resolve({ status, headers, body: undefined });
      started.abort(new Error('The response is larger than 1 MiB.'));
    },
    onResponseEnd() { resolve({ status, headers, body: Buffer.concat(chunks) }); },
    onResponseError(_, error) { fail(error); },
  });
  return promise.finally(() => { clearTimeout(timer); });
}
