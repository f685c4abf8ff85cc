/** `GET /posts`: the posts of an article. The response is public: it depends on no cookie, and any page may read it. */

import { endpoints } from '@vestibule/shared';
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { EXPOSED_HEADERS } from '../http/origin-check.ts';
import { ProblemError } from '../http/problem-error.ts';
import { queryOf, requireForum, singleValue } from '../http/request-input.ts';
import { parsePage } from './new-post.ts';
import { FRESH_SECONDS, type PostListQuery, type PostLists } from './post-list.ts';

export interface PostListRouterDeps {
  readonly config: Pick<Config, 'forums' | 'origins'>;
  /** `undefined` without a `posts.list` hook. */
  readonly postLists: PostLists | undefined;
  /** Rate limit of the requests. */
  readonly limit: RequestHandler;
}

const CURSOR_MAX_LENGTH = 512;

export function createPostListRouter({ config, postLists, limit }: PostListRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.route(endpoints.postList.path).get(allowAnyPage, limit, acceptsJson, listPosts);
  return router;

  async function listPosts(req: Request, res: Response): Promise<void> {
    // Also without a hook: after a request without a response, the widget asks whether the page is accepted.
    const params = queryOf(req);
    const [forum, page, cursor] = ['forum', 'page', 'cursor'].map((name) => singleValue(params, name));
    const query = parsePostListQuery(config, { forum, page, cursor });
    if (!postLists) throw new ProblemError('not-found');
    const { body, etag, ageMs } = await postLists.find(query);
    const ttlSeconds = Math.round(FRESH_SECONDS - ageMs / 1000);
    res.set({
      'Cache-Control': `public, max-age=${Math.max(ttlSeconds, 1)}`,
      // RFC 9211: a negative ttl marks a stale response.
      ...(ttlSeconds < 0 && { 'Cache-Status': `vestibule; hit; ttl=${ttlSeconds}` }),
      ETag: etag,
      'Content-Type': 'application/json; charset=utf-8',
    });
    res.send(body);
  }
}

/** Lets any page read the response, also a failure. */
function allowAnyPage(_req: Request, res: Response, next: NextFunction): void {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  next();
}

/** @throws {ProblemError} `invalid-request`, `forum-not-allowed` */
export function parsePostListQuery(
  { forums, origins }: PostListRouterDeps['config'],
  { forum, page, cursor }: { forum?: string | undefined; page?: string | undefined; cursor?: string | undefined },
): PostListQuery {
  if (page === undefined) throw new ProblemError('invalid-request', { detail: 'page is missing.' });
  if (cursor !== undefined && (cursor === '' || cursor.length > CURSOR_MAX_LENGTH)) {
    throw new ProblemError('invalid-request', { detail: `cursor must hold 1 to ${CURSOR_MAX_LENGTH} characters.` });
  }
  return { forum: requireForum(forums, forum), page: parsePage(page, origins), cursor };
}
