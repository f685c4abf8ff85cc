/** Client of the BFF's HTTP interface (contract, section 2). Every failure is a `BffError`; an aborted request rejects with the
 *  reason of its signal. */

import { endpoints, IDEMPOTENCY_KEY_HEADER } from '@vestibule/shared';
import type {
  Endpoint, NewPost, PostCreated, PostList, PostOrder, SessionView, SyncCancellation, SyncOutcome, SyncStart, SyncValidation,
} from '@vestibule/shared';
import { randomKey } from '../lib/random-key.ts';
import { authorizeUrl, type AuthorizationStart } from './address.ts';
import { foreignProblem, isJson } from './foreign-response.ts';
import { networkProblem } from './network-problem.ts';
import { BffError, isProblem, type WidgetProblem, type WidgetProblemType } from './problem.ts';

const TIMEOUT_MS = 15_000;

/** A browser refuses more than 64 KiB in flight with `keepalive`. */
const KEEPALIVE_BYTES = 60 * 1024;

/** Problems behind which a mistake of the page's developers may be. */
const MISTAKES: readonly WidgetProblemType[] = ['cross-site-request', 'untrusted-return-uri', 'forum-not-allowed', 'invalid-request', 'not-found'];

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** BCP 47 tag, sent as `Accept-Language`: the language of labels and reasons. Default: the browser's. */
  readonly language?: string | undefined;
}

interface RequestParts extends RequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly key?: string;
  readonly init?: RequestInit;
}

export interface PostListQuery {
  readonly forum: string;
  /** URL of the article. */
  readonly page: string;
  /** Default: `newest`. A cursor keeps its order. */
  readonly order?: PostOrder | undefined;
  /** `next_cursor` of the list before. */
  readonly cursor?: string | undefined;
}

export class BffClient {
  readonly base: URL;
  /** Keys of started sign-ins by code. */
  readonly #startKeys = new Map<string, string>();

  /** `base` is the BFF's public URL, ending in `/`. */
  constructor(base: URL) {
    this.base = base;
  }

  async getSession(options?: RequestOptions): Promise<SessionView> {
    const view = await this.#fetch<SessionView>(endpoints.session, options);
    // In a sign-in window the page that opened it reports this.
    if (view.notice?.instance !== undefined && !window.opener) {
      import('./hints.ts').then(({ reportMistake }) => reportMistake('forum-unknown-to-service', { bff: this.base.href }), reportError);
    }
    return view;
  }

  /** Safe to repeat after a lost response: a repeated request carries the same key and gets the same sign-in. */
  startSync(start: SyncStart, options?: RequestOptions): Promise<SessionView> {
    const key = this.#startKeys.get(start.code) ?? randomKey();
    this.#startKeys.set(start.code, key);
    return this.#fetch<SessionView>(endpoints.syncStart, { ...options, body: start, key });
  }

  validate(validation: SyncValidation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncValidation, { ...options, body: validation });
  }

  cancelSync(cancellation: SyncCancellation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncCancel, { ...options, body: cancellation });
  }

  /** Safe to repeat with the same `idempotencyKey` after a lost response. The request goes on when the page is left, and when
   *  the signal aborts: only its response is dropped. */
  createPost(post: NewPost, idempotencyKey: string, options?: RequestOptions): Promise<PostCreated> {
    return this.#fetch<PostCreated>(endpoints.posts, { ...options, body: post, key: idempotencyKey });
  }

  /** Public: without credentials, from the browser's cache while it is fresh. */
  listPosts({ forum, page, order, cursor }: PostListQuery, options?: RequestOptions): Promise<PostList> {
    const query = { forum, page, ...(order === 'oldest' && { order }), ...(cursor !== undefined && { cursor }) };
    return this.#fetch<PostList>(endpoints.postList, { ...options, query, init: { credentials: 'omit', cache: 'default' } });
  }

  async signOut(options?: RequestOptions): Promise<void> {
    await this.#fetch(endpoints.signOut, options);
  }

  /** URL that starts the standard variant. */
  authorizeUrl(start: AuthorizationStart): string {
    return authorizeUrl(this.base, start);
  }

  /** URL of the page with the validation form. */
  formUrl(): string {
    return this.#urlOf(endpoints.syncForm).href;
  }

  /** Reports to developers the mistake behind a refused authorization request. */
  reportRefusal(problem: WidgetProblem, forum: string): void {
    this.#reportMistake(problem, endpoints.syncAuthorize, { query: { forum } });
  }

  #urlOf({ path }: Endpoint, query?: Readonly<Record<string, string>>): URL {
    const url = new URL(`.${path}`, this.base);
    if (query) url.search = new URLSearchParams(query).toString();
    return url;
  }

  async #fetch<Answer = undefined>(endpoint: Endpoint, parts: RequestParts = {}): Promise<Answer> {
    const { signal, query, key, init, language } = parts;
    const body = parts.body ? JSON.stringify(parts.body) : null;
    const isPost = endpoint === endpoints.posts;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#urlOf(endpoint, query), {
        method: endpoint.method,
        credentials: 'include',
        redirect: 'manual',
        cache: 'no-store',
        keepalive: isPost && new Blob([body!]).size < KEEPALIVE_BYTES,
        ...init,
        headers: {
          Accept: 'application/json, application/problem+json',
          ...(language && { 'Accept-Language': language }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...(key && { [IDEMPOTENCY_KEY_HEADER]: key }),
        },
        body,
        signal: signal && !isPost ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const isRefused = cause instanceof TypeError && navigator.onLine && this.base.origin !== location.origin;
      if (isRefused) this.#reportMistake(networkProblem, endpoint, parts);
      throw new BffError(networkProblem, { cause });
    }
    signal?.throwIfAborted();
    if (response.status === 204) return undefined as Answer;
    const answer = parseAnswer(response, text);
    if (response.ok && isObject(answer)) return answer as Answer;
    const isOwn = !response.ok && isProblem(answer);
    const problem = isOwn ? answer : foreignProblem(response, endpoint);
    const error = new BffError(problem, { retryAfterSeconds: retryAfter(response.headers.get('Retry-After')) });
    if (!isOwn || MISTAKES.includes(error.type)) this.#reportMistake(problem, endpoint, parts, isOwn ? undefined : response);
    throw error;
  }

  /** In the background, to the page's developers.
   *  @param foreign a response that is not the BFF's */
  #reportMistake(problem: WidgetProblem, endpoint: Endpoint, { query, body }: RequestParts, foreign?: Response): void {
    import('./hints.ts').then(({ reportFailure }) => {
      reportFailure(problem, { base: this.base, endpoint, parameters: { ...body, ...query }, foreign });
    }, () => {});
  }
}

/** `undefined`: no JSON. */
function parseAnswer(response: Response, text: string): unknown {
  if (!isJson(response)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Retry-After` (RFC 9110, section 10.2.3) in seconds, from seconds or a date. */
function retryAfter(value: string | null): number | undefined {
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
