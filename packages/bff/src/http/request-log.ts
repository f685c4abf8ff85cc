/** One line a request: what came and how it went, from a list of allowed words. The address is named by its route, never
 *  as it came: a query may carry a code. */

import type { Logger } from 'pino';
import { problemTypeOf } from './problem-response.ts';
import { requestIdOf } from './request-id.ts';
import { traceIdOf } from './trace.ts';
import type { RequestWatcher } from './watch-requests.ts';

const HEALTH: readonly string[] = ['/healthz', '/readyz'];

export function requestLog(log: Logger): RequestWatcher {
  return {
    ended({ route, method, status, aborted, ms, res }) {
      const trace_id = traceIdOf(res);
      const problem = problemTypeOf(res);
      const line = {
        request_id: requestIdOf(res),
        ...(trace_id !== undefined && { trace_id }),
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(problem !== undefined && { problem }),
        ...(aborted && { aborted }),
      };
      log[HEALTH.includes(route) && !aborted ? 'debug' : 'info'](line, 'request');
    },
  };
}
