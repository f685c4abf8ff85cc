/** `POST /posts`: creates a post on behalf of the reader. `GET /posts`: the posts of an article; `/posts/{id}/conversation`: one
 *  of their conversations; `/posts/counts`: their numbers. */

import { IDEMPOTENCY_REPLAYED_HEADER, type PostCounts, type PostCreated } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { contextOf } from '../http/frame.ts';
import { clientOf, languagesOf, parseIdempotencyKey, queryOf, singleValue, valuesOf } from '../http/request.ts';
import { requireForum } from '../input.ts';
import type { Clock } from '../lib/time.ts';
import type { FindConversation, FindPosts } from '../posts/list.ts';
import { COUNT_MS, type CountPosts } from '../posts/counts.ts';
import type { CreatePost } from '../posts/create.ts';
import { pageOf, parseConversationQuery, parseListQuery, parseNewPost } from '../posts/parse.ts';
import { FRESH_MS, type CachedRead } from '../posts/reads.ts';
import { ProblemError } from '../problem.ts';
import { shownUser, type Sessions } from '../session/session.ts';

/** A request of counts is one read: of so many pages at most. */
const MAX_PAGES = 10;

export interface PostHandlersDeps {
  readonly config: Config;
  readonly sessions: Pick<Sessions, 'require'>;
  readonly limits: Pick<RateLimits, 'lists'>;
  readonly create: CreatePost;
  readonly findPosts: FindPosts;
  readonly findConversation: FindConversation;
  readonly count: CountPosts;
  readonly now: Clock;
}

export function createPostHandlers(
  { config, sessions, limits, create, findPosts, findConversation, count, now }: PostHandlersDeps,
) {
  return { createPost, listPosts, showConversation, countPosts };

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const reader = await sessions.require(req);
    const { user } = reader;
    const { expected_user_id = user.user_id, ...draft } = parseNewPost(req.body, config);
    if (expected_user_id !== user.user_id) {
      throw new ProblemError('user-changed', {
        user: shownUser(reader), detail: 'Another account is signed in now. The comment was not posted.',
      });
    }
    const { replayed, ...created } = await create({
      draft,
      reader,
      key: parseIdempotencyKey(req),
      requestId: contextOf(req).id,
      client: clientOf(req),
      languages: languagesOf(req),
    });
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    res.status(201).json(created);
  }

  async function listPosts(req: Request, res: Response): Promise<void> {
    if (!findPosts) throw new ProblemError('not-found');
    const query = parseListQuery(config, valuesOf(queryOf(req), ['forum', 'page', 'order', 'cursor']));
    sendPublic(res, await findPosts(query, () => limits.lists(req, res)));
  }

  async function showConversation(req: Request, res: Response): Promise<void> {
    if (!findConversation) throw new ProblemError('not-found');
    const given = valuesOf(queryOf(req), ['forum', 'page']);
    const query = parseConversationQuery(config, { ...given, id: String(req.params['id']) });
    sendPublic(res, await findConversation(query, () => limits.lists(req, res)));
  }

  function sendPublic(res: Response, { body, etag, readAt }: CachedRead): void {
    const ttlSeconds = Math.round((readAt + FRESH_MS - now()) / 1000);
    res.set({
      'Cache-Control': `public, max-age=${Math.min(Math.max(ttlSeconds, 1), FRESH_MS / 1000)}`,
      ETag: etag,
      'Content-Type': 'application/json; charset=utf-8',
    });
    res.send(body);
  }

  async function countPosts(req: Request, res: Response<PostCounts>): Promise<void> {
    if (!count) throw new ProblemError('not-found');
    const params = queryOf(req);
    const forum = requireForum(config.forums, singleValue(params, 'forum'));
    const given = params.getAll('page');
    if (given.length === 0 || given.length > MAX_PAGES) {
      throw new ProblemError('invalid-request', { detail: `page must be there once to ${MAX_PAGES} times.` });
    }
    const pages = given.map((page) => pageOf(page, config.origins));
    const found = await count(forum, pages.filter((page) => page !== null), () => limits.lists(req, res));
    const next = found.values();
    res.set('Cache-Control', `public, max-age=${COUNT_MS / 1000}`);
    res.json({ counts: pages.map((page) => (page === null ? null : next.next().value ?? null)) });
  }
}
