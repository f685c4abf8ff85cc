/** What a request is called in the limits, in the log and in the metrics: words of closed lists, never the address as it
 *  came. */

import type { Request, RequestHandler, Response } from 'express';
import { endpoints } from '@vestibule/shared';

const routes: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path));

const METHODS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** `widget-<version>-<hash>.js`, whose content never changes. */
const VERSIONED = /^\/widget-[\w.+-]+\.js$/;

/** A path of the contract, the static files', or `other`; as it was when it was asked for first. */
export function routeOf(req: Request, res: Response): string {
  return (res.locals['route'] as string | undefined) ?? (res.locals['route'] = routeOfPath(req.path));
}

function routeOfPath(path: string): string {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (routes.has(bare) || bare === '/widget.js') return bare;
  if (VERSIONED.test(bare)) return '/widget-*.js';
  return path.startsWith('/assets/') ? '/assets/*' : 'other';
}

/** A common method, or `other`. */
export function methodOf(req: Request): string {
  return METHODS.test(req.method) ? req.method : 'other';
}

/** `handler` for requests of these routes; the others go past it. */
export function forRoutes(of: readonly { readonly path: string }[], handler: RequestHandler): RequestHandler {
  const paths = new Set(of.map(({ path }) => path));
  return (req, res, next): unknown => (paths.has(routeOf(req, res)) ? handler(req, res, next) : next());
}
