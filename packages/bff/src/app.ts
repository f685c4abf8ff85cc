/**
 * The Express application: middleware and routers in order. It is an application of its own, not a router, so that the
 * settings of a host application (query parser, trust proxy) do not apply inside.
 */

import { endpoints } from '@vestibule/shared';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Admission } from './http/admission.ts';
import { createFailureLog } from './http/failure-log.ts';
import { createHealthRouter, type HealthDeps } from './http/health-router.ts';
import { jsonBody } from './http/json-body.ts';
import { originCheck } from './http/origin-check.ts';
import { ProblemError } from './http/problem-error.ts';
import { problemResponse } from './http/problem-response.ts';
import { createRateLimits, type RateLimitDeps } from './http/rate-limit.ts';
import { requestContext, requestLog } from './http/request-context.ts';
import type { StaticFiles } from './http/static-files.ts';
import { createLogId } from './lib/identifiers.ts';
import { plainText } from './lib/text.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createPostListRouter, type PostListRouterDeps } from './posts/post-list-router.ts';
import { createPostsRouter, type PostsRouterDeps } from './posts/posts-router.ts';
import { createSessionRouter, type SessionRouterDeps } from './session/session-router.ts';
import { readerKey } from './session/reader.ts';
import { ignoreUnavailableStore, type Store } from './store/store.ts';
import { sendProblemPage } from './sync/pages.ts';
import { createSyncRouter, type SyncRouterDeps } from './sync/sync-router.ts';

export interface AppDeps extends Omit<PostsRouterDeps & SyncRouterDeps, 'reportFailure'>, Omit<PostListRouterDeps, 'limit'>, SessionRouterDeps, HealthDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly staticFiles: StaticFiles;
  readonly admission: Admission;
  readonly rateLimitStore?: RateLimitDeps['storeFor'];
}

const { session, posts, comments, health, readiness } = endpoints;
const { syncAuthorize, syncReturn, syncForm, syncStart, syncValidation, syncCancel } = endpoints;

const ownPaths: ReadonlySet<string> = new Set(['/widget.js', ...Object.values(endpoints).map(({ path }) => path)]);

/** Endpoints that browsers navigate to: their failures are pages. */
const navigations: readonly string[] = [syncAuthorize.path, syncReturn.path, syncForm.path, comments.path];

export function createApp(deps: AppDeps): Express {
  const { config, log, readers, metrics, admission } = deps;
  const limits = createRateLimits({
    limits: config.rateLimits,
    // Without the store, a reader counts by address: some responses need no session.
    readerKeyOf: async (req) => {
      const reader = await readers.find(req).catch(ignoreUnavailableStore);
      return reader && readerKey(reader.user, reader.sessionId);
    },
    storeFor: deps.rateLimitStore,
    log,
  });
  const logIdOf = createLogId(config.cookieSecrets[0] as string);
  const reportFailure = createFailureLog({ log, logIdOf, metrics });
  const app = express();
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestContext());
  app.use(stripPublicPath(config.publicUrl, log));
  app.use(requestLog({ log, metrics: metrics.requests, logIdOf }));
  app.use(ignoreLongNegotiation);
  app.use(deps.staticFiles.handler);
  app.use(securityHeaders);
  app.use(createHealthRouter(deps));
  // Not with `use`: the router would respond to the preflight of `POST`.
  app.get(posts.path, createPostListRouter({ ...deps, limit: limits.other }));
  app.use(originCheck(config.origins));
  const actions = [posts.path, syncStart.path, syncValidation.path, syncCancel.path];
  app.post(actions, admission.admit);
  app.get(syncAuthorize.path, admission.admit);
  app.post(posts.path, limits.posts);
  app.use('/sync', limits.sync);
  app.use([session.path, comments.path], limits.other);
  app.post(actions, jsonBody(config.messageMaxLength));
  app.use(createSessionRouter(deps));
  app.use(createSyncRouter({ ...deps, reportFailure }));
  app.use(createPostsRouter({ ...deps, reportFailure }));
  app.use(() => { throw new ProblemError('not-found'); });
  app.use(problemResponse(reportFailure, (problem, req, res) => {
    if (!navigations.includes(req.path) || req.accepts(['application/problem+json', 'html']) !== 'html') return false;
    const title = req.path === comments.path ? 'Comments cannot be shown' : 'Sign-in did not work';
    sendProblemPage(res, config.publicUrl, title, problem, req.path === syncAuthorize.path);
    return true;
  }));
  return app;
}

/**
 * Removes the path of the public URL if no host application did, as in `createServer(vestibule.router)`.
 * There, nothing but the health endpoints answers outside that path. Warns once about a path that is not the public URL's.
 */
function stripPublicPath(publicUrl: string, log: Logger): RequestHandler {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  let hasWarned = false;
  const warn = (reason: string): void => {
    if (!hasWarned) log.warn({ setting: 'VESTIBULE_PUBLIC_URL', reason }, 'the path of a request is not that of the public URL');
    hasWarned = true;
  };
  return (req, _res, next) => {
    const isMounted = req.url !== req.originalUrl;
    const mount = req.originalUrl.endsWith(req.url) ? req.originalUrl.slice(0, -req.url.length) : base;
    if (isMounted && mount !== base) warn(`the router is mounted at ${plainText(mount, 100)}: mount it at ${base || '/'}`);
    if (!isMounted && req.url.startsWith(`${base}/`)) {
      req.url = req.url.slice(base.length);
    } else if (!isMounted && req.path !== health.path && req.path !== readiness.path) {
      if (ownPaths.has(req.path)) warn(`a request arrived without ${base}: the proxy must pass the path on unchanged`);
      req.url = '/';
    }
    next();
  };
}

/** Negotiation takes time per item of a header; those of browsers are below 300 bytes. */
const MAX_NEGOTIATION_BYTES = 1_024;

/** Ignores longer headers, which accepts everything. */
function ignoreLongNegotiation(req: Request, _res: Response, next: () => void): void {
  for (const name of ['accept', 'accept-encoding', 'accept-language'] as const) {
    if (String(req.headers[name] ?? '').length > MAX_NEGOTIATION_BYTES) delete req.headers[name];
  }
  next();
}

/** Headers of every response except static files. */
function securityHeaders(_req: Request, res: Response, next: () => void): void {
  res.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
}
