/** Endpoints and their handlers, found by one look at the path and one at the method. A known address asked in an unknown
 *  way is answered with the methods that it takes. */

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Endpoint } from '@vestibule/shared';
import { ProblemError } from './problem-error.ts';
import { routeOf } from './route.ts';

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

export type Handled = readonly [endpoint: Endpoint, handler: Handler];

/** Who asks for another address goes past. `GET` answers `HEAD` too. */
export function byEndpoint(...handled: readonly Handled[]): RequestHandler {
  const byPath = new Map<string, Map<string, Handler>>();
  for (const [{ method, path }, handler] of handled) {
    const methods = byPath.get(path) ?? new Map<string, Handler>();
    byPath.set(path, methods.set(method, handler));
  }
  return (req, res, next): unknown => {
    const methods = byPath.get(routeOf(req, res));
    if (!methods) return next();
    const handler = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (!handler) throw new ProblemError('method-not-allowed', { allow: allowOf(methods.keys()) });
    return handler(req, res, next);
  };
}

/** As in the `Allow` field. */
function allowOf(methods: Iterable<string>): string {
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
