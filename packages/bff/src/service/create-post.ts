/** What the service's answer to a created post means (interface 4.1; the body is known from integrations alone). */

import type { Post } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import { isObject } from '../lib/is-object.ts';
import { jsonIfAny, jsonOf, problemOfStatus, serviceRefused } from './service-answer.ts';
import type { ServiceAnswer } from './service-http.ts';

/** `code` of an access token that is no longer good. */
const INVALID_TOKEN_CODE = 18;

/** `code` of a public key that is not known, or a signature that does not fit it. */
const INVALID_KEY_CODE = 5;

/** The envelope of a failure: `code` other than 0, `response` a message. */
interface Failure {
  readonly code: number;
  readonly response: unknown;
}

/** The `response` of a signed call.
 *  @throws {ProblemError} `not-signed-in`, `service-refused`, `service-unavailable`, `outcome-unknown`, `bad-service-response` */
export function responseOf(answer: ServiceAnswer): unknown {
  const json = jsonIfAny(answer);
  const failure = failureOf(json);
  const causeOf = () => new Error(`The service answered with status ${answer.status}${failure ? ` and code ${failure.code}` : ''}.`);
  if (isTokenRefused(answer, failure)) throw new ProblemError('not-signed-in', { cause: causeOf() });
  const problem = problemOfStatus(answer);
  if (problem && !(failure && problem.type === 'outcome-unknown')) throw problem;
  if (failure) throw serviceRefused(failure.response, causeOf());
  if (answer.status >= 400) throw new ProblemError('service-refused', { cause: causeOf() });
  const body = json ?? jsonOf(answer);
  return isObject(body) && body['code'] === 0 && 'response' in body ? body['response'] : body;
}

/** The created post; a success that says nothing of it is an empty record. */
export function postOf(answer: ServiceAnswer): Post {
  const response = responseOf(answer);
  return isObject(response) ? response : {};
}

/** A 401 is about the reader's token, unless it says that it is about our key or signature: no reader is to lose a
 *  session over a fault of the publisher's. */
function isTokenRefused({ status }: ServiceAnswer, failure: Failure | undefined): boolean {
  return failure?.code === INVALID_TOKEN_CODE || (status === 401 && failure?.code !== INVALID_KEY_CODE);
}

function failureOf(json: unknown): Failure | undefined {
  if (!isObject(json) || typeof json['code'] !== 'number' || json['code'] === 0) return undefined;
  return { code: json['code'], response: json['response'] };
}
