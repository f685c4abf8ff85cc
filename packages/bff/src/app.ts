/** The Express application: one table of routes, each with its guards in order. Not a router: the settings of a host application
 *  do not apply inside. A path without a route is left to the host application as it came. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { endpoints } from '@vestibule/shared';
import express, { type ErrorRequestHandler, type NextFunction, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Admission } from './http/admission.ts';
import {
  acceptsJson, allowAnyPage, jsonBody, methodNotAllowed, originCheck, refusePrefetch, securityHeaders, stripPublicPath,
} from './http/guards.ts';
import { createHealth, type HealthDeps } from './http/health.ts';
import { ProblemError } from './problem.ts';
import { problemResponse, type ReportFailure } from './http/problem-response.ts';
import type { RateLimits } from './http/rate-limit.ts';
import { contextOf, requestLog } from './http/request.ts';
import { staticFiles } from './http/static.ts';
import type { Metrics } from './metrics.ts';
import type { createActionHandlers } from './posts/actions.ts';
import type { createPostHandlers } from './posts/handlers.ts';
import type { Sessions } from './session/session.ts';
import type { Pages } from './sync/pages.ts';
import type { createSyncHandlers } from './sync/handlers.ts';

/** A handler for `node:http`, Express and frameworks that accept their handlers. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

export interface AppDeps extends HealthDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits: RateLimits;
  readonly sessions: Sessions;
  readonly syncs: ReturnType<typeof createSyncHandlers>;
  readonly posts: ReturnType<typeof createPostHandlers>;
  readonly actions: ReturnType<typeof createActionHandlers>;
  readonly pages: Pages;
  readonly reportFailure: ReportFailure;
  readonly admission: Admission;
}

/** By method, in order; `all` runs before the methods that follow it. */
type Guards = Readonly<Partial<Record<'all' | 'get' | 'post' | 'put' | 'patch' | 'delete', readonly RequestHandler[]>>>;

export function createApp(deps: AppDeps): Handler {
  const { config, log, syncs, posts, actions, pages, sessions, admission } = deps;
  const { admit, counted } = admission;
  const { other, sync, posts: postLimit } = deps.limits;
  const logRequest = requestLog(log, deps.metrics.observeRequest);
  const begin: RequestHandler = (req, res, next) => { admission.track(req, res, () => { logRequest(req, res, next); }); };
  const app = createExpress();
  app.use(stripPublicPath(config.publicUrl, log));
  app.use(staticFiles(begin));

  const health = createHealth(deps);
  const body = jsonBody(config.messageMaxLength);
  const form = express.text({ type: 'application/x-www-form-urlencoded', limit: 8 * 1024, inflate: false });
  const origin = originCheck(config.origins);
  const nameReader: RequestHandler = (req, _res, next) => {
    contextOf(req).tag = sessions.named(req)?.tag;
    next();
  };
  const repeatable: RequestHandler = (req, _res, next) => {
    contextOf(req).isRepeatable = true;
    next();
  };
  const api = [origin, acceptsJson, nameReader];

  route(endpoints.health.path, { get: [health.live] });
  route(endpoints.readiness.path, { get: [health.ready] });
  route('/', { get: [pages.sendHome] });
  route(endpoints.session.path, { all: api, get: [other, syncs.getSession], delete: [other, syncs.signOut] });
  route(endpoints.syncAuthorize.path, { all: [origin], get: [refusePrefetch, sync, admit, syncs.authorize] });
  route(endpoints.syncReturn.path, {
    post: [sync, form, syncs.receivePost],
    all: [origin],
    get: [refusePrefetch, sync, syncs.receiveReturn],
  });
  route(endpoints.syncForm.path, { all: [origin], get: [other, syncs.form] });
  route(endpoints.syncStart.path, { all: api, post: [admit, sync, ...body, syncs.start] });
  route(endpoints.syncValidation.path, { all: api, post: [admit, sync, ...body, counted(syncs.validate)] });
  route(endpoints.syncCancel.path, { all: api, post: [admit, sync, ...body, counted(syncs.cancel)] });
  route(endpoints.posts.path, {
    get: [allowAnyPage, acceptsJson, posts.listPosts],
    all: api,
    post: [admit, ...body, postLimit, counted(posts.createPost)],
  });
  // Before the routes with an id.
  route(endpoints.postCounts.path, { get: [allowAnyPage, acceptsJson, posts.countPosts], all: [origin] });
  route(endpoints.postEdit.path, {
    all: [...api, repeatable],
    patch: [admit, ...body, postLimit, counted(actions.edit)],
    delete: [admit, postLimit, counted(actions.remove)],
  });
  route(endpoints.postLike.path, { all: [...api, repeatable], put: [admit, ...body, other, counted(actions.like)] });
  route(endpoints.comments.path, { all: [origin], get: [other, pages.sendBox] });

  // The path of a route with a parameter may be malformed: then none of its handlers ran.
  const beginFailed: ErrorRequestHandler = (error, req, res, next) => { begin(req, res, () => { next(error); }); };
  const failures = [beginFailed, problemResponse(deps.reportFailure, pages.sendProblem)];
  app.use(failures);
  const unknownPath = createExpress().use(begin, securityHeaders, origin, () => { throw new ProblemError('not-found'); }, failures);
  return (req, res, next) => {
    const { url } = req;
    const [request, response] = [Object.getPrototypeOf(req) as object, Object.getPrototypeOf(res) as object];
    handle(app, req, res, (error) => {
      if (!next) return handle(unknownPath, req, res);
      // Express has made them requests and responses of its own.
      Object.setPrototypeOf(req, request);
      Object.setPrototypeOf(res, response);
      req.url = url;
      next(error);
    });
  };

  function createExpress() {
    const created = express();
    created.set('trust proxy', config.trustProxy);
    created.set('query parser', 'simple');
    created.set('case sensitive routing', true);
    created.disable('x-powered-by');
    created.disable('etag');
    return created;
  }

  function route(path: string, guards: Guards): void {
    const registered = app.route(path.replace('{id}', ':id')).all(begin, securityHeaders);
    for (const [method, handlers] of Object.entries(guards)) registered[method as 'all'](...handlers as RequestHandler[]);
    const methods = ['get', 'post', 'put', 'patch', 'delete'].filter((method) => method in guards);
    registered.all(methodNotAllowed(methods.join(', ').replace('get', 'get, head').toUpperCase()));
  }
}

/** The types of Express leave out `next`. */
function handle(app: unknown, req: IncomingMessage, res: ServerResponse, next?: NextFunction): void {
  (app as Handler)(req, res, next);
}
