/** `POST /posts`: a signed creation on behalf of the reader. */

import { Router, type Request, type Response } from 'express';
import { endpoints, IDEMPOTENCY_REPLAYED_HEADER, type PostCreated } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { requireForum } from '../config/require-forum.ts';
import { acceptsJson } from '../http/json-body.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { ProblemError } from '../http/problem-error.ts';
import { toProblemError } from '../http/problem-response.ts';
import { sha256 } from '../lib/sha256.ts';
import type { PostMetrics } from '../metrics/post-metrics.ts';
import type { ServiceClient } from '../service/service-client.ts';
import { findReader, type ReaderCookies } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import type { Idempotency } from './idempotency.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { Impatience } from './impatience.ts';
import { parseNewPost } from './parse-new-post.ts';

export interface PostsDeps {
  readonly config: Pick<Config, 'forums' | 'messageMaxLength'>;
  readonly service: Pick<ServiceClient, 'createPost' | 'refusalOf' | 'isSilent'>;
  readonly idempotency: Idempotency;
  readonly cookies: ReaderCookies;
  readonly sessions: SessionManager;
  readonly metrics: { readonly posts: Pick<PostMetrics, 'count'> };
}

export function createPostsRouter({ config, service, idempotency, cookies, sessions, metrics }: PostsDeps): Router {
  const impatience = new Impatience();
  const router = Router();
  router.route(endpoints.posts.path).all(acceptsJson).post(createPost).all(methodNotAllowed('POST'));
  return router;

  async function createPost(req: Request, res: Response<PostCreated>): Promise<void> {
    const reader = await findReader(req, cookies, sessions);
    if (!reader) throw new ProblemError('not-signed-in');
    const draft = parseNewPost(req.body, config.messageMaxLength);
    requireForum(config.forums, draft.forum);
    const { accessToken, user } = reader.session;
    const key = parseIdempotencyKey(req);
    const scope = sha256(user.user_id, key);
    const body = sha256(draft.forum, draft.message, key);
    const work = () => service.createPost(draft, accessToken);
    const posting = idempotency.once({ scope, body }, work, () => service.refusalOf('create-post'));
    try {
      const { post, replayed } = await impatience.unlessSilent(posting, () => service.isSilent('create-post'));
      metrics.posts.count(replayed ? 'replayed' : 'created');
      if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
      res.status(201).json({ post });
    } catch (error) {
      metrics.posts.count(toProblemError(error).type);
      if (isTokenRefused(error)) await sessions.end(reader.sessionId);
      throw error;
    }
  }
}

/** A session whose token the service no longer takes is over. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'not-signed-in';
}
