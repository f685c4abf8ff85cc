/** The answer to a known address asked in an unknown way. */

import type { RequestHandler } from 'express';
import { ProblemError } from './problem-error.ts';

/** @param allow the methods that the address takes, as in the `Allow` field */
export function methodNotAllowed(allow: string): RequestHandler {
  return () => { throw new ProblemError('method-not-allowed', { allow }); };
}
