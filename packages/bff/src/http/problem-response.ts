/** Maps errors to problems and sends them as responses (RFC 9457). Unknown errors become `internal-error`. */

import type { ErrorRequestHandler, Request, Response } from 'express';
import {
  IDEMPOTENCY_REPLAYED_HEADER, INSTANCE_PREFIX, PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes,
  type Problem, type ProblemType,
} from '@vestibule/shared';
import { StoreUnavailableError } from '../store/store.ts';
import { ProblemError } from './problem-error.ts';
import { contextOf } from './request-context.ts';

/** Called with the problem of each response; an unknown error is its cause. */
export type ReportFailure = (problem: ProblemError, req: Request) => void;

/** Sends a page instead of the problem; `false`: it sent nothing. */
export type SendProblemPage = (problem: Problem, req: Request, res: Response) => boolean;

/** `Retry-After` when the store is unavailable. */
const STORE_RETRY_SECONDS = 2;

export function problemResponse(report: ReportFailure, sendPage?: SendProblemPage): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const problem = toProblemError(error);
    const context = contextOf(req);
    context.problem = problem.type;
    report(problem, req);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    setProblemHeaders(res, problem);
    const body = problemOf(problem, context.id);
    if (!sendPage?.(body, req, res)) res.status(problem.status).type(PROBLEM_MEDIA_TYPE).json(body);
  };
}

function setProblemHeaders(res: Response, { retryAfterSeconds, allow, replayed }: ProblemError): void {
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  if (allow !== undefined) res.set('Allow', allow);
  if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
}

function problemOf({ type, detail, fields, user }: ProblemError, requestId: string): Problem {
  const { title, status, retryable } = problemTypes[type];
  return {
    type: `${PROBLEM_TYPE_PREFIX}${type}`,
    title,
    status,
    detail,
    retryable,
    ...(fields && { fields }),
    ...(user && { user: { user_id: user.user_id, username: user.username } }),
    instance: INSTANCE_PREFIX + requestId,
  };
}

/** The only mapping of errors to problem types: of responses, log lines and metrics. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError) {
    return new ProblemError('service-unavailable', {
      detail: 'Comments are not available at the moment. Please try again.',
      retryAfterSeconds: STORE_RETRY_SECONDS,
      cause: error,
    });
  }
  return new ProblemError(parserProblems.get(typeOf(error)) ?? 'internal-error', {
    cause: error,
    ...(typeOf(error) === 'request.aborted' && {
      diagnosis: { reason: 'the client closed the connection before its request was complete', setting: 'none; investigate if frequent' },
    }),
  });
}

/** By the `type` of body-parser's errors. */
const parserProblems: ReadonlyMap<unknown, ProblemType> = new Map([
  ['entity.too.large', 'payload-too-large'],
  ['encoding.unsupported', 'unsupported-media-type'],
  ['request.aborted', 'invalid-request'],
  ['request.size.invalid', 'invalid-request'],
]);

function typeOf(error: unknown): unknown {
  return error instanceof Error ? (error as { readonly type?: unknown }).type : undefined;
}
