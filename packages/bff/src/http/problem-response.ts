/** Sends failures as problem details (RFC 9457), and logs each failed sign-in, post and action (edit, removal, like) in one line
 *  at `warn` or above. The problem's `instance` finds it. */

import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import {
  IDEMPOTENCY_REPLAYED_HEADER, INSTANCE_PREFIX, PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes,
  type Problem, type ProblemType,
} from '@vestibule/shared';
import { toProblemError, type ProblemError } from '../problem.ts';
import { contextOf } from './frame.ts';
import type { FailedOperation } from './routes.ts';

export type ReportFailure = (problem: ProblemError, req: Request) => void;

/** @param sendPage sends a page instead of the problem; `false`: it sent nothing */
export function problemResponse(
  report: ReportFailure,
  sendPage: (problem: Problem, req: Request, res: Response) => boolean,
): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const problem = toProblemError(error);
    contextOf(req).problem = problem.type;
    report(problem, req);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const { type, status, detail, options: { fields, user, form, retryAfterSeconds, allow, replayed } } = problem;
    const { id, route } = contextOf(req);
    // Actions are idempotent by nature, whatever became of the request.
    const isRepeatable = route.operations[req.method] === 'action';
    res.set('X-Request-Id', id);
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
    if (allow !== undefined) res.set('Allow', allow);
    if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
    const body: Problem = {
      type: `${PROBLEM_TYPE_PREFIX}${type}`,
      ...problemTypes[type],
      status,
      retryable: problemTypes[type].retryable || (isRepeatable && [500, 504].includes(status)),
      detail,
      ...(fields && { fields }),
      ...(user && { user: { user_id: user.user_id, username: user.username } }),
      ...(form && { form }),
      instance: INSTANCE_PREFIX + id,
    };
    if (!sendPage(body, req, res)) res.status(status).type(PROBLEM_MEDIA_TYPE).json(body);
  };
}

/** Steps of a form that goes on, not failures. The outcome of a post in progress counts when it is known. */
const notFailures: Readonly<Partial<Record<FailedOperation, readonly ProblemType[]>>> = {
  'sign-in': ['invalid-answers', 'user-changed'], post: ['post-in-progress'],
};

/** What `GET /posts` refuses where the page is not set up. */
const pageFailures: readonly ProblemType[] = ['forum-not-allowed', 'invalid-request'];

/** Failures of other operations are logged if they are not the client's, except a page that `GET /posts` refuses: the widget
 *  shows its reference. A replayed failure was logged already: its line at `info` leads to the first one. */
export function createFailureLog(log: Logger, count: (operation: FailedOperation, problem: ProblemType) => void): ReportFailure {
  return (problem, req) => {
    const { type, cause, options: { replayed, isPrefetch } } = problem;
    if (isPrefetch) return;
    const operation = operationOf(problem, req);
    const isServerError = problem.status >= 500;
    if (operation === undefined ? !isServerError : notFailures[operation]?.includes(type)) return;
    if (operation !== undefined && !replayed) count(operation, type);
    const { id, logId } = contextOf(req);
    log[replayed ? 'info' : type === 'internal-error' ? 'error' : 'warn']({
      request_id: id,
      ...(logId !== undefined && { user: logId }),
      problem: type,
      ...problem.diagnosis,
      ...(isServerError && cause !== undefined && { err: cause }),
    }, operation === 'page' ? 'page refused' : `${operation ?? 'request'} failed`);
  };
}

function operationOf({ type }: ProblemError, req: Request): FailedOperation | undefined {
  const operation = contextOf(req).route.operations[req.method];
  return operation === 'page' && !pageFailures.includes(type) ? undefined : operation;
}
