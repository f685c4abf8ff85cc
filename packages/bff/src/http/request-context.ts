/**
 * Context of one request that outlives its handlers (request id, trace, problem, user), and the report at its end: one log
 * line and one observation. Kept beside the request, not in `res.locals`, which a host application shares. Routes and
 * methods are labels from closed lists: the URL itself may carry an authorization code.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { endpoints, type ProblemType } from '@vestibule/shared';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { parseTraceParent, withTrace } from '../lib/trace-context.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { staticRouteLabel } from './static-files.ts';

interface RequestContext {
  readonly id: string;
  /** `X-Request-Id` of the client or a proxy. May repeat, so no reference is made of it. */
  readonly clientId?: string | undefined;
  readonly traceId?: string | undefined;
  /** Of the response. */
  problem?: ProblemType;
  /** `user_id` of the signed-in reader; absent if the session was not looked up or is not live. */
  userId?: string;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** An `X-Request-Id` that is safe to copy into logs. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** Creates the id of the request, and runs the request inside the trace of its `traceparent`. */
export function requestContext(): RequestHandler {
  return (req, res, next) => {
    const clientId = req.get('X-Request-Id')?.match(SAFE_ID)?.[0];
    const id = randomUUID();
    const traceParents = req.headersDistinct['traceparent'];
    const trace = traceParents?.length === 1 ? parseTraceParent(traceParents[0] as string) : undefined;
    contexts.set(req, { id, clientId, traceId: trace?.traceId });
    res.setHeader('X-Request-Id', id);
    withTrace(trace, next);
  };
}

/** The context of a request; in other routes of a host application, a temporary one with an empty id. */
export function contextOf(req: IncomingMessage): RequestContext {
  return contexts.get(req) ?? { id: '' };
}

const { health, readiness } = endpoints;

const healthPaths: readonly string[] = [health.path, readiness.path];

const endpointPaths: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path));

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

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
    const method = methods.has(req.method) ? req.method : 'other';
    metrics.began();
    finished(res, () => {
      const ms = performance.now() - beganAt;
      const aborted = !res.writableFinished;
      const { id, clientId, traceId, problem, userId } = contextOf(req);
      metrics.ended({ route, method, status: res.statusCode, aborted, ms });
      // An absent member would hide that of a host's `mixin`.
      log[healthPaths.includes(route) && !aborted ? 'debug' : 'info']({
        request_id: id,
        ...(clientId !== undefined && { client_request_id: clientId }),
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
  const bare = path.replace(/\/$/, '');
  return endpointPaths.has(bare) ? bare : staticRouteLabel(path) ?? 'other';
}
