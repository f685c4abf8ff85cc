/**
 * What belongs to one request and outlives its handlers: the request id, the trace, the problem of the response.
 * Kept beside the request, not in `res.locals`, which a host application shares.
 */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { ProblemType } from '@vestibule/shared';
import { parseTraceParent, withTrace } from '../lib/trace-context.ts';

interface RequestContext {
  readonly id: string;
  readonly traceId: string | undefined;
  problem?: ProblemType;
  userId?: string;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** An `X-Request-Id` that is safe to copy into logs and headers. */
const SAFE_ID = /^[\w.:-]{8,64}$/;

/** Takes the id from `X-Request-Id`, or creates one, and runs the request inside the trace of its `traceparent`. */
export function requestContext(): RequestHandler {
  return (req, res, next) => {
    const givenId = req.headers['x-request-id'];
    const id = typeof givenId === 'string' && SAFE_ID.test(givenId) ? givenId : randomUUID();
    const traceParents = req.headersDistinct['traceparent'] ?? [];
    const trace = traceParents.length === 1 ? parseTraceParent(traceParents[0] as string) : undefined;
    contexts.set(req, { id, traceId: trace?.traceId });
    res.setHeader('X-Request-Id', id);
    if (trace) withTrace(trace, next);
    else next();
  };
}

export function requestIdOf(req: IncomingMessage): string {
  return contexts.get(req)?.id ?? '';
}

/** `undefined` if the request belongs to no trace. */
export function traceIdOf(req: IncomingMessage): string | undefined {
  return contexts.get(req)?.traceId;
}

export function recordProblem(req: IncomingMessage, problem: ProblemType): void {
  const context = contexts.get(req);
  if (context) context.problem = problem;
}

/** The problem of the response; `undefined` if there is none. */
export function problemTypeOf(req: IncomingMessage): ProblemType | undefined {
  return contexts.get(req)?.problem;
}

/** Records the signed-in reader. */
export function recordUserId(req: IncomingMessage, userId: string): void {
  const context = contexts.get(req);
  if (context) context.userId = userId;
}

/** `user_id` of the signed-in reader; `undefined` if the session was not looked up or is not live. */
export function userIdOf(req: IncomingMessage): string | undefined {
  return contexts.get(req)?.userId;
}
