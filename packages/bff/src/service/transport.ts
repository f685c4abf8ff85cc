/** HTTP exchanges of one kind with the service, over undici. No redirect is followed, and a response has at most 1 MiB. */

import { buildConnector, EnvHttpProxyAgent, interceptors, Pool, type Dispatcher } from 'undici';
import { proxyFor } from '../lib/proxy.ts';
import type { Diagnosis } from '../problem.ts';

/** How long a socket without a request is used again, in ms. Shorter than services keep theirs: a request that crosses with their
 *  close may or may not have been read, and HTTP has no way to tell. undici looks at the clock before it sends: a process that
 *  was frozen for longer (`docker pause`, a function between requests) uses none of its sockets again. */
const IDLE_SOCKET_MS = 500;

/** How long a socket is used at all, in ms, by the clock of the day: the other clock may stand still while the machine sleeps. */
const SOCKET_MS = 5_000;

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
  readonly diagnosis: Diagnosis;

  constructor(sent: boolean, cause: Error, diagnosis: Diagnosis) {
    super(sent ? 'The service did not respond in time, or not completely.' : 'The request was not sent.', { cause });
    this.sent = sent;
    this.diagnosis = diagnosis;
  }
}

export interface TransportConfig {
  readonly serviceUrl: string;
  /** Limit for a complete response. */
  readonly serviceTimeoutMs: number;
  readonly serviceConnectTimeoutMs: number;
}

/** @param limit of sockets
 *  @param given replaces the pool, for example by an `Agent` that has a client certificate; the caller closes it */
export function createTransport(
  { serviceUrl, serviceTimeoutMs, serviceConnectTimeoutMs }: TransportConfig, limit: number, given?: Dispatcher,
) {
  const { origin } = new URL(serviceUrl);
  const { dispatcher, proxy } = given ? { dispatcher: given, proxy: () => 'the dispatcher' } : createDispatcher(origin, serviceConnectTimeoutMs, limit);
  // Some services and proxies compress without being asked.
  const decoding = dispatcher.compose(interceptors.decompress({ skipErrorResponses: false }));
  return {
    /** @param signal ends the exchange before its time limit @throws {NoResponseError} */
    send: (request: ServiceRequest, signal?: AbortSignal) => exchange(decoding, request, serviceTimeoutMs, proxy, signal),
    close: async (): Promise<void> => (given ? undefined : dispatcher.destroy()),
  };
}

/** `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` apply if they are set; loopback is reached directly unless `NO_PROXY` is set and
 *  empty. `proxy()` is the variable that names the proxy, until a connection shows that `NO_PROXY` exempts the origin. */
export function createDispatcher(origin: string, timeout: number, connections: number) {
  // Of a name with several addresses, the first ones may not answer.
  const connect = { timeout, autoSelectFamilyAttemptTimeout: Math.ceil(timeout / 3) };
  const options = {
    // undici repeats a refused HTTP/2 stream by itself, with the same signature.
    allowH2: false,
    connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_SOCKET_MS,
    // Also where the service announces a longer time.
    keepAliveMaxTimeout: IDLE_SOCKET_MS,
    clientTtl: SOCKET_MS,
  };
  const proxy = proxyFor(origin);
  if (!proxy) return { dispatcher: new Pool(origin, { ...options, connect }), proxy: () => undefined };
  const { variable, url: { href } } = proxy;
  const connectDirectly = buildConnector({ ...connect, allowH2: false });
  let isExempt = false;
  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    connectTimeout: timeout,
    httpProxy: href,
    httpsProxy: href,
    // Connections to the proxy, and through it, do not use this connector.
    connect(target, callback) {
      isExempt = true;
      connectDirectly(target, callback);
    },
  });
  return { dispatcher, proxy: () => (isExempt ? undefined : variable) };
}

/** One request and its response. @param proxyInUse the setting of a proxy that may be in use @throws {NoResponseError} */
function exchange(
  dispatcher: Dispatcher, request: ServiceRequest, timeoutMs: number, proxyInUse: () => string | undefined, signal?: AbortSignal,
): Promise<ServiceResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: ServiceResponse['headers'] = {};
  let sent = false;
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;
  const end = () => {
    isOver = true;
    const error = new Error('The time limit of the exchange is over.');
    const overTime = signal ? OVER_TIME_OF_HOOK : OVER_TIME;
    const proxy = proxyInUse();
    const diagnosis = sent || proxy === undefined ? overTime : { reason: 'the proxy did not connect to the service in time', setting: proxy };
    reject(new NoResponseError(sent, error, diagnosis));
    controller?.abort(error);
  };
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
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
    onResponseError(_, error) { reject(failureOf(error, sent, proxyInUse())); },
  });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
}

const OVER_TIME: Diagnosis = { reason: 'the service did not answer in time', setting: 'VESTIBULE_SERVICE_TIMEOUT_MS' };
const OVER_TIME_OF_HOOK: Diagnosis = { ...OVER_TIME, setting: 'VESTIBULE_SERVICE_TIMEOUT_MS, VESTIBULE_HOOK_TIMEOUT_MS' };

/** Errors of Node.js about certificates. */
const CERTIFICATE_ERROR = /CERT|^UNABLE_TO_|SELF_SIGNED/;

/** The status of a proxy's own response; `undefined`: the error has another cause. undici has it in the message only. */
export function proxyStatusOf({ message }: Error): string | undefined {
  return /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1];
}

function failureOf(error: Error, sent: boolean, proxy: string | undefined): NoResponseError {
  const proxyStatus = proxyStatusOf(error);
  if (proxyStatus !== undefined) {
    return new NoResponseError(false, error, { reason: `the proxy before the service answered ${proxyStatus}`, setting: proxy ?? 'HTTPS_PROXY' });
  }
  const { code } = error as NodeJS.ErrnoException;
  const name = typeof code === 'string' && /^[A-Z][A-Z\d_]{2,47}$/.test(code) ? code : 'no code';
  if (sent) {
    const reason = `the connection to the service ended without a complete response (${name})`;
    return new NoResponseError(true, error, { reason, setting: 'the service, or a proxy before it' });
  }
  const address = proxy === undefined ? 'VESTIBULE_SERVICE_URL' : `${proxy} or VESTIBULE_SERVICE_URL`;
  const setting = CERTIFICATE_ERROR.test(name) ? 'the certificate of VESTIBULE_SERVICE_URL, or NODE_EXTRA_CA_CERTS' : address;
  return new NoResponseError(false, error, { reason: `the service cannot be reached (${name})`, setting });
}
