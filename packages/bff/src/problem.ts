/** A failure with a problem type of the contract, with its words for the reader and its diagnosis for the log; the one mapping of
 *  other errors to it, for responses, log lines and metrics alike. `problem-response.ts` sends it. */

import { problemTypes, REFUSALS, type Form, type ProblemType, type User } from '@vestibule/shared';
import { StoreUnavailableError } from './store/store.ts';

/** Fields of the log line for the operator, such as `reason` and `setting`. Never a code, a token or a reader's text. */
export type Diagnosis = Readonly<Record<string, string>>;

/** Members of a problem beside its type. */
export interface ProblemOptions {
  /** For the reader. Names the field and the rule, never the value. */
  readonly detail?: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Of `user-changed`: the proven user; at a post the user who is signed in. */
  readonly user?: User;
  /** Of `invalid-answers`: the questions to ask now. */
  readonly form?: Form;
  /** Seconds until the identical request may be repeated. */
  readonly retryAfterSeconds?: number;
  readonly allow?: string;
  /** Of `not-found`: it was there before. The status is 410. */
  readonly gone?: boolean;
  /** Whether this is the stored failure of an earlier identical request. */
  readonly replayed?: boolean;
  /** No sign-in failed: it leaves no line at `warn`, and is not counted. */
  readonly isPrefetch?: boolean;
  readonly diagnosis?: Diagnosis;
  readonly cause?: unknown;
}

const CLIENT = 'the client: an old widget, a script of your own, or a proxy that changes requests';
const READER = 'none; investigate if frequent';

/** What the reader reads; where the thrower names none, the reason for the log (default: the title) and the setting to look at
 *  (default: the client). */
const texts: Readonly<Record<ProblemType, readonly [detail: string, reason?: string, setting?: string]>> = {
  'invalid-request': ['The request could not be understood.', 'the request violates the contract'],
  'untrusted-completion-uri': [
    'The sign-in link does not lead back to the comment service, so it was not followed.',
    'audiencesync_uri is not the completion endpoint of the service', 'VESTIBULE_SERVICE_URL',
  ],
  'untrusted-return-uri': ['The return address is not a page of this site.', 'return_to is not on an allowed origin', 'VESTIBULE_ALLOWED_ORIGINS'],
  'not-signed-in': ['Please sign in to continue.', 'the service no longer accepts the access token', 'nothing: the reader signs in again'],
  'cross-site-request': ['The request did not come from a page of this site.', 'another site sent the request'],
  'forum-not-allowed': ['This forum is not available here.', 'the forum is not configured', 'VESTIBULE_FORUMS'],
  'user-mismatch': [
    'The service confirmed a different account. Please sign in again.', 'the exchange returned another user_id than the return', READER,
  ],
  'not-found': ['There is nothing at this address.'],
  'method-not-allowed': ['This address does not support the request method.'],
  'not-acceptable': ['The response is not available in a format that was requested.'],
  'no-sync-in-progress': [
    'This sign-in has expired or was replaced. Please sign in again.', 'the sign-in expired or was replaced', 'VESTIBULE_SYNC_SECONDS',
  ],
  'code-already-used': ['This sign-in link was already used. Please sign in again.', 'the code was handed in before', READER],
  'user-changed': [
    'The comment service confirmed another name. Please check who you are signing in as.',
    'the request named another account than the one that is signed in', READER,
  ],
  'post-in-progress': ['This comment is already being sent.'],
  'idempotency-key-reused': ['This comment was already sent with a different text.', 'the Idempotency-Key came with another text'],
  'message-too-long': ['The comment is too long.', 'the message is longer than the limit', 'VESTIBULE_MESSAGE_MAX_LENGTH'],
  'post-rejected': [`${REFUSALS['post-rejected']}.`, 'the hook posts.prepare refused the post', 'VESTIBULE_CONFIG'],
  'payload-too-large': ['The request is too large.', 'the body is larger than any message', 'VESTIBULE_MESSAGE_MAX_LENGTH'],
  'unsupported-media-type': ['The request must be JSON.', 'the body is not JSON in UTF-8'],
  'invalid-answers': ['Please check your answers.'],
  'too-many-requests': [
    'Too many requests. Please wait a moment.', 'the rate limit is reached', 'VESTIBULE_RATE_LIMITS, VESTIBULE_TRUST_PROXY',
  ],
  'service-refused': [`${REFUSALS['service-refused']}.`, 'the service refused the request', 'the service'],
  'bad-service-response': [
    'The comment service sent an invalid response.', 'the response of the service violates its interface', 'VESTIBULE_SERVICE_URL',
  ],
  'service-unavailable': [
    'The comment service cannot be reached at the moment. Nothing was sent.', 'the service did not answer', 'VESTIBULE_SERVICE_URL',
  ],
  'outcome-unknown': [
    'The comment service did not confirm. The request may or may not have been carried out.', 'the service did not confirm',
    'VESTIBULE_SERVICE_TIMEOUT_MS',
  ],
  'internal-error': ['Something went wrong on our side.', 'the server failed', 'err of this line'],
};

/** A failure with a problem type of the contract. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly type: ProblemType;
  readonly status: number;
  readonly detail: string;
  readonly diagnosis: Diagnosis;
  readonly options: ProblemOptions;

  constructor(type: ProblemType, options: ProblemOptions = {}) {
    super(type, options);
    const { status, title } = problemTypes[type];
    const [detail, reason = title, setting = CLIENT] = texts[type];
    this.type = type;
    this.status = options.gone ? 410 : status;
    this.detail = options.detail ?? detail;
    this.diagnosis = { reason, setting, ...options.diagnosis };
    this.options = options;
  }
}

/** The problem in which a post or a sign-in ended, as its record keeps it: every identical request gets the same one. */
export interface StoredProblem {
  readonly problem: ProblemType;
  readonly detail: string;
  /** Id of the request that failed: its line in the log has the cause. */
  readonly request_id: string;
}

export function storedProblem({ type, detail }: ProblemError, request_id: string): StoredProblem {
  return { problem: type, detail, request_id };
}

export function replayedProblem({ problem, detail, request_id }: StoredProblem): ProblemError {
  const reason = 'the stored failure of an earlier request';
  return new ProblemError(problem, {
    detail, replayed: true, diagnosis: { reason, setting: 'the line of the earlier request', first_request_id: request_id },
  });
}

/** Of body parsers, by status. */
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
