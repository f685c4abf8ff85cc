/** The service as the BFF sees it: code exchange, signed posts, any other signed call, each through the gate of its kind.
 *  Holds the secret key. */

import type { NewPost, Post } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { ProblemError } from '../http/problem-error.ts';
import { ClockDrift } from './clock-drift.ts';
import { postOf, responseOf } from './create-post.ts';
import { DatedHttp } from './dated-http.ts';
import { connectionsOf, createGates, type Gates, type GatesConfig } from './gates.ts';
import { NotAdmittedError } from './not-admitted-error.ts';
import type { ServiceOperation } from './operation.ts';
import { problemOfFailure } from './service-answer.ts';
import { ServiceHttp, type SendsRequests, type ServiceAnswer } from './service-http.ts';
import { unobserved, type CallOutcome, type ServiceObserver } from './service-observer.ts';
import type { Param } from '../signing/normalize-params.ts';
import type { ParamValue, SignedRequestOptions, SignedRequests } from './signed-requests.ts';
import { SignedSender, type Unsigned } from './signed-sender.ts';
import { exchangeCode, type TokenGrant } from './token-exchange.ts';

const CREATE_POST_PATH = '/api/3.0/posts/create.json';

export type ServiceConfig = GatesConfig & Pick<Config,
  'serviceUrl' | 'publicKey' | 'secretKey' | 'redirectUri' | 'serviceConnectTimeoutMs' | 'serviceTimeoutMs'>;

/** After this a call cannot be under way any more: it waited, was sent, and was sent again. */
export function longestCallMs({ serviceQueueTimeoutMs, serviceTimeoutMs }: Pick<Config, 'serviceQueueTimeoutMs' | 'serviceTimeoutMs'>): number {
  return serviceQueueTimeoutMs + 2 * serviceTimeoutMs;
}

export interface CreatePostOptions {
  readonly partition?: string;
  /** Signed parameters beside `forum` and `message`. */
  readonly params?: readonly Param[] | undefined;
}

export class ServiceClient implements SignedRequests, AsyncDisposable {
  readonly #config: ServiceConfig;
  readonly #basePath: string;
  readonly #pool: ServiceHttp;
  readonly #http: SendsRequests;
  readonly #signed: SignedSender;
  readonly #gates: Gates;
  readonly #observer: ServiceObserver;
  readonly #drift: ClockDrift;

  constructor(config: ServiceConfig, observer: ServiceObserver = unobserved) {
    const baseUrl = new URL(config.serviceUrl);
    this.#config = config;
    this.#observer = observer;
    this.#basePath = baseUrl.pathname.replace(/\/$/, '');
    this.#pool = new ServiceHttp({
      origin: baseUrl.origin,
      connectTimeoutMs: config.serviceConnectTimeoutMs,
      timeoutMs: config.serviceTimeoutMs,
      connections: connectionsOf(config),
    });
    this.#drift = new ClockDrift((correctionMs) => { observer.clockCorrected(correctionMs); });
    this.#http = new DatedHttp(this.#pool, this.#drift);
    const { publicKey, secretKey } = config;
    this.#signed = new SignedSender({ baseUrl, http: this.#http, credentials: { publicKey, secretKey }, drift: this.#drift });
    this.#gates = createGates(config, {
      http: this.#http,
      basePath: this.#basePath,
      onState: (operation, state) => { observer.breakerChanged(operation, state); },
    });
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds; `undefined` before the first answer. */
  get clockDriftMs(): number | undefined {
    return this.#drift.driftMs;
  }

  /** Calls of a kind at this moment. */
  load(operation: ServiceOperation): { readonly underWay: number; readonly waiting: number } {
    return this.#gates[operation];
  }

  /** Whether the service has stopped to answer calls of this kind, as far as can be told. */
  isSilent(operation: ServiceOperation): boolean {
    return this.#gates[operation].isSilent;
  }

  /** What a call of this kind would be answered right now without being made; `undefined` where it would be made. */
  refusalOf(operation: ServiceOperation): ProblemError | undefined {
    const refusal = this.#gates[operation].refusal;
    return refusal && problemOfFailure(refusal);
  }

  /** Interface 4.4. @throws {ProblemError} */
  exchangeCode(code: string, _options: { readonly partition?: string } = {}): Promise<TokenGrant> {
    const { publicKey: clientId, secretKey: clientSecret, redirectUri } = this.#config;
    const gate = this.#gates['token-exchange'];
    const http: SendsRequests = { send: (request) => gate.pass(() => this.#http.send(request)) };
    return this.#observed('token-exchange', () => (
      exchangeCode(http, this.#basePath, { clientId, clientSecret, redirectUri, code })
    ));
  }

  /** Interface 4.1. @throws {ProblemError} */
  createPost({ forum, message }: NewPost, accessToken: string, { params: more = [] }: CreatePostOptions = {}): Promise<Post> {
    const params = [['forum', forum], ['message', message], ...more] as const;
    return this.#call('create-post', { method: 'POST', path: CREATE_POST_PATH, params, accessToken }, postOf);
  }

  request(
    method: string,
    path: string,
    params: Readonly<Record<string, ParamValue>> = {},
    { accessToken }: SignedRequestOptions = {},
  ): Promise<unknown> {
    const pairs = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
    return this.#call('request', { method: method.toUpperCase(), path, params: pairs, accessToken }, responseOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  #call<T>(operation: ServiceOperation, request: Unsigned, read: (answer: ServiceAnswer) => T): Promise<T> {
    return this.#observed(operation, () => this.#gates[operation].pass(this.#signed.prepare(request)).then(read, failed));
  }

  async #observed<T>(operation: ServiceOperation, call: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const ended = (outcome: CallOutcome) => { this.#observer.callEnded(operation, outcome, (performance.now() - began) / 1000); };
    try {
      const result = await call();
      ended('ok');
      return result;
    } catch (error) {
      ended(outcomeOf(error));
      throw error;
    }
  }
}

function failed(error: unknown): never {
  throw problemOfFailure(error);
}

function outcomeOf(error: unknown): CallOutcome {
  if (!(error instanceof ProblemError)) return 'internal-error';
  return error.cause instanceof NotAdmittedError ? 'not-made' : error.type;
}
