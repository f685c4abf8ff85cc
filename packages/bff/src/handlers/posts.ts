/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). `GET /posts`: the posts of an article;
 *  `/posts/{id}/conversation`: one of their conversations; `/posts/counts`: their numbers. */

import { IDEMPOTENCY_REPLAYED_HEADER, type NewPost, type Post, type PostCounts, type PostCreated } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { clientOf, contextOf, languagesOf, parseIdempotencyKey, queryOf, singleValue, valuesOf } from '../http/request.ts';
import { sha256, type UserKeys } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';
import type { Metrics } from '../metrics.ts';
import { requireForum } from '../lib/input.ts';
import { ProblemError } from '../problem.ts';
import type { ServiceClient } from '../service/client.ts';
import { shownUser, type Reader, type Sessions } from '../session/session.ts';
import type { Param } from '../signing/normalize-params.ts';
import type { Records } from '../store/records.ts';
import { toProblemError } from '../to-problem-error.ts';
import { COUNT_MS, createCountCache, createCounts } from '../posts/counts.ts';
import { listedPost } from '../posts/entry.ts';
import { createOnce, type PostRecord } from '../posts/idempotency.ts';
import { createPostConversations } from '../posts/conversation.ts';
import type { FindPosts } from '../posts/list.ts';
import { pageOf, parseConversationQuery, parseListQuery, parseNewPost, rejection } from '../posts/parse.ts';
import { FRESH_MS, type CachedRead } from '../posts/reads.ts';

/** A request of counts is one read: of so many pages at most. */
const MAX_PAGES = 10;

export interface PostHandlersDeps {
  readonly config: Config;
  readonly sessions: Sessions;
  readonly userKeys: UserKeys;
  readonly service: ServiceClient;
  readonly records: Records<PostRecord>;
  readonly findPosts: FindPosts;
  readonly limits: Pick<RateLimits, 'lists'>;
  readonly hooks: Hooks;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly now: Clock;
}

export function createPostHandlers(deps: PostHandlersDeps) {
  const { config, sessions, service, findPosts, limits, hooks, metrics, now } = deps;
  const counts = createCounts({ hooks, cache: createCountCache(), now });
  const once = createOnce(deps.records, config);
  const findConversation = createPostConversations(deps);
  return { createPost, listPosts, showConversation, countPosts };

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const reader = await sessions.require(req);
    const { user } = reader;
    const { token, end } = sessions.callerOf(reader);
    const { expected_user_id = user.user_id, ...draft } = parseNewPost(req.body, config);
    const { forum, message, page, parent } = draft;
    if (expected_user_id !== user.user_id) {
      throw new ProblemError('user-changed', {
        user: shownUser(reader), detail: 'Another account is signed in now. The comment was not posted.',
      });
    }
    const id = recordIdOf(reader, parseIdempotencyKey(req));
    const { post, replayed } = await metrics.posts.countOutcomeOf(() => once({
      id,
      started: { body: sha256(forum, message, page ?? '', ...(parent === undefined ? [] : [parent])), request_id: contextOf(req).id },
      prepare: hooks.has('posts.prepare') ? () => prepareParams(req, draft, reader) : undefined,
      create: (params) => service.createPost(draft, token, params).catch(async (error: unknown) => {
        if (toProblemError(error).type === 'not-signed-in') await end();
        throw error;
      }),
    }), (done) => (done.replayed ? 'replayed' : 'created'));
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    const listed = await listedOf({ ...draft, key: sha256(id.tag, id.id) }, post, reader).catch((error: unknown) => {
      const { type, diagnosis, options } = toProblemError(error);
      metrics.countFailure('post', type);
      deps.log.error({ request_id: contextOf(req).id, ...diagnosis, err: options.cause }, 'posts.created failed; the post is there');
      return undefined;
    });
    res.status(201).json({ post, ...(listed && { listed }) });
  }

  /** Of a proven reader: the same after a new sign-in and under other cookie secrets. */
  function recordIdOf({ user, session }: Reader, key: string) {
    const tag = sha256(user.user_id);
    return { tag, id: sha256(session.isUnproven ? session.readerKey : tag, key) };
  }

  /** The entry of a new post. @throws {ProblemError} of the hook */
  async function listedOf(created: NewPost & { readonly key: string }, post: Post, reader: Reader): Promise<PostCreated['listed']> {
    if (!hooks.has('posts.created')) return post['isApproved'] === false ? { state: 'pending' } : undefined;
    const entry = await hooks.run('posts.created', { ...created, post, user: reader.user }, sessions.callerOf(reader));
    // The claimed id of an unproven reader may be somebody else's.
    const key = reader.user.proven === false ? undefined : deps.userKeys.keyOf;
    return entry ? { ...listedPost(entry, key), state: entry.state ?? 'published' } : undefined;
  }

  async function prepareParams(req: Request, draft: NewPost, reader: Reader): Promise<Param[]> {
    const result = await hooks.run('posts.prepare', { ...draft, user: reader.user, client: clientOf(req) }, sessions.callerOf(reader));
    const refusal = `posts.prepare refused the post${draft.page === undefined ? ', which has no page' : ''}`;
    if (!result.ok) throw rejection(result.reason, languagesOf(req), config, refusal);
    return Object.entries(result.params ?? {})
      .flatMap(([name, value]): Param[] => (value === undefined ? [] : [[name, String(value)]]));
  }

  async function listPosts(req: Request, res: Response): Promise<void> {
    // Also without a hook: after a request without a response, the widget asks whether the page is accepted.
    const query = parseListQuery(config, valuesOf(queryOf(req), ['forum', 'page', 'order', 'cursor']));
    if (!findPosts) throw new ProblemError('not-found');
    sendPublic(res, await findPosts(query, () => limits.lists(req, res)));
  }

  async function showConversation(req: Request, res: Response): Promise<void> {
    const given = valuesOf(queryOf(req), ['forum', 'page']);
    const query = parseConversationQuery(config, { ...given, id: String(req.params['id']) });
    if (!findConversation) throw new ProblemError('not-found');
    sendPublic(res, await findConversation(query, () => limits.lists(req, res)));
  }

  function sendPublic(res: Response, { body, etag, readAt }: CachedRead<unknown>): void {
    const ttlSeconds = Math.round((readAt + FRESH_MS - now()) / 1000);
    res.set({
      'Cache-Control': `public, max-age=${Math.min(Math.max(ttlSeconds, 1), FRESH_MS / 1000)}`,
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
