/** Last handler of a route: 405 with the methods that the route supports. */

import type { RequestHandler } from 'express';
import { ProblemError } from './problem-error.ts';

/** @param allow value of the `Allow` header, such as `GET, HEAD` */
export function methodNotAllowed(allow: string): RequestHandler {
  return () => { throw new ProblemError('method-not-allowed', { allow }); };
}
