/** Client of the BFF's HTTP interface (contract, section 2). Every failure is a `BffError`; an aborted request rejects with the
 *  reason of its signal. */

import { endpoints, IDEMPOTENCY_KEY_HEADER } from '@vestibule/shared';
import type {
  Endpoint, NewPost, PostCreated, PostList, PostOrder, SessionView, SyncCancellation, SyncOutcome, SyncStart, SyncValidation,
} from '@vestibule/shared';
import { randomKey } from '../lib/random-key.ts';
import { authorizeUrl, type AuthorizationStart } from './address.ts';
import { networkProblem } from './network-problem.ts';
import { BffError, isProblem, type WidgetProblem } from './problem.ts';

const TIMEOUT_MS = 15_000;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

interface RequestParts extends RequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly init?: RequestInit;
}

export interface PostListQuery {
  readonly forum: string;
  /** URL of the article. */
  readonly page: string;
  /** Default: `newest`. */
  readonly order?: PostOrder | undefined;
  /** `next_cursor` of the list before. */
  readonly cursor?: string | undefined;
}

export class BffClient {
  readonly base: URL;
  /** Sent as `Accept-Language`: the language of the form's labels. Default: the browser's. */
  language = '';
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
    return this.#fetch<SessionView>(endpoints.syncStart, { ...options, body: start, headers: { [IDEMPOTENCY_KEY_HEADER]: key } });
  }

  validate(validation: SyncValidation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncValidation, { ...options, body: validation });
  }

  cancelSync(cancellation: SyncCancellation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncCancel, { ...options, body: cancellation });
  }

  /** Safe to repeat with the same `idempotencyKey` after a lost response. */
  createPost(post: NewPost, idempotencyKey: string, options?: RequestOptions): Promise<PostCreated> {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey };
    return this.#fetch<PostCreated>(endpoints.posts, { ...options, body: post, headers });
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

  /** The problem of a refused authorization request (`authorizeUrl`), in words about the page where it caused the problem. */
  explainRefusal(problem: WidgetProblem, url: string): Promise<WidgetProblem> {
    return this.#explain(problem, endpoints.syncAuthorize, new URL(url));
  }

  #explain(problem: WidgetProblem, endpoint: Endpoint, url: URL, body?: object): Promise<WidgetProblem> {
    return import('./hints.ts')
      .then(({ explain }) => explain(problem, { base: this.base, endpoint, url, body }))
      .then((explained) => explained ?? problem, () => problem);
  }

  #urlOf({ path }: Endpoint, query?: Readonly<Record<string, string>>): URL {
    const url = new URL(`.${path}`, this.base);
    if (query) url.search = new URLSearchParams(query).toString();
    return url;
  }

  /** If a mistake of the page causes a failure, the problem describes it to the reader, and a console message to developers. */
  async #fetch<Answer = undefined>(endpoint: Endpoint, parts: RequestParts = {}): Promise<Answer> {
    try {
      return await this.#send(endpoint, parts);
    } catch (error) {
      if (!(error instanceof BffError) || !mayBeMistake(error)) throw error;
      const { problem, retryAfterSeconds, cause } = error;
      const explained = await this.#explain(problem, endpoint, this.#urlOf(endpoint, parts.query), parts.body);
      parts.signal?.throwIfAborted();
      throw explained === problem ? error : new BffError(explained, { retryAfterSeconds, cause });
    }
  }

  async #send<Answer>(endpoint: Endpoint, { signal, query, body, headers, init }: RequestParts): Promise<Answer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#urlOf(endpoint, query), {
        method: endpoint.method,
        credentials: 'include',
        redirect: 'error',
        cache: 'no-store',
        ...init,
        headers: {
          Accept: 'application/json, application/problem+json',
          ...(this.language && { 'Accept-Language': this.language }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body ? JSON.stringify(body) : null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new BffError(networkProblem, { cause });
    }
    signal?.throwIfAborted();
    if (response.status === 204) return undefined as Answer;
    const answer = parseAnswer(response, text);
    if (response.ok && isObject(answer)) return answer as Answer;
    const { status } = response;
    const isTransient = response.ok || status >= 500 || status === 429;
    const problem = !response.ok && isProblem(answer) ? answer : { ...networkProblem, status, retryable: isTransient };
    throw new BffError(problem, {
      retryAfterSeconds: retryAfter(response.headers.get('Retry-After')),
      cause: isJson(response) ? undefined : new TypeError('The response is not JSON.'),
    });
  }
}

/** Not an outage: `fetch` failed while the browser was online, or something else than the BFF answered. */
function mayBeMistake({ type, problem: { status }, cause }: BffError): boolean {
  if (type !== 'network') return ['cross-site-request', 'forum-not-allowed', 'invalid-request', 'not-found'].includes(type);
  return cause instanceof TypeError && navigator.onLine && (status < 300 || [404, 405, 410].includes(status));
}

function parseAnswer(response: Response, text: string): unknown {
  if (!isJson(response)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJson({ headers }: Response): boolean {
  return /^application\/(problem\+)?json\b/i.test(headers.get('Content-Type') ?? '');
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
