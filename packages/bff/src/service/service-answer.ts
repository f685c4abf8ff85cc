/** What an answer of the service means, for every call alike: JSON of bounded depth, or the contract's problem. Nothing
 *  of an answer that is not understood is passed on. */

import { isUtf8 } from 'node:buffer';
import { ProblemError } from '../http/problem-error.ts';
import { isObject } from '../lib/is-object.ts';
import { isWithinJsonDepth } from '../lib/json-depth.ts';
import { plainText } from '../lib/plain-text.ts';
import { NotAdmittedError } from './not-admitted-error.ts';
import { jitteredRetryAfter } from './retry-after.ts';
import { NoAnswerError, OversizedAnswerError, type ServiceAnswer } from './service-http.ts';

/** The problem that a failed exchange is: `service-unavailable` where surely nothing was carried out. */
export function problemOfFailure(error: unknown): ProblemError {
  if (error instanceof NotAdmittedError) return serviceUnavailable(error);
  if (error instanceof NoAnswerError) {
    return error.sent ? new ProblemError('outcome-unknown', { cause: error }) : serviceUnavailable(error);
  }
  if (error instanceof OversizedAnswerError) return new ProblemError('bad-service-response', { cause: error });
  return new ProblemError('internal-error', { cause: error });
}

/** The JSON of an answer; `undefined` where the body is empty; throws `bad-service-response` where it is anything else. */
export function jsonOf(answer: ServiceAnswer): unknown {
  if (answer.body.length === 0) return undefined;
  const text = isJson(answer) && isUtf8(answer.body) ? answer.body.toString('utf8') : '';
  try {
    return JSON.parse(isWithinJsonDepth(text) ? text : '');
  } catch (error) {
    throw new ProblemError('bad-service-response', { cause: error });
  }
}

/** As `jsonOf`, with `undefined` for what cannot be read. */
export function jsonIfAny(answer: ServiceAnswer): unknown {
  try {
    return jsonOf(answer);
  } catch {
    return undefined;
  }
}

/** An answer with a status that says by itself what happened, whatever the body: a redirect, being sent away, a broken
 *  gateway. `undefined` where the body decides. */
export function problemOfStatus(answer: ServiceAnswer): ProblemError | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  const cause = new Error(`The service answered with status ${status}.`);
  if (status === 503 || status === 429) return serviceUnavailable(cause, retryAfterOf(answer));
  if (status >= 500) return new ProblemError('outcome-unknown', { cause });
  if (status < 200 || (status >= 300 && status < 400)) return new ProblemError('bad-service-response', { cause });
  return undefined;
}

/** Whether the answer is a sign that the service is not itself. A refusal in its own words is none, whatever the status. */
export function isOutage(answer: ServiceAnswer): boolean {
  if (answer.status !== 500) return answer.status > 500;
  const json = jsonIfAny(answer);
  return !(isObject(json) && ('code' in json || 'error' in json));
}

/** `service-refused` with the service's own words, as text. */
export function serviceRefused(message: unknown, cause: Error): ProblemError {
  const words = typeof message === 'string' ? plainText(message) : '';
  return new ProblemError('service-refused', {
    cause,
    ...(words !== '' && { detail: `The comment service refused the request: ${words}` }),
  });
}

function serviceUnavailable(cause: unknown, retryAfterSeconds = jitteredRetryAfter()): ProblemError {
  return new ProblemError('service-unavailable', { cause, retryAfterSeconds });
}

function isJson({ headers }: ServiceAnswer): boolean {
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return false;
  return /^(?:application\/(?:[\w.+-]{1,60}\+)?json|text\/json)\s*(?:;|$)/i.test(String(headers['content-type'] ?? ''));
}

function retryAfterOf({ headers }: ServiceAnswer): number | undefined {
  const text = String(headers['retry-after'] ?? '');
  return /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), 1), 3600) : undefined;
}
