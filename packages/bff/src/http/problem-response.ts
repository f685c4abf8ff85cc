/** The one place that turns an error into an answer (RFC 9457). What is not known is a plain `internal-error`, with the
 *  request's id to find it in the log. */

import type { ErrorRequestHandler, Response } from 'express';
import { PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes, IDEMPOTENCY_REPLAYED_HEADER, type Problem, type ProblemType } from '@vestibule/shared';
import { StoreUnavailableError } from '../store/store.ts';
import { ProblemError } from './problem-error.ts';
import { requestIdOf } from './request-id.ts';

/** Called with every failure that is not the requester's. */
export type ReportFailure = (error: unknown, requestId: string) => void;

/** Seconds after which a lost store is worth another try. */
const STORE_RETRY_SECONDS = 2;

/** Answers with a page where a navigation failed, and `undefined` where the answer is to be the problem itself. */
export type ProblemPage = (error: ProblemError, ...args: Parameters<ErrorRequestHandler>) => boolean;

export function problemResponse(report: ReportFailure, page: ProblemPage = () => false): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const problem = toProblemError(error);
    res.locals['problem'] = problem.type;
    if (problem.status >= 500) report(error, requestIdOf(res));
    if (res.headersSent) {
      res.destroy();
      return;
    }
    setProblemHeaders(res, problem);
    if (page(problem, error, req, res, next)) return;
    res.status(problem.status).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problemOf(problem, requestIdOf(res))));
  };
}

/** The problem that a request was answered with; `undefined` where there was none. */
export function problemTypeOf(res: Response): ProblemType | undefined {
  return res.locals['problem'] as ProblemType | undefined;
}

function setProblemHeaders(res: Response, { retryAfterSeconds, allow, replayed }: ProblemError): void {
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  if (allow !== undefined) res.set('Allow', allow);
  if (replayed) res.set(IDEMPOTENCY_REPLAYED_HEADER, 'true');
}

function problemOf({ type, detail, fields }: ProblemError, requestId: string): Problem {
  const { title, status, retryable } = problemTypes[type];
  return {
    type: `${PROBLEM_TYPE_PREFIX}${type}`,
    title,
    status,
    detail,
    retryable,
    ...(fields && { fields }),
    ...(type === 'internal-error' && { instance: requestId }),
  };
}

/** What any failure is called towards the outside. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError) {
    return new ProblemError('service-unavailable', {
      detail: 'Comments are not available at the moment. Nothing was sent.',
      retryAfterSeconds: STORE_RETRY_SECONDS,
      cause: error,
    });
  }
  return new ProblemError(parserProblems[parserErrorType(error)] ?? 'internal-error', { cause: error });
}

/** body-parser's `type` to ours. */
const parserProblems: Readonly<Record<string, ProblemType>> = {
  'entity.too.large': 'payload-too-large',
  'encoding.unsupported': 'unsupported-media-type',
  'request.aborted': 'invalid-request',
  'request.size.invalid': 'invalid-request',
};

function parserErrorType(error: unknown): string {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : '';
}
