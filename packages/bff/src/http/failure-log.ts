/**
 * One line at `warn` or above for each failed sign-in and post: the reason, and the setting or part to look at. The problem's
 * `instance` finds it. No line carries a code, a token, a cookie or a reader's text.
 */

import type { Request } from 'express';
import type { Logger } from 'pino';
import { endpoints } from '@vestibule/shared';
import { notFailures, type FailedOperation, type Metrics } from '../metrics/metrics.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { diagnoses } from './diagnoses.ts';
import type { ProblemError } from './problem-error.ts';
import { contextOf } from './request-context.ts';

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
