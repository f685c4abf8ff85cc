/** Problem details (RFC 9457) and the closed union of problem types. */

import type { Form } from './form.ts';
import type { User } from './session.ts';

/** Status, title and default of `retryable` of each problem type. */
export const problemTypes = {
  'invalid-request': { status: 400, title: 'Invalid request', retryable: false },
  'untrusted-completion-uri': { status: 400, title: 'Untrusted completion URI', retryable: false },
  'untrusted-return-uri': { status: 400, title: 'Untrusted return URI', retryable: false },
  'not-signed-in': { status: 401, title: 'Not signed in', retryable: false },
  'cross-site-request': { status: 403, title: 'Cross-site request', retryable: false },
  'forum-not-allowed': { status: 403, title: 'Forum not allowed', retryable: false },
  'user-mismatch': { status: 403, title: 'User mismatch', retryable: false },
  'not-found': { status: 404, title: 'Not found', retryable: false },
  'method-not-allowed': { status: 405, title: 'Method not allowed', retryable: false },
  'not-acceptable': { status: 406, title: 'Not acceptable', retryable: false },
  'no-sync-in-progress': { status: 409, title: 'No sync in progress', retryable: false },
  'code-already-used': { status: 409, title: 'Code already used', retryable: false },
  'user-changed': { status: 409, title: 'User changed', retryable: false },
  'post-in-progress': { status: 409, title: 'Post in progress', retryable: true },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key reused', retryable: false },
  'message-too-long': { status: 422, title: 'Message too long', retryable: false },
  'post-rejected': { status: 422, title: 'Post rejected', retryable: false },
  'payload-too-large': { status: 413, title: 'Payload too large', retryable: false },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type', retryable: false },
  'invalid-answers': { status: 422, title: 'Invalid answers', retryable: false },
  'too-many-requests': { status: 429, title: 'Too many requests', retryable: true },
  'service-refused': { status: 502, title: 'Service refused', retryable: false },
  'bad-service-response': { status: 502, title: 'Bad service response', retryable: false },
  'service-unavailable': { status: 503, title: 'Service unavailable', retryable: true },
  'outcome-unknown': { status: 504, title: 'Outcome unknown', retryable: false },
  'internal-error': { status: 500, title: 'Internal error', retryable: false },
} as const satisfies Record<string, { status: number; title: string; retryable: boolean }>;

/** Name of a problem, without the prefix. */
export type ProblemType = keyof typeof problemTypes;

/** Starts the `type` of every problem. */
export const PROBLEM_TYPE_PREFIX = 'urn:vestibule:';

/** `Content-Type` of a problem. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The body of a failure, `application/problem+json`. */
export interface Problem {
  /** `urn:vestibule:` and the name of the problem. */
  readonly type: `${typeof PROBLEM_TYPE_PREFIX}${ProblemType}`;
  /** Name of the problem in words. */
  readonly title: string;
  /** Status of the response. */
  readonly status: number;
  /** Text for the reader. */
  readonly detail: string;
  /** Whether the identical request may be repeated. */
  readonly retryable: boolean;
  /** Messages by field name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of `user-changed`: the proven user, for the reader to confirm; at a post the user who is signed in. */
  readonly user?: User;
  /** Of `invalid-answers`: the questions to ask now, where they are other ones than those that `answers` has members for. */
  readonly form?: Form;
  /** `urn:vestibule:request:` and the request id of the log. */
  readonly instance?: string;
}

/** What the BFF itself says in the `detail` of a refusal. The publisher's words stand in its place, the service's follow. */
export const REFUSALS: Readonly<Partial<Record<ProblemType, string>>> = {
  'post-rejected': 'This site did not accept the comment',
  'service-refused': 'The comment service refused the request',
};

/** The words of the publisher or of the service in the `detail` of a refusal; empty: there are none, or it is none. */
export function refusalReason({ type, detail }: { readonly type: string; readonly detail: string }): string {
  const own = REFUSALS[type.slice(PROBLEM_TYPE_PREFIX.length) as ProblemType];
  if (own === undefined || detail === `${own}.`) return '';
  return detail.startsWith(`${own}: `) ? detail.slice(own.length + 2) : detail;
}

/** Start of `instance`. */
export const INSTANCE_PREFIX = 'urn:vestibule:request:';

/** A random id: a UUID of version 4, or 32 hexadecimal digits, as proxies write them. */
const RANDOM_ID = /^([\da-f]{8})(?:-[\da-f]{4}-4[\da-f]{3}-|[\da-f]{24}$)/i;

/** The reference that readers see of `instance`: a part of the request id that finds its line in the log; eight characters of
 *  a random id. `undefined` without an instance. */
export function referenceOf({ instance }: { readonly instance?: string | undefined }): string | undefined {
  if (!instance?.startsWith(INSTANCE_PREFIX)) return undefined;
  const id = instance.slice(INSTANCE_PREFIX.length);
  return RANDOM_ID.exec(id)?.[1] ?? (id || undefined);
}
