/**
 * One line at `warn` or above for each failed sign-in and post: the reason, and the setting or part to look at. The problem's
 * `instance` finds it. No line carries a code, a token, a cookie or a reader's text.
 */

import type { Request } from 'express';
import type { Logger } from 'pino';
import { endpoints, type ProblemType } from '@vestibule/shared';
import { notFailures, type FailedOperation, type Metrics } from '../metrics/metrics.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { ProblemError } from './problem-error.ts';
import { contextOf } from './request-context.ts';

interface Diagnosis {
  readonly reason: string;
  /** Environment variable, or part of the deployment. */
  readonly setting: string;
}

const CLIENT = 'the client: an old widget, a script of your own, or a proxy that changes requests';
const READER = 'none; investigate if frequent';

/** Of the failures that leave a line, where the thrower names no reason. */
const diagnoses: Readonly<Partial<Record<ProblemType, Diagnosis>>> = {
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

export interface FailureLogOptions {
  readonly log: Logger;
  /** Keyed hash that stands for a user. */
  readonly logIdOf: (userId: string) => string;
  readonly metrics: Pick<Metrics, 'failures'>;
}

/**
 * Logs the failure behind a problem response. Failures of other operations are logged if they are not the client's, except a
 * page that `GET /posts` refuses: the widget shows its reference. A replayed failure was logged already: its line at `info`
 * leads to the first one. At most one line for each response.
 */
export function createFailureLog({ log, logIdOf, metrics }: FailureLogOptions): (problem: ProblemError, req: Request) => void {
  return (problem, req) => {
    const operation = operationOf(problem, req);
    const isServerError = problem.status >= 500;
    if (operation === undefined ? !isServerError : notFailures.has(problem.type)) return;
    if (operation !== undefined && !problem.replayed) metrics.failures.inc({ operation, problem: problem.type });
    const { id, userId } = contextOf(req);
    const failureLevel = problem.type === 'internal-error' ? 'error' : 'warn';
    const level = problem.replayed ? 'info' : failureLevel;
    log[level]({
      request_id: id,
      ...(userId !== undefined && { user: logIdOf(userId) }),
      problem: problem.type,
      ...diagnosisOf(problem, req),
      ...(isServerError && problem.cause !== undefined && { err: problem.cause }),
    }, operation === 'page' ? 'page refused' : `${operation ?? 'request'} failed`);
  };
}

function diagnosisOf({ type, cause, diagnosis = {} }: ProblemError, req: Request): Readonly<Record<string, string>> {
  if (cause instanceof StoreUnavailableError) return { reason: 'the store did not answer', setting: 'VESTIBULE_STORE' };
  if (type === 'too-many-requests' && req.headers['x-forwarded-for'] !== undefined && req.app.get('trust proxy') === false) {
    return {
      reason: 'the rate limit is reached: a proxy sends X-Forwarded-For, which is not trusted, so all readers count as one address',
      setting: 'VESTIBULE_TRUST_PROXY',
    };
  }
  const { service_message: message, ...rest } = diagnosis;
  const redacted = message === undefined ? '' : withoutTextOf(req, message);
  return { ...(rest['reason'] === undefined && diagnoses[type]), ...rest, ...(redacted !== '' && { service_message: redacted }) };
}

/**
 * A message of the service without the reader's text, which it may repeat. Redacts the text's words, whatever `RUN` characters
 * of the text in a row touch (spread over several words, or cut off), and words that may be an encoding of it. Returns an empty
 * string for a message with escape sequences.
 */
function withoutTextOf(req: Request, message: string): string {
  const text = (req.body as { readonly message?: unknown } | undefined)?.message;
  if (typeof text !== 'string') return message;
  if (/[%\\]\w|&[#\w]+;/.test(message)) return '';
  const [textWords, textLetters, messageLetters] = [new Set(wordsOf(text)), fold(text), fold(message)];
  const words = message.split(/(\s)/);
  const owners = words.flatMap((word, i) => Array<number>(fold(word).length).fill(i));
  const isRepeated = words.map((word) => wordsOf(word).some((part) => textWords.has(part)) || ENCODED.test(word));
  const run = Math.min(RUN, textLetters.length);
  const runs = new Set(runsOf(textLetters, run));
  for (const [at, part] of runsOf(messageLetters, run).entries()) {
    if (runs.has(part)) for (const owner of owners.slice(at, at + run)) isRepeated[owner] = true;
  }
  return words.map((word, i) => (isRepeated[i] ? '[redacted]' : word)).join('');
}

const RUN = 4;

/** Four characters or more with a digit beside a letter, or with a capital after a small letter. */
const ENCODED = /(?=[\w+/=-]{4})[\w+/=-]*(?:[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z])/;

/** The parts of `length` characters, by the position at which they begin. */
function runsOf(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));
}

/** Equal for texts that differ in case, accents, white space and punctuation. */
function fold(text: string): string {
  return text.normalize('NFKD').toLowerCase().toUpperCase().replace(/[^\p{L}\p{N}\p{S}]/gu, '');
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}\p{S}\p{M}]/u).map(fold).filter((word) => word !== '');
}

/** `undefined` for a preflight: the widget asks `GET /posts` after it, which leaves the line. */
function operationOf({ type }: ProblemError, { path: given, method }: Request): FailedOperation | undefined {
  const path = given.replace(/\/$/, '');
  if (method === 'OPTIONS') return undefined;
  if (path === endpoints.postList.path && method === 'GET') return type === 'forum-not-allowed' || type === 'invalid-request' ? 'page' : undefined;
  if (path === endpoints.syncStart.path || path.startsWith(`${endpoints.syncStart.path}/`)) return 'sign-in';
  return path === endpoints.posts.path && method === 'POST' ? 'post' : undefined;
}
