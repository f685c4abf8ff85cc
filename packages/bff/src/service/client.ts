/** Client of the service: token exchange (interface 4.4), posts (4.1), and any other signed call. Each kind has sockets and
 *  limits of its own, so that hung calls of hooks do not delay posts. */

import type { NewPost, Post, ProblemType } from '@vestibule/shared';
import type { Dispatcher } from 'undici';
import { ProblemError } from '../http/problem.ts';
import { isObject } from '../lib/json.ts';
import { normalizeParams, type Param } from '../signing/normalize-params.ts';
import { createSigner, isQuotable, type Signer } from '../signing/sign-request.ts';
import { envelopeOf, jsonOf, problemOf, problemOfFailure, refused, resultOf, unknownOutcome } from './response.ts';
import { NoResponseError, Transport, type ServiceResponse } from './transport.ts';

/** Kinds of calls to the service, and labels of metrics. */
export const serviceOperations = ['token-exchange', 'create-post', 'request'] as const;

export type ServiceOperation = (typeof serviceOperations)[number];

export type CallOutcome = 'ok' | ProblemType;

/** Value of a parameter of a signed request; sent as text. */
export type ParamValue = string | number | boolean;

/** Options of one signed request. */
export interface SignedRequestOptions {
  /** Access token of the user on whose behalf the call is made. */
  readonly accessToken?: string;
  /** Resolves with the whole JSON, such as `{ code, response, cursor }`: some services put a cursor beside `response`.
   *  Default `false`. */
  readonly envelope?: boolean;
}

/** Signed calls to any operation of the service, for hooks and for the library's host. */
export interface SignedRequests {
  /**
   * Signs and sends a request. Resolves with the JSON of the response, without the envelope `{ code: 0, response }`;
   * `undefined` for an empty response.
   * @param path starts with `/`, relative to the service's base address; may have a query, which is sent as written unless
   *   `params` are added to it: then it is decoded and encoded again
   * @param params added to the query of a GET or HEAD, form body of any other method; one that is `undefined` is left out
   * @throws {ProblemError}
   */
  request(
    method: string,
    path: string,
    params?: Readonly<Record<string, ParamValue | undefined>>,
    options?: SignedRequestOptions,
  ): Promise<unknown>;
}

export interface TokenGrant {
  /** Not empty, at most 4,096 characters that a header can hold. */
  readonly accessToken: string;
  /** Proven `user_id`; `undefined` if the response has none. */
  readonly userId: string | undefined;
  /** Proven `username`, 1 to 255 characters; `undefined` if the response has none. A malformed one is an error instead. */
  readonly username: string | undefined;
  /** Seconds until the token ends; `undefined` if the response does not say. */
  readonly expiresIn: number | undefined;
}

/** The token endpoint refused the code. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
  /** `error` of OAuth 2 (RFC 6749, 5.2), for example `invalid_client` or `invalid_grant`. */
  readonly error: unknown;

  constructor(status: number, error: unknown) {
    super(`The token endpoint refused the code with status ${status}.`);
    this.error = error;
  }
}

/** Of the configuration. */
export interface ServiceConfig {
  readonly serviceUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly redirectUri: string;
  readonly serviceConnectTimeoutMs: number;
  readonly serviceTimeoutMs: number;
  readonly serviceMaxInFlight: number;
}

export interface ServiceClientOptions {
  /** Called after each call. */
  readonly observe?: ((operation: ServiceOperation, outcome: CallOutcome, seconds: number) => void) | undefined;
  /** Replaces the pools: a proxy, a client certificate. The caller closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Calls in flight of one client address (exchanges) and of one user (posts). */
const KEY_LIMITS: Readonly<Record<ServiceOperation, number>> = { 'token-exchange': 8, 'create-post': 4, request: Infinity };

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

export class ServiceClient implements SignedRequests, AsyncDisposable {
  readonly #config: ServiceConfig;
  readonly #observe: NonNullable<ServiceClientOptions['observe']>;
  readonly #baseUrl: URL;
  readonly #signer: Signer;
  readonly #transports: Readonly<Record<ServiceOperation, Transport>>;

  constructor(config: ServiceConfig, { observe = () => undefined, dispatcher }: ServiceClientOptions = {}) {
    const { serviceUrl, publicKey, secretKey, serviceMaxInFlight: limit } = config;
    this.#config = config;
    this.#observe = observe;
    this.#baseUrl = new URL(serviceUrl);
    this.#signer = createSigner({ publicKey, secretKey });
    const create = (operation: ServiceOperation) => new Transport({
      origin: this.#baseUrl.origin,
      connectTimeoutMs: config.serviceConnectTimeoutMs,
      timeoutMs: config.serviceTimeoutMs,
      limit: operation === 'request' ? Math.ceil(limit / 4) : limit,
      keyLimit: KEY_LIMITS[operation],
      dispatcher,
    });
    this.#transports = { 'token-exchange': create('token-exchange'), 'create-post': create('create-post'), request: create('request') };
  }

  inFlight(operation: ServiceOperation): number {
    return this.#transports[operation].inFlight;
  }

  /** Exchanges a code for an access token. @param address hash of the client address @throws {ProblemError} */
  exchangeCode(code: string, address: string): Promise<TokenGrant> {
    const { publicKey, secretKey, redirectUri } = this.#config;
    const body = new URLSearchParams({
      grant_type: 'audiencesync', client_id: publicKey, client_secret: secretKey, redirect_uri: redirectUri, code,
    }).toString();
    const request = { method: 'POST', path: this.#pathOf('/api/oauth/2.0/access_token/'), headers: FORM, body };
    const send = () => this.#transports['token-exchange'].send(request, address);
    return this.#call('token-exchange', send, (response) => grantOf(response, [secretKey, code]));
  }

  /** Creates a post on behalf of a reader. A response that does not describe the post gives an empty record.
   *  @param reader key of the reader @param params signed beside `forum` and `message` @throws {ProblemError} */
  createPost(post: NewPost, accessToken: string, reader: string, params: readonly Param[] = []): Promise<Post> {
    const pairs: readonly Param[] = [['forum', post.forum], ['message', post.message], ...params];
    const send = () => this.#sendSigned('create-post', { method: 'POST', path: '/api/3.0/posts/create.json', params: pairs, accessToken }, reader);
    return this.#call('create-post', send, (response) => {
      const created = resultOf(response, [this.#config.secretKey, accessToken]);
      return isObject(created) ? created as Post : {};
    });
  }

  async request(
    method: string,
    path: string,
    params: Readonly<Record<string, ParamValue | undefined>> = {},
    { accessToken, envelope }: SignedRequestOptions = {},
  ): Promise<unknown> {
    // Another first character could continue the host.
    if (!path.startsWith('/')) throw new TypeError('A signed request goes to the service only.');
    const pairs = Object.entries(params).flatMap(([name, value]): Param[] => value === undefined ? [] : [[name, String(value)]]);
    const send = () => this.#sendSigned('request', { method: method.toUpperCase(), path, params: pairs, accessToken });
    return this.#call('request', send, (response) => {
      const result = resultOf(response, [this.#config.secretKey, accessToken ?? '']);
      return envelope ? jsonOf(response) : result;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#transports).map((transport) => transport[Symbol.asyncDispose]()));
  }

  /** Signs when the bytes are about to be sent: a nonce is valid for minutes only. */
  #sendSigned(operation: ServiceOperation, { method, path, params, accessToken }: {
    readonly method: string; readonly path: string; readonly params: readonly Param[]; readonly accessToken: string | undefined;
  }, key?: string): Promise<ServiceResponse> {
    const url = new URL(this.#baseUrl.origin + this.#pathOf(path));
    const hasBody = method !== 'GET' && method !== 'HEAD';
    if (!hasBody && params.length > 0) url.search = normalizeParams([...url.searchParams, ...params]);
    const { authorization, body } = this.#signer.sign({ method, url, accessToken, ...(hasBody && { params }) });
    const headers = { authorization, ...(body === undefined ? { accept: 'application/json' } : FORM) };
    return this.#transports[operation].send({ method, path: url.pathname + url.search, headers, body }, key);
  }

  #pathOf(path: string): string {
    return this.#baseUrl.pathname.replace(/\/$/, '') + path;
  }

  async #call<T>(
    operation: ServiceOperation,
    send: () => Promise<ServiceResponse>,
    read: (response: ServiceResponse) => T,
  ): Promise<T> {
    const startedAt = performance.now();
    let outcome: CallOutcome = 'internal-error';
    try {
      const result = read(await send());
      outcome = 'ok';
      return result;
    } catch (error) {
      const problem = error instanceof NoResponseError ? problemOfFailure(error) : error;
      if (problem instanceof ProblemError) outcome = problem.type;
      throw problem;
    } finally {
      this.#observe(operation, outcome, (performance.now() - startedAt) / 1000);
    }
  }
}

/** By `error` of OAuth 2. */
const tokenErrors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invalid_client: { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' },
  unauthorized_client: { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' },
  invalid_grant: {
    reason: 'the service refused the code: it expired, was used before, or the redirect URI is not the registered one',
    setting: 'VESTIBULE_REDIRECT_URI',
  },
};

/** @throws {ProblemError} */
function grantOf(response: ServiceResponse, secrets: readonly string[]): TokenGrant {
  const json = jsonOf(response);
  const members = isObject(json) ? json : {};
  const { access_token: accessToken, user_id: userId, username, expires_in: expiresIn } = members;
  const { error, error_description: description } = members;
  const problem = problemOf(response, envelopeOf(json), secrets);
  if (problem?.type === 'not-signed-in') throw refused(response, envelopeOf(json), secrets, {});
  if (problem && problem.type !== 'service-refused' && (!error || problem.type === 'service-unavailable')) throw problem;
  // A refusal of OAuth 2 has no envelope; any status may carry it.
  if (error) {
    const code = typeof error === 'string' ? error : '';
    const text = typeof description === 'string' && description !== '' ? description : code;
    const refusal = refused(response, { code, message: text }, secrets, tokenErrors[code] ?? {});
    throw new ProblemError('service-refused', {
      detail: refusal.detail,
      ...(refusal.diagnosis && { diagnosis: refusal.diagnosis }),
      cause: new TokenRefusedError(response.status, error),
    });
  }
  if (problem) throw problem;
  if (json === undefined) throw unknownOutcome(response, 'the body of the token response is not JSON');
  if (typeof accessToken !== 'string' || !isQuotable(accessToken) || accessToken.length > 4096) throw invalid('has no valid access_token');
  const seconds = Number(expiresIn);
  return {
    accessToken,
    userId: optionalText('user_id', typeof userId === 'number' ? String(userId) : userId),
    username: optionalText('username', username),
    expiresIn: seconds > 0 && seconds < Infinity ? seconds : undefined,
  };
}

function optionalText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '' || [...value].length > 255 || !value.isWellFormed()) throw invalid(`has a malformed ${name}`);
  return value;
}

function invalid(fault: string): ProblemError {
  return new ProblemError('bad-service-response', { cause: new Error(`The response of the token endpoint ${fault}.`) });
}
