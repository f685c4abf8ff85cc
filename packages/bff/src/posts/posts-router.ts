/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). */

import { finished } from 'node:stream';
import { endpoints, IDEMPOTENCY_REPLAYED_HEADER, type NewPost, type PostCreated } from '@vestibule/shared';
import { Router, type Request, type Response } from 'express';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { methodNotAllowed, ProblemError } from '../http/problem-error.ts';
import { toProblemError, type ReportFailure } from '../http/problem-response.ts';
import { contextOf } from '../http/request-context.ts';
import { parseIdempotencyKey, requireForum } from '../http/request-input.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { readerKey, type Readers } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import { respondEarly, type Idempotency, type Once } from './idempotency.ts';
import { parseNewPost } from './new-post.ts';
import type { PostLists } from './post-list.ts';
import { preparePost } from './prepare-post.ts';

const OTHER_USER = 'Another account is signed in now. The comment was not posted.';

export interface PostsRouterDeps {
  readonly config: Pick<Config, 'forums' | 'messageMaxLength' | 'origins' | 'posts' | 'hookTimeoutMs'>;
  readonly service: Pick<ServiceClient, 'createPost' | 'refusalOf' | 'isStalled' | 'request'>;
  readonly idempotency: Idempotency;
  /** `undefined` without a `posts.list` hook. */
  readonly postLists: PostLists | undefined;
  readonly readers: Readers;
  readonly sessions: SessionManager;
  readonly metrics: Pick<Metrics, 'posts'>;
  readonly reportFailure: ReportFailure;
}

export function createPostsRouter(deps: PostsRouterDeps): Router {
  const { config, service, idempotency, postLists, readers, sessions, metrics, reportFailure } = deps;
  const { prepare } = config.posts;
  const router = Router({ caseSensitive: true });
  router.route(endpoints.posts.path).all(acceptsJson).post(createPost).all(methodNotAllowed('GET, HEAD, POST'));
  return router;

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const { user, accessToken, sessionId } = await readers.require(req);
    const { user_id } = user;
    const { expected_user_id = user_id, ...draft } = parseNewPost(req.body, config);
    const { forum, message, page } = draft;
    requireForum(config.forums, forum);
    if (expected_user_id !== user_id) throw new ProblemError('user-changed', { user, detail: OTHER_USER });
    const key = parseIdempotencyKey(req);
    const reader = readerKey(user, sessionId);
    const partition = sha256('user', reader);
    // Counts every post when it settles, also after an early response.
    const posting = metrics.posts.track(() => idempotency.once({
      scope: sha256(reader, key),
      body: sha256(forum, message, page ?? '', key),
      userId: user_id,
      requestId: contextOf(req).id,
    }, {
      refusal: () => service.refusalOf('create-post', { partition }),
      prepare: prepare && (() => preparePost({ prepare, service, timeoutMs: config.hookTimeoutMs }, draft, user)),
      create: (params) => service.createPost(draft, accessToken, { partition, params }).catch(async (error: unknown) => {
        // A session that the store cannot end now ends with the next refusal.
        if (toProblemError(error).type === 'not-signed-in') await sessions.end(sessionId).catch(() => undefined);
        throw error;
      }),
    }), ({ replayed }) => (replayed ? 'replayed' : 'created'));
    if (page !== undefined) expireList({ forum, page }, posting, res);
    const { post, replayed } = await respondEarly(posting, () => service.isStalled('create-post'), (error) => { reportFailure(toProblemError(error), req); });
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    res.status(201).json({ post });
  }

  /** When the service has settled the post, and after the response: a host that keeps the list itself adds the post then. */
  function expireList(post: Required<Pick<NewPost, 'forum' | 'page'>>, posting: Promise<Once>, res: Response): void {
    const expire = () => postLists?.expire(post);
    posting.then(expire, expire);
    finished(res, expire);
  }
}
