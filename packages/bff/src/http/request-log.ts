/**
 * One log line and one observation per request. Routes and methods are labels from closed lists: the URL itself may carry
 * an authorization code.
 */

import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { endpoints } from '@vestibule/shared';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { problemTypeOf, requestIdOf, traceIdOf, userIdOf } from './request-context.ts';
import { staticRouteLabel } from './static-files.ts';

const { health, readiness } = endpoints;

const healthPaths: readonly string[] = [health.path, readiness.path];

const endpointPaths: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path));

const METHODS = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

export interface RequestLogDeps {
  readonly log: Logger;
  readonly metrics: Pick<RequestMetrics, 'began' | 'ended'>;
  /** Keyed hash that stands for a user. */
  readonly logIdOf: (userId: string) => string;
}

export function requestLog({ log, metrics, logIdOf }: RequestLogDeps): RequestHandler {
  return (req, res, next) => {
    const beganAt = performance.now();
    const route = routeLabel(req.path);
    const method = METHODS.test(req.method) ? req.method : 'other';
    metrics.began();
    res.on('close', () => {
      const ms = performance.now() - beganAt;
      const aborted = !res.writableFinished;
      const traceId = traceIdOf(req);
      const problem = problemTypeOf(req);
      const userId = userIdOf(req);
      metrics.ended({ route, method, status: res.statusCode, aborted, ms });
      log[healthPaths.includes(route) && !aborted ? 'debug' : 'info']({
        request_id: requestIdOf(req),
        ...(traceId !== undefined && { trace_id: traceId }),
        method,
        route,
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        ...(problem !== undefined && { problem }),
        ...(userId !== undefined && { user: logIdOf(userId) }),
        ...(aborted && { aborted }),
      }, 'request');
    });
    next();
  };
}

/** The path of an endpoint, a pattern of the static files, or `other`. */
function routeLabel(path: string): string {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return endpointPaths.has(bare) ? bare : staticRouteLabel(path) ?? 'other';
}
