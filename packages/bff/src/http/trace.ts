/** Takes the trace that a request belongs to from its `traceparent`, so that the log names it and the service hears of it. */

import type { RequestHandler, Response } from 'express';
import { parseTraceParent, withTrace } from '../lib/trace-context.ts';

export const takeTrace: RequestHandler = (req, res, next) => {
  const headers = req.headers['traceparent'] === undefined ? undefined : req.headersDistinct['traceparent'];
  const trace = headers?.length === 1 ? parseTraceParent(headers[0] as string) : undefined;
  if (!trace) {
    next();
    return;
  }
  res.locals['traceId'] = trace.traceId;
  withTrace(trace, next);
};

/** `undefined` where the request belongs to no trace. */
export function traceIdOf(res: Response): string | undefined {
  return res.locals['traceId'] as string | undefined;
}
