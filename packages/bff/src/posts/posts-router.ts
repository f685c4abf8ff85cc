/** `POST /posts`: creates a post on behalf of the reader (interface 4.1). */

import { endpoints, IDEMPOTENCY_REPLAYED_HEADER, type PostCreated } from '@vestibule/shared';
import { Router, type Request, type Response } from 'express';
import type { Config } from '../config/config.ts';
import { acceptsJson } from '../http/json-body.ts';
import { methodNotAllowed, ProblemError } from '../http/problem-error.ts';
import { toProblemError } from '../http/problem-response.ts';
import { parseIdempotencyKey, requireForum } from '../http/request-input.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { Readers } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import { respondEarly, type Idempotency, type Once } from './idempotency.ts';
import { parseNewPost } from './new-post.ts';
import { preparePost } from './prepare-post.ts';

export interface PostsRouterDeps {
  readonly config: Pick<Config, 'forums' | 'messageMaxLength' | 'allowedOrigins' | 'publicUrl' | 'posts' | 'hookTimeoutMs'>;
  readonly service: Pick<ServiceClient, 'createPost' | 'refusalOf' | 'isStalled' | 'request'>;
  readonly idempotency: Idempotency;
  readonly readers: Readers;
  readonly sessions: SessionManager;
  readonly metrics: Pick<Metrics, 'posts'>;
}

export function createPostsRouter({ config, service, idempotency, readers, sessions, metrics }: PostsRouterDeps): Router {
  const origins = [...config.allowedOrigins, new URL(config.publicUrl).origin];
  const rules = { messageMaxLength: config.messageMaxLength, origins };
  const { prepare } = config.posts;
  const router = Router({ caseSensitive: true });
  router.route(endpoints.posts.path).all(acceptsJson).post(createPost).all(methodNotAllowed('GET, HEAD, POST'));
  return router;

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const { user, accessToken, sessionId } = await readers.require(req);
    const { user_id } = user;
    const draft = parseNewPost(req.body, rules);
    requireForum(config.forums, draft.forum);
    const key = parseIdempotencyKey(req);
    const partition = sha256('user', user_id);
    const posting = idempotency.once({
      scope: sha256(user_id, key),
      body: sha256(draft.forum, draft.message, draft.page ?? '', key),
    }, {
      refusal: () => service.refusalOf('create-post', { partition }),
      prepare: prepare && (() => preparePost({ prepare, service, timeoutMs: config.hookTimeoutMs }, draft, user)),
      create: (params) => service.createPost(draft, accessToken, { partition, params }).catch(async (error: unknown) => {
        // A session that the store cannot end now ends with the next refusal.
        if (isTokenRefused(error)) await sessions.end(sessionId).catch(() => undefined);
        throw error;
      }),
    });
    count(posting);
    const { post, replayed } = await respondEarly(posting, () => service.isStalled('create-post'));
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    res.status(201).json({ post });
  }

  /** Counts every post when it settles, also after an early response. */
  function count(posting: Promise<Once>): void {
    posting.then(
      ({ replayed }) => { metrics.posts.count(replayed ? 'replayed' : 'created'); },
      (error: unknown) => { metrics.posts.count(toProblemError(error).type); },
    );
  }
}

/** The service no longer accepts the access token, so the session is over. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'not-signed-in';
}
