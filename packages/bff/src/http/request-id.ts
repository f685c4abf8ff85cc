/** One id a request, taken over from `X-Request-Id` where it is harmless, so that the logs of a proxy and ours meet. */

import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const HARMLESS = /^[\w.:-]{8,64}$/;

export function requestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && HARMLESS.test(given) ? given : randomUUID();
    res.locals['requestId'] = id;
    res.setHeader('X-Request-Id', id);
    next();
  };
}

export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'] ?? '');
}
