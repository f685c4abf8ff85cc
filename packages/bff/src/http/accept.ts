/** Endpoints that answer in JSON refuse a requester who takes none. */

import type { RequestHandler } from 'express';
import { PROBLEM_MEDIA_TYPE } from '@vestibule/shared';
import { Memo } from '../lib/memo.ts';
import { ProblemError } from './problem-error.ts';

/** By the header: browsers send few different ones. */
const known = new Memo<boolean>(50);

export const acceptJson: RequestHandler = (req, _res, next) => {
  const takesJson = known.get(req.headers.accept ?? '', () => req.accepts(['application/json', PROBLEM_MEDIA_TYPE]) !== false);
  if (!takesJson) throw new ProblemError('not-acceptable');
  next();
};
