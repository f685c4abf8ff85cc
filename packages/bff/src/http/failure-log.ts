/**
 * One line at `warn` or above for each failed sign-in and post: the reason, and the setting or part to look at. The problem's
 * `instance` finds it. No line carries a code, a token, a cookie or a reader's text.
 */

import type { Request } from 'express';
import type { Logger } from 'pino';
import { endpoints, type ProblemType } from '@vestibule/shared';
import type { ProblemError } from './problem-error.ts';
import { requestIdOf, userIdOf } from './request-context.ts';

interface Diagnosis {
  readonly reason: string;
  /** Environment variable, or part of the deployment. */
  readonly setting?: string;
}

/** Steps of a form that goes on, not failures. */
const notFailures: ReadonlySet<ProblemType> = new Set(['invalid-answers', 'user-changed', 'post-in-progress', 'message-too-long']);

/** Where the thrower adds nothing. */
const diagnoses: Partial<Record<ProblemType, Diagnosis>> = {
  'invalid-request': { reason: 'the request violates the contract: an old widget, or a client of your own' },
  'untrusted-completion-uri': { reason: 'audiencesync_uri is not the completion endpoint of the service', setting: 'VESTIBULE_SERVICE_URL' },
  'untrusted-return-uri': { reason: 'return_to is not on an allowed origin', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
  'not-signed-in': { reason: 'the service no longer accepts the access token' },
  'forum-not-allowed': { reason: 'the forum is not configured', setting: 'VESTIBULE_FORUMS' },
  'user-mismatch': { reason: 'the exchange returned another user_id than the return: the return was altered' },
  'no-sync-in-progress': { reason: 'the sign-in expired, was superseded, or the reader signed out', setting: 'VESTIBULE_SYNC_SECONDS' },
  'code-already-used': { reason: 'the code was handed in before, perhaps by another browser' },
  'idempotency-key-reused': { reason: 'the same Idempotency-Key came with another message' },
  'post-rejected': { reason: 'the hook posts.prepare refused the post' },
  'too-many-requests': { reason: 'the rate limit is reached', setting: 'VESTIBULE_RATE_LIMITS' },
  'service-refused': { reason: 'the service refused the request', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY, VESTIBULE_REDIRECT_URI' },
  'bad-service-response': { reason: 'the response of the service violates its interface', setting: 'VESTIBULE_SERVICE_URL' },
  'service-unavailable': { reason: 'the service or the store did not answer', setting: 'VESTIBULE_SERVICE_URL, VESTIBULE_STORE' },
  'outcome-unknown': { reason: 'the service did not confirm: it may have carried the request out' },
  'internal-error': { reason: 'a hook or the BFF failed' },
};

export interface FailureLogOptions {
  readonly log: Logger;
  /** Keyed hash that stands for a user. */
  readonly logIdOf: (userId: string) => string;
}

/** Logs the failure behind a problem response. Failures of other operations are logged if they are not the client's. */
export function createFailureLog({ log, logIdOf }: FailureLogOptions): (problem: ProblemError, req: Request) => void {
  return (problem, req) => {
    const operation = operationOf(req);
    const isServerError = problem.status >= 500;
    if (operation === undefined ? !isServerError : notFailures.has(problem.type)) return;
    const userId = userIdOf(req);
    const level = problem.type === 'internal-error' ? 'error' : 'warn';
    log[level]({
      request_id: requestIdOf(req),
      ...(userId !== undefined && { user: logIdOf(userId) }),
      problem: problem.type,
      ...diagnoses[problem.type],
      ...problem.diagnosis,
      ...(isServerError && problem.cause !== undefined && { err: problem.cause }),
    }, `${operation ?? 'request'} failed`);
  };
}

function operationOf({ path, method }: Request): 'sign-in' | 'post' | undefined {
  if (path === endpoints.syncStart.path || path.startsWith(`${endpoints.syncStart.path}/`)) return 'sign-in';
  return path === endpoints.posts.path && method === 'POST' ? 'post' : undefined;
}
