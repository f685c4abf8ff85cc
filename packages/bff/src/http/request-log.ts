/** One line a request: what came and how it went, from a list of allowed words. The address is named by its route, never
 *  as it came: a query may carry a code. */

import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { problemTypeOf } from './problem-response.ts';
import { requestIdOf } from './request-id.ts';
import { methodOf, routeOf } from './route.ts';
import { traceIdOf } from './trace.ts';

export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const began = performance.now();
    const route = routeOf(req, res);
    const method = methodOf(req);
    res.on('close', () => {
      const ms = Math.round((performance.now() - began) * 10) / 10;
      const problem = problemTypeOf(res);
      const trace_id = traceIdOf(res);
      const line = {
        request_id: requestIdOf(res),
        ...(trace_id !== undefined && { trace_id }),
        method,
        route,
        status: res.statusCode,
        ms,
        ...(problem !== undefined && { problem }),
      };
      if (!res.writableFinished) log.info({ ...line, aborted: true }, 'request');
      else if (route === '/healthz' || route === '/readyz') log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
