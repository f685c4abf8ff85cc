/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). `GET /posts`: the posts of an article; `/posts/counts`:
 *  their numbers. */

import * as z from 'zod';
import {
  countCodePoints, IDEMPOTENCY_REPLAYED_HEADER, isBlank, type NewPost, type Post, type PostCounts, type PostCreated,
} from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { HookTools, PrepareContext } from '../config/types.ts';
import type { RunHook } from '../hooks.ts';
import { refusedOrigin } from '../http/guards.ts';
import { ProblemError } from '../problem.ts';
import { toProblemError } from '../http/problem-response.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { clientOf, contextOf, languagesOf, parseIdempotencyKey, queryOf, requireForum, singleValue } from '../http/request.ts';
import { parseInput, text, textUpTo, upTo } from '../lib/input.ts';
import { localize, localizedText, type LocalizedText } from '../lib/localize.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceClient } from '../service/client.ts';
import type { AcceptedUser } from '../session/accepted-user.ts';
import type { Sessions } from '../session/session.ts';
import type { Param } from '../signing/normalize-params.ts';
import type { Records } from '../store/records.ts';
import { COUNT_MS, createCounts } from './counts.ts';
import { createOnce, type PostRecord } from './idempotency.ts';
import { ENTRY, listedPost, postEntry } from './entry.ts';
import { FRESH_MS, orders, type PostCaches, type PostListQuery, type PostLists } from './list.ts';

const PAGE_MAX_LENGTH = 2_048;
const CURSOR_MAX_LENGTH = 512 + 64;
const MAX_PAGES = 50;

/** Posts of one reader at the service at the same time. */
const MAX_IN_FLIGHT = 4;

/** Parameters of the request itself and attributes of its signature (interface 4.1, 5.2). */
const RESERVED: ReadonlySet<string> = new Set([
  'forum', 'message', 'id', 'nonce', 'body-hash', 'mac', 'access_token', 'client_id', 'client_secret', 'api_key', 'api_secret',
]);

const newPost = z.strictObject({
  forum: text, message: text, page: text.optional(), parent: upTo(255).optional(), expected_user_id: text.optional(),
});

const prepareResult = z.union([
  z.strictObject({
    ok: z.literal(true),
    params: z.record(
      z.string().regex(/^[A-Za-z][\w.-]{0,63}$/).refine((name) => !RESERVED.has(name.toLowerCase())),
      z.union([textUpTo(4_096), z.number()]).optional(),
    ).refine((params) => Object.keys(params).length <= 32).optional(),
  }),
  z.strictObject({ ok: z.literal(false), reason: localizedText.optional() }),
]);

export interface PostHandlersDeps {
  readonly config: Config;
  readonly sessions: Sessions;
  readonly service: ServiceClient;
  readonly records: { readonly posts: Records<PostRecord> };
  readonly lists: PostLists | undefined;
  readonly caches: PostCaches;
  readonly limits: Pick<RateLimits, 'lists'>;
  readonly runHook: RunHook;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
}

export function createPostHandlers(deps: PostHandlersDeps) {
  const { config, sessions, service, lists, limits, runHook, metrics, now } = deps;
  const { prepare, created, count } = config.posts;
  const counts = count && createCounts(count, runHook, deps.caches.counts, config.siteKey);
  const inFlight = new Map<string, number>();
  const once = createOnce(deps.records.posts, config);
  return { createPost, listPosts, countPosts };

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const reader = await sessions.require(req);
    const { user, session } = reader;
    const { expected_user_id = user.user_id, ...draft } = parseNewPost(req.body, config);
    const { forum, message, page, parent } = draft;
    if (expected_user_id !== user.user_id) {
      throw new ProblemError('user-changed', { user, detail: 'Another account is signed in now. The comment was not posted.' });
    }
    const key = parseIdempotencyKey(req);
    const expire = () => { if (page !== undefined) lists?.expire({ forum, page }); };
    const posting = metrics.posts.track(() => once({
      id: { tag: session.tag, id: sha256(session.readerKey, key) },
      started: { body: sha256(forum, message, page ?? '', ...(parent === undefined ? [] : [parent])), request_id: contextOf(req).id },
      prepare: prepare && (() => prepareParams(prepare, { ...draft, user, client: clientOf(req) }, languagesOf(req))),
      create: (params) => inTurn(session.readerKey, () => service.createPost(draft, sessions.tokenOf(reader), params))
        .catch(async (error: unknown) => {
          // A session that the store cannot end now ends with the next refusal.
          if (toProblemError(error).type === 'not-signed-in') await sessions.end(session).catch(() => undefined);
          throw error;
        }),
    }), (done) => (done.replayed ? 'replayed' : 'created'));
    // And after the response: a host that keeps the list itself adds the post then.
    const { post, replayed } = await posting.finally(expire);
    res.once('close', expire);
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    const listed = await listedOf(req, post, draft, user);
    res.status(201).json({ post, ...(listed && { listed }) });
  }

  /** Bounds the posts of one reader in flight: a service that hangs leaves room for the others.
   *  @throws {ProblemError} `service-unavailable` */
  async function inTurn<T>(reader: string, work: () => Promise<T>): Promise<T> {
    const count = inFlight.get(reader) ?? 0;
    if (count >= MAX_IN_FLIGHT) {
      throw new ProblemError('service-unavailable', {
        detail: 'Your earlier comments are still being sent. Please try again in a moment.',
        retryAfterSeconds: 2,
        diagnosis: { reason: `${MAX_IN_FLIGHT} posts of one reader are in flight`, setting: 'the service, which answers slowly' },
      });
    }
    inFlight.set(reader, count + 1);
    try {
      return await work();
    } finally {
      const left = (inFlight.get(reader) ?? 1) - 1;
      if (left > 0) inFlight.set(reader, left);
      else inFlight.delete(reader);
    }
  }

  /** The entry of a new post. A failure of the hook costs only that. */
  async function listedOf(req: Request, post: Post, draft: NewPost, user: AcceptedUser): Promise<PostCreated['listed']> {
    if (!created) return post['isApproved'] === false ? { state: 'pending' } : undefined;
    const { message: _, ...context } = draft;
    return runHook({
      name: 'posts.created',
      hook: created,
      context: { ...context, post, user },
      result: postEntry.nullish(),
      expected: `${ENTRY}, or undefined`,
      detail: '',
    }).then((entry) => entry ? { ...listedPost(entry), state: entry.state ?? 'published' } as const : undefined, (error: unknown) => {
      const { diagnosis, options } = toProblemError(error);
      deps.log.error({ request_id: contextOf(req).id, ...diagnosis, err: options.cause }, 'posts.created failed; the post is there');
      return undefined;
    });
  }

  async function prepareParams(
    hook: NonNullable<typeof prepare>, context: Omit<PrepareContext, keyof HookTools>, languages: readonly string[],
  ): Promise<Param[]> {
    const result = await runHook({
      name: 'posts.prepare',
      hook,
      context,
      result: prepareResult,
      expected: '{ ok: true, params? } with texts or numbers as values and no reserved names, or { ok: false, reason? }',
      detail: 'This site could not check your comment just now. Your text is kept: please try again.',
    });
    if (!result.ok) throw rejection(result.reason, languages);
    return Object.entries(result.params ?? {})
      .flatMap(([name, value]): Param[] => (value === undefined ? [] : [[name, String(value)]]));
  }

  async function listPosts(req: Request, res: Response): Promise<void> {
    // Also without a hook: after a request without a response, the widget asks whether the page is accepted.
    const params = queryOf(req);
    const [forum, page, order, cursor] = ['forum', 'page', 'order', 'cursor'].map((name) => singleValue(params, name));
    const query = parseListQuery(config, { forum, page, order, cursor });
    if (!lists) throw new ProblemError('not-found');
    const { body, etag, readAt } = await lists.find(query, () => limits.lists(req, res));
    const ttlSeconds = Math.round((readAt + FRESH_MS - now()) / 1000);
    res.set({
      'Cache-Control': `public, max-age=${Math.max(ttlSeconds, 1)}`,
      // RFC 9211: a negative ttl marks a stale response.
      ...(ttlSeconds < 0 && { 'Cache-Status': `vestibule; hit; ttl=${ttlSeconds}` }),
      ETag: etag,
      'Content-Type': 'application/json; charset=utf-8',
    });
    res.send(body);
  }

  async function countPosts(req: Request, res: Response<PostCounts>): Promise<void> {
    if (!counts) throw new ProblemError('not-found');
    const params = queryOf(req);
    const forum = requireForum(config.forums, singleValue(params, 'forum'));
    const given = params.getAll('page');
    if (given.length === 0 || given.length > MAX_PAGES) {
      throw new ProblemError('invalid-request', { detail: `page must be there once to ${MAX_PAGES} times.` });
    }
    const pages = given.map((page) => pageOf(page, config.origins));
    const found = await counts(forum, pages.filter((page) => page !== null), () => limits.lists(req, res));
    const next = found.values();
    res.set('Cache-Control', `public, max-age=${COUNT_MS / 1000}`);
    res.json({ counts: pages.map((page) => (page === null ? null : next.next().value ?? null)) });
  }
}

/** `post-rejected` with the hook's reason, or with a sentence of ours. */
function rejection(reason: LocalizedText | undefined, languages: readonly string[]): ProblemError {
  const detail = localize(reason ?? '', languages);
  return new ProblemError('post-rejected', detail === '' ? {} : { detail });
}

/** @throws {ProblemError} `invalid-request`, `message-too-long`, `forum-not-allowed` */
function parseNewPost(body: unknown, { messageMaxLength, forums, origins, posts }: Config): NewPost {
  const { page, message, ...rest } = parseInput(newPost, body);
  if (rest.parent !== undefined && !posts.replies) throw new ProblemError('invalid-request', { detail: 'parent: this site takes no replies.' });
  if (isBlank(message)) throw new ProblemError('invalid-request', { detail: 'message must contain visible text.' });
  if (countCodePoints(message) > messageMaxLength) {
    throw new ProblemError('message-too-long', { detail: `The comment is longer than ${messageMaxLength} characters.` });
  }
  requireForum(forums, rest.forum);
  return { ...rest as Omit<NewPost, 'message'>, message, ...(page !== undefined && { page: parsePage(page, origins) }) };
}

/** @throws {ProblemError} `invalid-request`, `forum-not-allowed` */
export function parseListQuery(
  { forums, origins }: Pick<Config, 'forums' | 'origins'>,
  { forum, page, order = 'newest', cursor }: Readonly<Partial<Record<'forum' | 'page' | 'order' | 'cursor', string | undefined>>>,
): PostListQuery {
  const known = orders.find((one) => one === order);
  if (!known) throw new ProblemError('invalid-request', { detail: `order must be ${orders.join(' or ')}.` });
  if (page === undefined) throw new ProblemError('invalid-request', { detail: 'page is missing.' });
  if (cursor !== undefined && (cursor === '' || cursor.length > CURSOR_MAX_LENGTH)) {
    throw new ProblemError('invalid-request', { detail: `cursor must hold 1 to ${CURSOR_MAX_LENGTH} characters.` });
  }
  const query = { forum: requireForum(forums, forum), page: parsePage(page, origins), order: known };
  return cursor === undefined ? query : { ...query, cursor };
}

/** The page's URL, normalized. @throws {ProblemError} `invalid-request` */
function parsePage(page: string, origins: readonly string[]): string {
  const allowed = pageOf(page, origins);
  if (allowed !== null) return allowed;
  const url = URL.parse(page);
  const isForeign = url !== null && !origins.includes(url.origin);
  throw new ProblemError('invalid-request', {
    detail: 'page must be an http or https URL on an allowed origin, without credentials or fragment, '
      + `of at most ${PAGE_MAX_LENGTH} characters.`,
    diagnosis: isForeign ? refusedOrigin(url, origins) : { reason: 'page is not an http or https URL', setting: 'the attribute page' },
  });
}

function pageOf(page: string, origins: readonly string[]): string | null {
  const isPlain = page.length <= PAGE_MAX_LENGTH && /^https?:\/\//i.test(page) && !/[\s\p{Cc}\\#]/u.test(page);
  const url = isPlain ? URL.parse(page) : null;
  const isAllowed = url !== null && url.username === '' && url.password === '' && origins.includes(url.origin);
  return isAllowed ? url.href : null;
}
