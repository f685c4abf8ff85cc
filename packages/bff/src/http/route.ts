/** What a request is called in the log and in the metrics: words of closed lists, never the address as it came. */

import type { Request } from 'express';
import { endpoints } from '@vestibule/shared';

const routes: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path));

const METHODS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** A path of the contract, the static files', or `other`. */
export function routeOf(req: Request): string {
  const path = req.path.length > 1 ? req.path.replace(/\/$/, '') : req.path;
  if (routes.has(path) || path === '/widget.js') return path;
  return path.startsWith('/assets/') ? '/assets/*' : 'other';
}

/** A common method, or `other`. */
export function methodOf(req: Request): string {
  return METHODS.test(req.method) ? req.method : 'other';
}
