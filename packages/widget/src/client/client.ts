/** Client of the BFF's HTTP interface (contract, section 2). Every failure is a `BffError`; an aborted request rejects with the
 *  reason of its signal. */

import { endpoints, IDEMPOTENCY_KEY_HEADER, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import type {
  Endpoint, NewPost, PostConversation, PostCreated, PostList, PostOrder, Problem, SessionView, SyncCancellation, SyncOutcome,
  SyncDisplay, SyncStart, SyncValidation,
} from '@vestibule/shared';
import { isPageLeft } from '../lib/page-left.ts';
import { randomKey } from '../lib/random-key.ts';
import { withoutCredentials } from './address.ts';
import { fetchPublic, isJson } from './fetch-public.ts';
import { networkProblem, type WidgetProblem, type WidgetProblemType } from './problem.ts';

const TIMEOUT_MS = 15_000;
/** Of a post: its response counts also when it is late. */
const POST_TIMEOUT_MS = 60_000;

/** How old a list may be, in ms: a BFF serves one of a minute while it reads a new one, and a browser keeps that for a second. */
export const LIST_AGE_MS = 61_000;

/** A browser refuses more than 64 KiB in flight with `keepalive`, all requests of the page together. */
const KEEPALIVE_BYTES = 60 * 1024;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** BCP 47 tag, sent as `Accept-Language`: the language of labels and reasons. Default: the browser's. */
  readonly language?: string | undefined;
}

interface RequestParts extends RequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly key?: string;
  readonly isPublic?: boolean;
  /** Default: `TIMEOUT_MS`. */
  readonly timeoutMs?: number;
  /** The answer of the BFF always has this member. None: it is 204, or each member is optional. */
  readonly member?: string;
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

/** Every failure of a request to the BFF. Its message contains the problem's type and nothing of the request. */
export class BffError extends Error {
  override readonly name = 'BffError';
  readonly problem: WidgetProblem;
  /** Of `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: WidgetProblem, retryAfterSeconds?: number, options?: ErrorOptions) {
    super(problem.type, options);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The problem's name without its prefix. */
  get type(): WidgetProblemType {
    return this.problem.type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  }
}

export class BffClient {
  readonly base: URL;
  /** `Idempotency-Key` of the sign-ins that this client starts. The BFF tells them apart by their codes. */
  readonly #startKey = randomKey();

  /** `base` is the BFF's public URL, ending in `/`. */
  constructor(base: URL) {
    this.base = base;
  }

  /** @param isChanged asks at an address that no cache knows: a service worker or a proxy may have a response from before a
   *  sign-in or a sign-out */
  getSession({ isChanged, ...options }: RequestOptions & { readonly isChanged?: boolean } = {}): Promise<SessionView> {
    const query = isChanged ? { t: randomKey() } : undefined;
    return this.#fetch<SessionView>(endpoints.session, { ...options, member: 'state', ...(query && { query }) });
  }

  /** Safe to repeat after a lost response: a repeated request carries the same key and gets the same sign-in. */
  startSync(start: SyncStart, options?: RequestOptions): Promise<SessionView> {
    return this.#fetch<SessionView>(endpoints.syncStart, { ...options, body: start, key: this.#startKey, member: 'state' });
  }

  validate(validation: SyncValidation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncValidation, { ...options, body: validation, member: 'outcome' });
  }

  cancelSync(cancellation: SyncCancellation, options?: RequestOptions): Promise<SyncOutcome> {
    return this.#fetch<SyncOutcome>(endpoints.syncCancel, { ...options, body: cancellation, member: 'outcome' });
  }

  /** Safe to repeat with the same `idempotencyKey` after a lost response. The request goes on when the page is left, and when
   *  the signal aborts: only its response is dropped. */
  createPost(post: NewPost, idempotencyKey: string, options?: RequestOptions): Promise<PostCreated> {
    return this.#fetch<PostCreated>(endpoints.posts, {
      ...options, body: post, key: idempotencyKey, timeoutMs: POST_TIMEOUT_MS, member: 'post',
    });
  }

  /** Public: from the browser's cache while it is fresh. */
  listPosts({ forum, page, order, cursor }: PostListQuery, options?: RequestOptions): Promise<PostList> {
    const query = { forum, page, ...(order !== undefined && order !== 'newest' && { order }), ...(cursor !== undefined && { cursor }) };
    return this.#fetch<PostList>(endpoints.postList, { ...options, query, isPublic: true, member: 'posts' });
  }

  /** Public, as lists are. */
  getConversation(id: string, query: Readonly<Record<string, string>>, options?: RequestOptions): Promise<PostConversation> {
    return this.#fetch<PostConversation>(ofPost(endpoints.postConversation, id), { ...options, query, isPublic: true, member: 'posts' });
  }

  /** Edits, removes or likes the post `id`; safe to repeat. The request goes on when the page is left. */
  act<Answer = undefined>(endpoint: Endpoint, id: string, parts: Pick<RequestParts, 'query' | 'body' | 'language' | 'member'>): Promise<Answer> {
    return this.#fetch<Answer>(ofPost(endpoint, id), parts);
  }

  /** @param session ends no other one */
  async signOut(session: string | undefined, options?: RequestOptions): Promise<void> {
    await this.#fetch(endpoints.signOut, { ...options, ...(session && { query: { session } }) });
  }

  /** URL of the page with the validation form.
   *  @param opener origin of this page
   *  @param lang of this page; empty: the browser's */
  formUrl(opener: string, lang: string): string {
    return this.#urlOf(endpoints.syncForm, { opener, ...(lang && { lang }) });
  }

  /** Reports to developers the mistake behind a refused authorization request. */
  reportRefusal(problem: WidgetProblem, forum: string): void {
    this.#reportMistake(problem, endpoints.syncAuthorize, { body: { forum } });
  }

  /** A string: scripts that wrap `fetch` often take no `URL`. */
  #urlOf({ path }: Endpoint, query?: Readonly<Record<string, string>>): string {
    const url = new URL(`.${path}`, this.base);
    if (query) url.search = new URLSearchParams(query).toString();
    return url.href;
  }

  async #fetch<Answer = undefined>(endpoint: Endpoint, parts: RequestParts = {}): Promise<Answer> {
    const { signal, query, key, isPublic, language, timeoutMs = TIMEOUT_MS, member } = parts;
    const body = parts.body ? JSON.stringify(parts.body) : null;
    const isPost = isPostOrAct(endpoint);
    const timeout = AbortSignal.timeout(timeoutMs);
    const startedAt = Date.now();
    let response: Response;
    let text: string;
    try {
      const url = this.#urlOf(endpoint, query);
      const init: RequestInit = {
        method: endpoint.method,
        credentials: 'include',
        redirect: 'manual',
        cache: isPublic ? 'default' : 'no-store',
        // Also if the page is left.
        keepalive: endpoint === endpoints.signOut || (isPost && new Blob([body ?? '']).size < KEEPALIVE_BYTES),
        headers: {
          Accept: 'application/json, application/problem+json',
          ...(language && { 'Accept-Language': language }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...(key && { [IDEMPOTENCY_KEY_HEADER]: key }),
        },
        body,
        signal: signal && !isPost ? AbortSignal.any([signal, timeout]) : timeout,
      };
      const send = isPublic ? fetchPublic : sendOnce;
      response = await send(url, init).catch((error: unknown) => {
        // Other requests of the page may have used up what it may send with `keepalive`. Other failures look alike: the key, or
        // what the request does, makes a repetition safe. A machine that slept meanwhile sends nothing: the press is old.
        const isRefused = isPost && init.keepalive && error instanceof TypeError && Date.now() - startedAt < timeoutMs;
        if (isRefused && !isPageLeft()) return sendOnce(url, { ...init, keepalive: false });
        throw error;
      });
      text = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const isRefused = cause instanceof TypeError && navigator.onLine && this.base.origin !== globalThis.origin;
      if (isRefused) this.#reportMistake(networkProblem, endpoint, parts);
      throw new BffError(networkProblem, undefined, { cause });
    }
    signal?.throwIfAborted();
    const answer = response.status === 204 ? {} : parseAnswer(response, text);
    if (response.ok && typeof answer === 'object' && answer && (!member || member in answer)) return answer as Answer;
    const isOwn = !response.ok && isProblem(answer);
    const problem = isOwn ? answer : foreignProblem(response, endpoint);
    this.#reportMistake(problem, endpoint, parts, !isOwn);
    const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
    throw new BffError(problem, Number.isNaN(seconds) ? undefined : seconds);
  }

  /** In the background, to the page's developers. @param isForeign the response is not the BFF's */
  #reportMistake(problem: WidgetProblem, endpoint: Endpoint, { query, body }: RequestParts, isForeign = false): void {
    const { forum, page } = { ...query, ...body } as { forum?: string; page?: string };
    import('./hints.ts').then(({ reportFailure }) => reportFailure(problem, { base: this.base, endpoint, forum, page, isForeign }), () => {});
  }
}

/** URL that starts the standard variant of the sign-in (`GET /sync/authorize`).
 *  @param returnTo URL that the reader returns to; of a page that opens a window, the server needs the origin only
 *  @param lang of the page; empty: the browser's
 *  @param isPost a text waits for the sign-in */
export function authorizeUrl(
  base: URL, forum: string, returnTo: string, display: SyncDisplay, lang: string, isPost: boolean,
): string {
  // A frame whose document stands in an attribute has no address, and the origin of its page.
  const url = withoutCredentials(new URL(returnTo === 'about:srcdoc' ? globalThis.origin : returnTo));
  const query = new URLSearchParams({ forum, return_to: display === 'popup' ? `${url.origin}/` : url.href, display, ...(lang && { lang }), ...(isPost && { post: '1' }) });
  return `${new URL('sync/authorize', base).href}?${query}`;
}

/** The request changes comments. */
function isPostOrAct({ method, path }: Endpoint): boolean {
  return method !== 'GET' && path.startsWith('/posts');
}

function ofPost(endpoint: Endpoint, id: string): Endpoint {
  return { ...endpoint, path: endpoint.path.replace('{id}', () => encodeURIComponent(id)) };
}

/** The page may have replaced `fetch` by a function that throws or returns another kind of promise. */
async function sendOnce(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init);
}

/** `undefined`: no JSON. */
function parseAnswer(response: Response, text: string): unknown {
  try {
    return isJson(response) ? JSON.parse(text) : undefined;
  } catch {}
}

const FOREIGN_TYPES: Readonly<Record<number, WidgetProblemType>> = {
  403: 'firewall', 413: 'payload-too-large', 429: 'too-many-requests',
};

/** The problem of a response that is not the BFF's: a proxy has replaced it, a firewall has refused the request, or the address
 *  is another page's. Its status decides. The identical request is repeated only after a failure that may be temporary. */
function foreignProblem(response: Response, endpoint: Endpoint): WidgetProblem {
  const { ok, status, type: responseType } = response;
  // There is another page at the BFF's address, or a redirect to one.
  const isPage = (ok && !isJson(response)) || [404, 405, 410].includes(status) || responseType === 'opaqueredirect';
  let type = FOREIGN_TYPES[status];
  if (endpoint === endpoints.session && isPage) type = 'not-found';
  // Nothing was done. A redirect has the status 0.
  else if (isPostOrAct(endpoint) && status < 500) type ??= 'invalid-request';
  return {
    ...networkProblem,
    type: `urn:vestibule:${type ?? 'network'}`,
    status,
    detail: type ? '' : networkProblem.detail,
    retryable: type !== 'not-found' && type !== 'invalid-request' && (ok || status === 429 || status >= 500),
  };
}

/** Whether `value` has the members of a problem of the contract. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { type, title, status, detail, retryable } = value as Record<string, unknown>;
  return typeof type === 'string' && type.startsWith(PROBLEM_TYPE_PREFIX) && typeof title === 'string'
    && typeof status === 'number' && typeof detail === 'string' && typeof retryable === 'boolean';
}
