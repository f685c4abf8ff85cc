/** A failure with a problem type of the contract. `problem-response.ts` turns it into a response. */

import { problemTypes, type ProblemType, type User } from '@vestibule/shared';
import type { RequestHandler } from 'express';

/** Members of a problem beside its type. */
export interface ProblemOptions {
  /** For the reader. Names the field and the rule, never the value. */
  readonly detail?: string;
  /** Messages for the fields at fault, by name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of `user-changed`: the proven user; at a post the user who is signed in. */
  readonly user?: User;
  /** Seconds until the identical request may be repeated. */
  readonly retryAfterSeconds?: number;
  /** Methods of a resource, for `method-not-allowed`. */
  readonly allow?: string;
  /** Whether this is the stored failure of an earlier identical request. */
  readonly replayed?: boolean;
  /** Fields of the log line for the operator, such as `reason` and `setting`. Never a code, a token or a reader's text. */
  readonly diagnosis?: Readonly<Record<string, string>>;
  /** The foreign failure, for the log. */
  readonly cause?: unknown;
}

/** Used if the thrower sets no detail. */
const defaultDetails: Record<ProblemType, string> = {
  'invalid-request': 'The request could not be understood.',
  'untrusted-completion-uri': 'The sign-in link does not lead back to the comment service, so it was not followed.',
  'untrusted-return-uri': 'The return address is not a page of this site.',
  'not-signed-in': 'Please sign in to continue.',
  'cross-site-request': 'The request did not come from a page of this site.',
  'forum-not-allowed': 'This forum is not available here.',
  'user-mismatch': 'The service confirmed a different account. Please sign in again.',
  'not-found': 'There is nothing at this address.',
  'method-not-allowed': 'This address does not support the request method.',
  'not-acceptable': 'The response is not available in a format that was requested.',
  'no-sync-in-progress': 'This sign-in has expired or was replaced. Please sign in again.',
  'code-already-used': 'This sign-in link was already used. Please sign in again.',
  'user-changed': 'The comment service confirmed another name. Please check who you are signing in as.',
  'post-in-progress': 'This comment is already being sent.',
  'idempotency-key-reused': 'This comment was already sent with a different text.',
  'message-too-long': 'The comment is too long.',
  'post-rejected': 'This site did not accept the comment.',
  'payload-too-large': 'The request is too large.',
  'unsupported-media-type': 'The request must be JSON.',
  'invalid-answers': 'Please check your answers.',
  'too-many-requests': 'Too many requests. Please wait a moment.',
  'service-refused': 'The comment service refused the request.',
  'bad-service-response': 'The comment service sent an invalid response.',
  'service-unavailable': 'The comment service cannot be reached at the moment. Nothing was sent.',
  'outcome-unknown': 'The comment service did not confirm. The request may or may not have been carried out.',
  'internal-error': 'Something went wrong on our side.',
};

/** A failure with a problem type of the contract. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly type: ProblemType;
  readonly status: number;
  readonly detail: string;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly user: User | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;
  readonly replayed: boolean;
  readonly diagnosis: Readonly<Record<string, string>> | undefined;

  constructor(type: ProblemType, options: ProblemOptions = {}) {
    super(type, options);
    this.type = type;
    this.status = problemTypes[type].status;
    this.detail = options.detail ?? defaultDetails[type];
    this.fields = options.fields;
    this.user = options.user;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.replayed = options.replayed ?? false;
    this.diagnosis = options.diagnosis;
  }
}

/** The stored failure of an earlier request, whose line has the cause. */
export function replayedProblem({ problem, detail, request_id }: {
  readonly problem: ProblemType;
  readonly detail: string;
  readonly request_id?: string | undefined;
}): ProblemError {
  const diagnosis = { reason: 'the stored failure of an earlier request', ...(request_id !== undefined && { first_request_id: request_id }) };
  return new ProblemError(problem, { detail, replayed: true, diagnosis: { ...diagnosis, setting: 'the line of the earlier request' } });
}

/** Last handler of a route.
 *  @param allow value of the `Allow` header, such as `GET, HEAD` */
export function methodNotAllowed(allow: string): RequestHandler {
  return () => { throw new ProblemError('method-not-allowed', { allow }); };
}
