/** The Express application: its routes, each with its guards in order. Not a router: the settings of a host application do not
 *  apply inside. A host application gets a request of another path as it came. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { endpoints, type Endpoint } from '@vestibule/shared';
import express, { type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import {
  acceptsJson, allowAnyPage, jsonBody, methodNotAllowed, oneHost, onlyKnownPaths, originCheck, refusePrefetch, securityHeaders,
} from './http/guards.ts';
import { contextOf, type Frame } from './http/frame.ts';
import { createHealth, type HealthDeps } from './http/health.ts';
import { warnEach } from './log.ts';
import { problemResponse, type ReportFailure } from './http/problem-response.ts';
import type { RateLimits } from './http/rate-limit.ts';
import { createTargets, fileRoute, pathOf, routeOf, unknownRoute } from './http/routes.ts';
import { createStaticFiles } from './http/static.ts';
import type { createActionHandlers } from './handlers/actions.ts';
import type { createPostHandlers } from './handlers/posts.ts';
import type { Sessions } from './session/session.ts';
import type { Pages } from './handlers/pages.ts';
import type { createSyncHandlers } from './handlers/sync.ts';

/** A handler for `node:http`, Express and frameworks that accept their handlers. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

export interface AppDeps extends HealthDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly limits: RateLimits;
  readonly sessions: Sessions;
  readonly syncs: ReturnType<typeof createSyncHandlers>;
  readonly posts: ReturnType<typeof createPostHandlers>;
  readonly actions: ReturnType<typeof createActionHandlers>;
  readonly pages: Pages;
  readonly reportFailure: ReportFailure;
  readonly frame: Frame;
}

export function createApp(deps: AppDeps): Handler {
  const { config, log, syncs, posts, actions, pages, sessions, frame } = deps;
  const { refuseAtStop, awaitedAtStop } = frame;
  const { other, sync, posts: postLimit, atOnce } = deps.limits;
  const relativeTarget = createTargets(config.publicUrl, log);
  const files = createStaticFiles();
  const health = createHealth(deps);
  const origin = originCheck(config.origins);
  const body = jsonBody(config.messageMaxLength);
  const nameReader: RequestHandler = (req, _res, next) => {
    contextOf(req).logId = sessions.logIdOf(req);
    next();
  };
  const api = [acceptsJson, nameReader];
  const { requireCookie } = sessions;
  const act = (handler: typeof posts.createPost | typeof actions.remove) => awaitedAtStop(atOnce(handler));

  const app = express();
  app.set('trust proxy', config.trustProxy);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  // The peer of a Unix socket has no address.
  app.set('trust proxy', (address: string | undefined, hop: number) => isTrusted(address ?? '127.0.0.1', hop));
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((req, res, next) => { if (contextOf(req).route.isFile) files.send(req, res, next); else next(); });
  app.use(securityHeaders, onlyKnownPaths, oneHost);
  app.get(endpoints.health.path, health.live).all(endpoints.health.path, methodNotAllowed);
  app.get(endpoints.readiness.path, health.ready).all(endpoints.readiness.path, methodNotAllowed);
  app.get('/', pages.sendHome).all('/', methodNotAllowed);

  // For any origin.
  app.get(endpoints.postList.path, allowAnyPage, acceptsJson, posts.listPosts);
  app.get(endpoints.postCounts.path, allowAnyPage, acceptsJson, posts.countPosts);
  app.get(expressPath(endpoints.postConversation), allowAnyPage, acceptsJson, posts.showConversation);

  // For allowed origins. The limit and the cookie come before the body: a request without a session costs no parsing.
  app.use(origin);
  app.get(endpoints.session.path, api, other, syncs.getSession);
  app.delete(endpoints.signOut.path, api, other, syncs.signOut);
  app.get(endpoints.syncAuthorize.path, refusePrefetch, sync, refuseAtStop, syncs.authorize);
  app.get(endpoints.syncReturn.path, refusePrefetch, sync, syncs.receiveReturn);
  app.get(endpoints.syncForm.path, other, syncs.form);
  app.post(endpoints.syncStart.path, api, refuseAtStop, sync, body, syncs.start);
  app.post(endpoints.syncValidation.path, api, refuseAtStop, sync, body, awaitedAtStop(syncs.validate));
  app.post(endpoints.syncCancel.path, api, refuseAtStop, sync, body, awaitedAtStop(syncs.cancel));
  app.post(endpoints.posts.path, api, refuseAtStop, postLimit, requireCookie, body, act(posts.createPost));
  app.patch(expressPath(endpoints.postEdit), api, refuseAtStop, postLimit, requireCookie, body, act(actions.edit));
  app.delete(expressPath(endpoints.postRemove), api, refuseAtStop, postLimit, requireCookie, act(actions.remove));
  app.put(expressPath(endpoints.postLike), api, refuseAtStop, other, requireCookie, body, act(actions.like));
  app.get(endpoints.comments.path, other, pages.sendBox);
  app.use(methodNotAllowed, problemResponse(deps.reportFailure, pages.sendProblem));

  const warnOnce = warnEach(log);
  return (req, res, next) => {
    const target = relativeTarget(req.url as string, (req as Partial<Request>).baseUrl ?? '');
    const path = target === undefined ? '' : pathOf(target);
    const route = routeOf(path) ?? (files.has(path) ? fileRoute(path) : undefined);
    if (!route && next) return next();
    // Express changes the prototype of a request, which takes the members of one of HTTP/2 away.
    if (req.httpVersionMajor > 1) {
      warnOnce({ setting: 'the server of the host: HTTP/1.1' }, NO_HTTP_2);
      return next ? next(new Error(NO_HTTP_2)) : void res.writeHead(505).end();
    }
    frame.begin(req, res, route ?? unknownRoute);
    req.url = target ?? req.url;
    app(req, res);
  };
}

const NO_HTTP_2 = 'The router of Vestibule takes requests of HTTP/1.1 only: serve HTTP/2 by a proxy before it.';

function expressPath({ path }: Endpoint): string {
  return path.replace('{id}', ':id');
}
