/** The order of the middleware, on one screen. An application of its own, so that settings of one it is mounted in
 *  (query parser, cookies, trust) do not reach inside. */

import express, { type Express, type Request } from 'express';
import type { Logger } from 'pino';
import { endpoints } from '@vestibule/shared';
import type { Config } from './config/config.ts';
import { acceptJson } from './http/accept.ts';
import { createHealthRouter, type HealthDeps } from './http/health-router.ts';
import { inOrder } from './http/in-order.ts';
import { jsonBody } from './http/json-body.ts';
import { originCheck } from './http/origin-check.ts';
import { ProblemError } from './http/problem-error.ts';
import { problemResponse } from './http/problem-response.ts';
import { publicPath } from './http/public-path.ts';
import { createRateLimits, type RateLimitDeps } from './http/rate-limit.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { forRoutes } from './http/route.ts';
import { securityHeaders } from './http/security-headers.ts';
import { staticFiles } from './http/static-files.ts';
import { takeTrace } from './http/trace.ts';
import { watchRequests } from './http/watch-requests.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createPostsRouter, type PostsDeps } from './posts/posts-router.ts';
import { NotAdmittedError } from './service/not-admitted-error.ts';
import { createSessionRouter, type SessionViewDeps } from './session/session-router.ts';
import type { Store } from './store/store.ts';
import { sendProblemPage } from './sync/form-page.ts';
import { createSyncRouter, type SyncDeps } from './sync/sync-router.ts';

export interface AppDeps extends PostsDeps, SessionViewDeps, SyncDeps, HealthDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly rateLimitStore?: RateLimitDeps['storeFor'];
}

const { session, posts, comments } = endpoints;
const { syncAuthorize, syncReturn, syncForm, syncStart, syncValidation, syncCancel } = endpoints;
const syncRoutes = [syncAuthorize, syncReturn, syncForm, syncStart, syncValidation, syncCancel];
const jsonRoutes = [session, posts, syncValidation, syncCancel];

/** Navigations: what fails there is told to a person. */
const pages: readonly string[] = [syncAuthorize.path, syncReturn.path, syncForm.path, comments.path];

export function createApp(deps: AppDeps): Express {
  const { config, log, cookies, metrics } = deps;
  const limit = createRateLimits({
    limits: config.rateLimits,
    sessionIdOf: (req) => cookies.sessionId(req),
    storeFor: deps.rateLimitStore,
    log,
  });
  const app = express();
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(inOrder(
    publicPath(config.publicUrl),
    requestId(),
    takeTrace,
    watchRequests(requestLog(log), metrics.requests),
    staticFiles(),
    securityHeaders,
    createHealthRouter(deps),
    originCheck([...config.allowedOrigins, new URL(config.publicUrl).origin]),
    forRoutes([posts], limit('posts')),
    forRoutes(syncRoutes, limit('sync')),
    forRoutes([session, comments], limit('other')),
    forRoutes(jsonRoutes, acceptJson),
    jsonBody(config.messageMaxLength),
    createSessionRouter(deps),
    createSyncRouter(deps),
    createPostsRouter(deps),
  ));
  app.use(() => { throw new ProblemError('not-found'); });
  app.use(problemResponse(
    (error, id) => {
      if (!isShedding(error)) log.error({ err: error, request_id: id }, 'a request failed');
    },
    (problem, _error, req, res) => {
      if (!pages.includes(req.path) || !prefersHtml(req)) return false;
      sendProblemPage(res, config.publicUrl, problem.status, problem.detail);
      return true;
    },
  ));
  return app;
}

/** In an outage most requests end so: the breaker told of it once, and each request has its line. */
function isShedding(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof NotAdmittedError;
}

function prefersHtml(req: Request): boolean {
  return req.accepts(['application/problem+json', 'html']) === 'html';
}
