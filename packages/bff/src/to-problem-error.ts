/** The mapping of errors to problem types, of responses, log lines and metrics alike. */

import type { ProblemType } from '@vestibule/shared';
import { ProblemError } from './problem.ts';
import { StoreUnavailableError } from './store/store.ts';

const parserProblems: Readonly<Record<number, ProblemType>> = {
  400: 'invalid-request', 413: 'payload-too-large', 415: 'unsupported-media-type',
};

/** An error that is none of ours is `internal-error`. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailableError) {
    return new ProblemError('service-unavailable', {
      detail: 'Comments are not available at the moment. Please try again.',
      retryAfterSeconds: 2,
      diagnosis: { reason: error.reason, setting: 'VESTIBULE_STORE' },
      cause: error,
    });
  }
  const { status = 0, type } = (error instanceof Error ? error : {}) as { readonly status?: number; readonly type?: unknown };
  const problem = parserProblems[status];
  if (problem === undefined) return new ProblemError('internal-error', { cause: error });
  // Without the cause: a parser quotes what it could not parse.
  return new ProblemError(problem, type === 'request.aborted' ? { diagnosis: { reason: 'the client disconnected' } } : {});
}
