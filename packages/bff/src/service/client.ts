/** Client of the service: token exchange (interface 4.4), posts (4.1), and any other signed call. Exchanges, posts with the acts
 *  of readers, and the calls of other hooks have sockets and a limit each. Beyond it an exchange, a post or an act fails before a
 *  byte is sent; a call of another hook waits for its turn. */

import type { NewPost, Post, ProblemType } from '@vestibule/shared';
import type { Dispatcher } from 'undici';
import * as z from 'zod';
import { ProblemError, type Diagnosis } from '../problem.ts';
import { isObject, nonEmptyText } from '../input.ts';
import { createSigner, isQuotable, normalizeParams, type Param } from '../signing/sign-request.ts';
import {
  KEYS, parseResponse, problemOf, problemOfFailure, refused, resultOf, unknownOutcome, type CallToken, type ParsedResponse,
} from './response.ts';
import type { ParamValue, SignedRequestOptions } from '../config/types.ts';
import { createTransport, NoResponseError, type ServiceRequest, type TransportConfig } from './transport.ts';

export type ServiceOperation = 'token-exchange' | 'create-post' | 'request';

export type CallOutcome = 'ok' | ProblemType;

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

interface ServiceConfig extends TransportConfig {
  /** Posts and acts, and exchanges, each; other calls a quarter. */
  readonly serviceMaxInFlight: number;
  /** How long other calls wait for their turn. */
  readonly hookTimeoutMs: number;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly redirectUri: string;
}

export interface ServiceClientOptions {
  /** Called when a call starts; the result is called when it ends. */
  readonly startCall?: ((operation: ServiceOperation) => (outcome: CallOutcome) => void) | undefined;
  /** Replaces the pools: a proxy, a client certificate. The caller closes it. */
  readonly dispatcher?: Dispatcher | undefined;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

export type ServiceClient = ReturnType<typeof createServiceClient>;

export function createServiceClient(config: ServiceConfig, options: ServiceClientOptions = {}) {
  const { startCall = () => () => undefined, dispatcher } = options;
  const { serviceUrl, publicKey, secretKey, redirectUri, serviceMaxInFlight, hookTimeoutMs } = config;
  const signer = createSigner({ publicKey, secretKey });
  const poolOf = (limit: number, waitMs: number) => (
    { transport: createTransport(config, limit, dispatcher), slots: createSlots(limit, waitMs) }
  );
  const pools = {
    exchanges: poolOf(serviceMaxInFlight, 0),
    posts: poolOf(serviceMaxInFlight, 0),
    others: poolOf(Math.ceil(serviceMaxInFlight / 4), hookTimeoutMs),
  };
  return {
    request,
    exchangeCode,
    createPost,
    /** Calls that wait for their turn fail, and none waits from now on. */
    refuseWaiting: () => { pools.others.slots.refuseWaiting(); },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(Object.values(pools).map(({ transport }) => transport.close()));
    },
  };

  /** Exchanges a code for an access token. @throws {ProblemError} */
  async function exchangeCode(code: string): Promise<TokenGrant> {
    const url = new URL(`${serviceUrl}/api/oauth/2.0/access_token/`);
    const body = new URLSearchParams({
      grant_type: 'audiencesync', client_id: publicKey, client_secret: secretKey, redirect_uri: redirectUri, code,
    }).toString();
    const exchange = { method: 'POST', url, headers: FORM, body };
    return call('token-exchange', pools.exchanges, () => exchange, (response) => grantOf(response, [secretKey, code]));
  }

  /** Creates a post on behalf of a reader. A response that does not describe the post gives an empty record.
   *  @param params signed beside `forum` and `message` @throws {ProblemError} */
  async function createPost(post: NewPost, token: CallToken, params: readonly Param[] = []): Promise<Post> {
    const { accessToken } = token;
    const all: Param[] = [['forum', post.forum], ['message', post.message], ...params];
    return call('create-post', pools.posts, () => signed('POST', '/api/3.0/posts/create.json', all, accessToken), (response) => {
      const created = resultOf(response, [secretKey, accessToken], token);
      return isObject(created) ? created as Post : {};
    });
  }

  /** @param hook of the hook that calls: its signal ends the call, its calls `asReader` have the token, and those of an act a
   *  place of posts */
  async function request(
    method: string,
    path: string,
    params: Readonly<Record<string, ParamValue | undefined>> = {},
    { asReader, envelope }: SignedRequestOptions = {},
    hook: { readonly signal?: AbortSignal; readonly token?: CallToken | undefined; readonly isAct?: boolean | undefined } = {},
  ): Promise<unknown> {
    if (asReader && !hook.token) throw new TypeError('asReader is for hooks that run for a signed-in reader.');
    // Another first character could continue the host.
    if (!path.startsWith('/')) throw new TypeError('A signed request goes to the service only.');
    const token = asReader ? hook.token : undefined;
    const pairs = Object.entries(params).flatMap(([name, value]): Param[] => value === undefined ? [] : [[name, String(value)]]);
    return call('request', hook.isAct ? pools.posts : pools.others, () => signed(method.toUpperCase(), path, pairs, token?.accessToken), (response) => {
      const result = resultOf(response, [secretKey, token?.accessToken ?? ''], token);
      return envelope ? response.json : result;
    }, hook.signal);
  }

  function signed(method: string, path: string, params: readonly Param[], accessToken: string | undefined): ServiceRequest {
    const url = new URL(serviceUrl + path);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    if (!hasBody && params.length > 0) url.search = normalizeParams([...url.searchParams, ...params]);
    const { authorization, body } = signer.sign({ method, url, accessToken, ...(hasBody && { params }) });
    return { method, url, headers: { authorization, ...(body === undefined ? { accept: 'application/json' } : FORM) }, body };
  }

  /** @param prepare runs when it is the call's turn: a signature has the time of its request */
  async function call<T>(
    operation: ServiceOperation,
    { transport, slots }: ReturnType<typeof poolOf>,
    prepare: () => ServiceRequest,
    read: (response: ParsedResponse) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const hasTurn = await slots.take(signal);
    const end = startCall(operation);
    let outcome: CallOutcome = 'internal-error';
    try {
      if (!hasTurn) throw new NoResponseError(false, new Error('Too many calls to the service are in flight.'), AT_LIMIT);
      const result = read(parseResponse(await transport.send(prepare(), signal)));
      outcome = 'ok';
      return result;
    } catch (error) {
      const problem = error instanceof NoResponseError ? problemOfFailure(error) : error;
      if (problem instanceof ProblemError) outcome = problem.type;
      throw problem;
    } finally {
      if (hasTurn) slots.release();
      end(outcome);
    }
  }
}

const AT_LIMIT: Diagnosis = {
  reason: 'as many calls to the service are in flight as may be: it is slow, or there are many readers', setting: 'VESTIBULE_SERVICE_MAX_IN_FLIGHT',
};

/** By `error` of OAuth 2 (RFC 6749, 5.2). */
const tokenErrors: Readonly<Record<string, Diagnosis>> = {
  invalid_client: KEYS,
  unauthorized_client: KEYS,
  invalid_grant: {
    reason: 'the service refused the code: it expired, was used before, or the redirect URI is not the registered one',
    setting: 'VESTIBULE_REDIRECT_URI',
  },
};

const tokenResponse = z.object({
  access_token: z.string().max(4_096).refine(isQuotable),
  user_id: z.union([nonEmptyText(255), z.number().transform(String)]).nullish(),
  username: nonEmptyText(255).nullish(),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** @throws {ProblemError} */
function grantOf(response: ParsedResponse, secrets: readonly string[]): TokenGrant {
  const { json } = response;
  const { error, error_description: description } = isObject(json) ? json : {};
  const problem = problemOf(response, secrets);
  if (problem?.type === 'not-signed-in') throw refused(response, secrets);
  // A refusal of OAuth 2 has no envelope.
  if (error && (!problem || problem.type === 'service-refused')) {
    const code = typeof error === 'string' ? error : '';
    const message = typeof description === 'string' ? description : '';
    throw refused(response, secrets, tokenErrors[code], { code, message: message || code });
  }
  if (problem) throw problem;
  if (json === undefined) throw unknownOutcome(response, 'the body of the token response is not JSON');
  const { success, data, error: fault } = tokenResponse.safeParse(json);
  if (!success) {
    const member = String(fault.issues[0]?.path[0] ?? 'access_token');
    throw new ProblemError('bad-service-response', { diagnosis: { reason: `the token response has no valid ${member}` } });
  }
  const { access_token: accessToken, user_id: userId, username, expires_in: expiresIn } = data;
  return { accessToken, userId: userId ?? undefined, username: username ?? undefined, expiresIn };
}

/** A counting semaphore: so many at work at the same time, and the others in the order of their calls.
 *  @param limit how many are at work at most @param waitMs how long the others wait at most; 0: not at all */
function createSlots(limit: number, waitMs: number) {
  let free = limit;
  const waiting = new Set<(isTaken: boolean) => void>();
  let isRefusing = false;
  return { take, release, refuseWaiting };

  /** @returns `false`: no slot became free within `waitMs`, before `signal` was aborted or before `refuseWaiting` */
  async function take(signal?: AbortSignal): Promise<boolean> {
    if (free > 0) {
      free -= 1;
      return true;
    }
    if (waitMs === 0 || isRefusing || signal?.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const refuse = () => {
      waiting.delete(resolve);
      resolve(false);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', refuse, { once: true });
    const timer = setTimeout(refuse, waitMs);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', refuse);
    });
  }

  /** Of a slot that was taken: the next one gets it. */
  function release(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next(true);
  }

  /** Refuses the calls that wait, and later ones that would. */
  function refuseWaiting(): void {
    isRefusing = true;
    for (const refuse of waiting) refuse(false);
    waiting.clear();
  }
}
