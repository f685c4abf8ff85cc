/** Endpoints that answer in JSON refuse a requester who takes none. */

import type { RequestHandler } from 'express';
import { PROBLEM_MEDIA_TYPE } from '@vestibule/shared';
import { ProblemError } from './problem-error.ts';

export const acceptJson: RequestHandler = (req, _res, next) => {
  if (!req.accepts(['application/json', PROBLEM_MEDIA_TYPE])) throw new ProblemError('not-acceptable');
  next();
};
