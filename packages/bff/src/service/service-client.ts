/** Client of the service: token exchange, posts, and any other signed call. Each kind of call has its own load policy. */

import type { NewPost, Post, ProblemType } from '@vestibule/shared';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { Config } from '../config/config.ts';
import { ProblemError } from '../http/problem-error.ts';
import { isObject } from '../lib/json.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Param } from '../signing/normalize-params.ts';
import { HttpTransport, type ServiceResponse } from './http-transport.ts';
import { NotAdmittedError, OperationPolicy, type BreakerState } from './operation-policy.ts';
import { Redactor } from './redact.ts';
import { ServiceClock } from './service-clock.ts';
import { isOutage, jsonOf, problemOfFailure, resultOf, retryAfterSeconds } from './service-response.ts';
import { SignedSender, type ParamValue, type SignedRequestOptions, type SignedRequests } from './signed-sender.ts';
import { grantOf, tokenRequest, type TokenGrant } from './token-exchange.ts';

export type ServiceConfig = Pick<Config,
  | 'serviceUrl' | 'publicKey' | 'secretKey' | 'redirectUri' | 'serviceConnectTimeoutMs' | 'serviceTimeoutMs' | 'serviceMaxInFlight'
  | 'serviceMaxQueued' | 'serviceQueueTimeoutMs' | 'serviceBreakerFailures' | 'serviceBreakerOpenMs' | 'serviceProbeTimeoutMs'>;

export interface ServiceClientOptions {
  readonly observe?: ServiceObserver | undefined;
  /** Replaces the connection pool: a proxy, a client certificate. The caller closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

export interface CallOptions {
  /** For whom the call is made: a hash of the client address or of the user id. Limits and failures of one partition do not
   *  affect the others. Default of `request`: the access token, or the method and the path. */
  readonly partition?: string | undefined;
}

export interface CreatePostOptions extends CallOptions {
  /** Signed parameters beside `forum` and `message`. */
  readonly params?: readonly Param[] | undefined;
}

/** Upper bound of a call's duration, queue included, in milliseconds. */
export function longestCallMs({ serviceQueueTimeoutMs, serviceTimeoutMs }: Pick<Config, 'serviceQueueTimeoutMs' | 'serviceTimeoutMs'>): number {
  return serviceQueueTimeoutMs + serviceTimeoutMs;
}

export class ServiceClient implements SignedRequests, AsyncDisposable {
  readonly #config: ServiceConfig;
  readonly #observe: ServiceObserver;
  readonly #basePath: string;
  readonly #transport: HttpTransport;
  readonly #clock: ServiceClock;
  readonly #sender: SignedSender;
  readonly #policies: Readonly<Record<ServiceOperation, OperationPolicy<ServiceResponse>>>;

  constructor(config: ServiceConfig, { observe = () => undefined, dispatcher }: ServiceClientOptions = {}) {
    const baseUrl = new URL(config.serviceUrl);
    this.#config = config;
    this.#observe = observe;
    this.#basePath = baseUrl.pathname.replace(/\/$/, '');
    this.#transport = new HttpTransport({
      origin: baseUrl.origin,
      connectTimeoutMs: config.serviceConnectTimeoutMs,
      connections: serviceOperations.length * config.serviceMaxInFlight,
      dispatcher,
    });
    this.#clock = new ServiceClock((correctionMs) => { observe({ type: 'clock-corrected', correctionMs }); });
    const { publicKey, secretKey } = config;
    this.#sender = new SignedSender({
      baseUrl, transport: this.#transport, credentials: { publicKey, secretKey }, clock: this.#clock,
    });
    this.#policies = {
      'token-exchange': this.#createPolicy('token-exchange'),
      'create-post': this.#createPolicy('create-post'),
      request: this.#createPolicy('request'),
    };
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds; `undefined` before the first response. */
  get clockDriftMs(): number | undefined {
    return this.#clock.driftMs;
  }

  /** Calls of an operation at this moment. */
  load(operation: ServiceOperation): { readonly inFlight: number; readonly waiting: number } {
    return this.#policies[operation];
  }

  /** Whether the calls of an operation have been without a response for a while. */
  isStalled(operation: ServiceOperation): boolean {
    return this.#policies[operation].isStalled;
  }

  /** Problem with which a call would be refused now; `undefined` if it would be made. */
  refusalOf(operation: ServiceOperation, { partition }: CallOptions = {}): ProblemError | undefined {
    const refusal = this.#policies[operation].refusal(partition);
    return refusal && problemOfFailure(refusal);
  }

  /** Exchanges a code for an access token (interface 4.4). @throws {ProblemError} */
  exchangeCode(code: string, { partition }: CallOptions = {}): Promise<TokenGrant> {
    const request = tokenRequest(this.#basePath, this.#config, code);
    const send = async (signal: AbortSignal) => {
      const response = await this.#transport.send(request, signal);
      this.#clock.observe(response);
      return response;
    };
    return this.#call('token-exchange', send, (response) => grantOf(response, code, this.#config.secretKey), partition);
  }

  /** Creates a post on behalf of a reader (interface 4.1). A response that does not describe the post gives an empty record.
   *  @throws {ProblemError} */
  createPost(post: NewPost, accessToken: string, { partition, params = [] }: CreatePostOptions = {}): Promise<Post> {
    const pairs: readonly Param[] = [['forum', post.forum], ['message', post.message], ...params];
    const request = { method: 'POST', path: '/api/3.0/posts/create.json', params: pairs, accessToken };
    const redactor = new Redactor([this.#config.secretKey, accessToken]);
    return this.#call('create-post', this.#sender.prepare(request), (response) => {
      const created = resultOf(response, redactor);
      return isObject(created) ? created as Post : {};
    }, partition);
  }

  async request(
    method: string,
    path: string,
    params: Readonly<Record<string, ParamValue>> = {},
    { accessToken, envelope, partition }: SignedRequestOptions & CallOptions = {},
  ): Promise<unknown> {
    const pairs = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    const request = { method: method.toUpperCase(), path, params: pairs, accessToken };
    const redactor = new Redactor([this.#config.secretKey, accessToken]);
    const ownPartition = accessToken === undefined ? `${request.method} ${path.split('?', 1)[0]}` : sha256(accessToken);
    return this.#call('request', this.#sender.prepare(request), (response) => {
      const result = resultOf(response, redactor, request.method);
      return envelope ? redactor.redactJson(jsonOf(response)) : result;
    }, partition ?? ownPartition);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }

  #createPolicy(operation: ServiceOperation): OperationPolicy<ServiceResponse> {
    const config = this.#config;
    return new OperationPolicy<ServiceResponse>({
      capacity: config.serviceMaxInFlight,
      queue: config.serviceMaxQueued,
      queueTimeoutMs: config.serviceQueueTimeoutMs,
      timeoutMs: config.serviceTimeoutMs,
      failures: config.serviceBreakerFailures,
      openMs: config.serviceBreakerOpenMs,
    }, {
      isFailure: isOutage,
      retryAfterSeconds,
      probe: (signal) => this.#transport.send(
        { method: 'HEAD', path: `${this.#basePath}/`, headers: {} },
        AbortSignal.any([signal, AbortSignal.timeout(config.serviceProbeTimeoutMs)]),
      ),
      onStateChange: (state) => { this.#observe({ type: 'breaker-changed', operation, state }); },
    });
  }

  /** Makes a call under the policy of its operation and reports how it ended. */
  async #call<T>(
    operation: ServiceOperation,
    send: (signal: AbortSignal) => Promise<ServiceResponse>,
    read: (response: ServiceResponse) => T,
    partition: string | undefined,
  ): Promise<T> {
    const startedAt = performance.now();
    let outcome: CallOutcome = 'internal-error';
    try {
      const response = await this.#policies[operation].execute(send, partition)
        .catch((error: unknown) => { throw problemOfFailure(error); });
      const result = read(response);
      outcome = 'ok';
      return result;
    } catch (error) {
      if (error instanceof ProblemError) outcome = error.cause instanceof NotAdmittedError ? 'not-made' : error.type;
      throw error;
    } finally {
      this.#observe({ type: 'call-ended', operation, outcome, seconds: (performance.now() - startedAt) / 1000 });
    }
  }
}

/** Kinds of calls to the service. Each has its own operation policy and its own metrics label. */
export const serviceOperations = ['token-exchange', 'create-post', 'request'] as const;

export type ServiceOperation = (typeof serviceOperations)[number];

/** `not-made`: refused before anything was sent, by the bulkhead, the breaker or a `Retry-After`. */
export type CallOutcome = 'ok' | 'not-made' | ProblemType;

export type ServiceEvent =
  /** `seconds` includes the time in the queue. */
  | { readonly type: 'call-ended'; readonly operation: ServiceOperation; readonly outcome: CallOutcome; readonly seconds: number }
  | { readonly type: 'breaker-changed'; readonly operation: ServiceOperation; readonly state: BreakerState }
  /** From now on `correctionMs` is added to this machine's clock in nonces. */
  | { readonly type: 'clock-corrected'; readonly correctionMs: number };

/** Must not throw. */
export type ServiceObserver = (event: ServiceEvent) => void;

/** Logs the beginning and the end of each outage, and each correction of the clock. */
export function logServiceEvents(log: Logger): ServiceObserver {
  const unavailable = new Set<ServiceOperation>();
  return (event) => {
    if (event.type === 'clock-corrected') {
      log.warn({ correction_seconds: event.correctionMs / 1000 },
        'the service\'s clock differs from this machine\'s: nonces now use the service\'s time; check NTP on this machine');
    }
    if (event.type !== 'breaker-changed') return;
    const { operation, state } = event;
    if (state === 'open' && !unavailable.has(operation)) {
      unavailable.add(operation);
      log.warn({ operation }, 'the service does not answer: the circuit breaker refuses calls of this kind; check VESTIBULE_SERVICE_URL');
    }
    if (state === 'closed' && unavailable.delete(operation)) log.info({ operation }, 'the service answers again');
  };
}
