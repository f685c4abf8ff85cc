/** Reasons of failures for the log, and the settings to look at. */

import type { ProblemType } from '@vestibule/shared';

interface Diagnosis {
  readonly reason: string;
  /** Environment variable, or part of the deployment. */
  readonly setting: string;
}

const CLIENT = 'the client: an old widget, a script of your own, or a proxy that changes requests';
const READER = 'none; investigate if frequent';

/** Of the failures that leave a line, where the thrower names no reason. */
export const diagnoses: Readonly<Partial<Record<ProblemType, Diagnosis>>> = {
  'invalid-request': { reason: 'the request violates the contract', setting: CLIENT },
  'untrusted-completion-uri': { reason: 'audiencesync_uri is not the completion endpoint of the service', setting: 'VESTIBULE_SERVICE_URL' },
  'untrusted-return-uri': { reason: 'return_to is not on an allowed origin', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
  'not-signed-in': { reason: 'the service no longer accepts the access token', setting: 'nothing: the reader signs in again' },
  'cross-site-request': { reason: 'the request did not come from a page of this site', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
  'forum-not-allowed': { reason: 'the forum is not configured', setting: 'VESTIBULE_FORUMS' },
  'user-mismatch': { reason: 'the exchange returned another user_id than the return: the return was altered', setting: READER },
  'not-found': { reason: 'there is nothing at this address', setting: CLIENT },
  'method-not-allowed': { reason: 'the address does not support the request method', setting: CLIENT },
  'not-acceptable': { reason: 'the Accept header admits no format of the response', setting: CLIENT },
  'no-sync-in-progress': { reason: 'the sign-in expired, was superseded, or the reader signed out', setting: 'VESTIBULE_SYNC_SECONDS' },
  'code-already-used': { reason: 'the code was handed in before, perhaps by another browser', setting: READER },
  'idempotency-key-reused': { reason: 'the same Idempotency-Key came with another message', setting: CLIENT },
  'message-too-long': { reason: 'the message is longer than the limit, which the box shows', setting: `VESTIBULE_MESSAGE_MAX_LENGTH, or ${CLIENT}` },
  'post-rejected': { reason: 'the hook posts.prepare refused the post', setting: 'VESTIBULE_CONFIG' },
  'payload-too-large': { reason: 'the body is larger than any message', setting: 'VESTIBULE_MESSAGE_MAX_LENGTH' },
  'unsupported-media-type': { reason: 'the body is not JSON in UTF-8', setting: CLIENT },
  'too-many-requests': { reason: 'the rate limit is reached', setting: 'VESTIBULE_RATE_LIMITS' },
  'service-refused': { reason: 'the service refused the request', setting: 'the service, and its service_message' },
  'bad-service-response': { reason: 'the response of the service violates its interface', setting: 'VESTIBULE_SERVICE_URL' },
  'service-unavailable': { reason: 'the service did not answer', setting: 'VESTIBULE_SERVICE_URL' },
  'outcome-unknown': { reason: 'the service did not confirm: it may have carried the request out', setting: 'VESTIBULE_SERVICE_TIMEOUT_MS' },
  'internal-error': { reason: 'the BFF failed', setting: 'err of this line' },
};
