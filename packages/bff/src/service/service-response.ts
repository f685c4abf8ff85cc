/**
 * Meaning of a response of the service: the result of a call or a problem of the contract.
 *
 * `service-unavailable` promises that nothing was carried out. Only these prove it: nothing was sent, status 429, status
 * 503 with `Retry-After`, status 503 with the service's own error envelope. A code of that envelope which says that the request
 * was, or may have been, carried out decides before the status. Any other 5xx without that envelope, and a 2xx that cannot be
 * read, is `outcome-unknown`. The body is read as JSON whatever its `Content-Type`.
 */

import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { ProblemError, type ProblemOptions } from '../http/problem-error.ts';
import { isObject, isWithinJsonDepth } from '../lib/json.ts';
import { plainText } from '../lib/text.ts';
import { NoResponseError, type ServiceResponse } from './http-transport.ts';
import { NotAdmittedError } from './operation-policy.ts';
import type { Redactor } from './redact.ts';

/** Response to a signed request. */
export interface SignedResponse extends ServiceResponse {
  /** Whether the clocks differ and the service refused the request under either. A 401 may then be about the time. */
  readonly isClockDisputed?: boolean;
}

/** `code` of an access token that is no longer valid. */
const INVALID_TOKEN_CODE = 18;

/** `code` of an unknown public key or a wrong signature. */
const INVALID_KEY_CODE = 5;

/** `code`s of a request that was or may have been carried out: internal error, timed out, saved but not visible yet. */
const UNCERTAIN_CODES: ReadonlySet<number> = new Set([15, 16, 20]);

/** The longest message that a service would show to a person, in UTF-16 units. */
const MAX_MESSAGE_LENGTH = 2_000;

/** `Retry-After` without one of the service's: spread, so that refused readers do not return at the same moment. */
const DEFAULT_RETRY_AFTER_SECONDS = { min: 2, max: 5 };

/** Limits the harm of an odd header. A service that needs longer repeats it. */
const MAX_RETRY_AFTER_SECONDS = 300;

export type Reviver = (name: string, value: unknown, context: { readonly source: string }) => unknown;

/** JSON of the body; `undefined` if it is not JSON in UTF-8 of bounded depth and size. */
export function jsonOf({ body }: ServiceResponse, reviver?: Reviver): unknown {
  if (!body || !isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  if (!isWithinJsonDepth(text)) return undefined;
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
}

/** Result of a signed call, redacted and without the envelope; `undefined` for a response without a body by definition, and
 *  if a secret is spread over several members.
 *  @throws {ProblemError} `not-signed-in`, `service-refused`, `service-unavailable`, `outcome-unknown`, `bad-service-response` */
export function resultOf(response: SignedResponse, redactor: Redactor, method = 'POST'): unknown {
  const json = jsonOf(response);
  const failure = failureOf(json);
  const { status } = response;
  if (isTokenRefused(response, failure?.code)) throw new ProblemError('not-signed-in', { cause: statusError(status, failure?.code) });
  if (failure && UNCERTAIN_CODES.has(failure.code)) throw new ProblemError('outcome-unknown', { cause: statusError(status, failure.code) });
  const problem = problemOfStatus(response, failure !== undefined);
  if (problem) throw problem;
  const refusal = failure && { status, code: String(failure.code), message: redactor.redact(messageOf(failure.response)) };
  if (refusal || status >= 400) throw serviceRefused(refusal ?? { status, code: '', message: '' }, statusError(status, failure?.code));
  if (method === 'HEAD' || status === 204 || status === 205) return undefined;
  if (json === undefined) throw unreadable();
  return redactor.redactJson(isObject(json) && json['code'] === 0 && 'response' in json ? json['response'] : json);
}

/** Problem that the status states on its own; `undefined` if the body decides.
 *  @param hasEnvelope whether the body is the service's own error envelope */
export function problemOfStatus(response: ServiceResponse, hasEnvelope: boolean): ProblemError | undefined {
  const { status } = response;
  const retryAfter = retryAfterSeconds(response);
  const isRefused503 = status === 503 && (hasEnvelope || retryAfter !== undefined);
  if (status === 429 || isRefused503) {
    return serviceUnavailable(statusError(status), retryAfter, { reason: 'the service refuses requests for a while', setting: 'the service', service_status: String(status) });
  }
  if (status >= 500 && !hasEnvelope) return new ProblemError('outcome-unknown', { cause: statusError(status) });
  if (status < 200 || (status >= 300 && status < 400)) return new ProblemError('bad-service-response', { cause: statusError(status) });
  return undefined;
}

/** @param code of the service's own error envelope */
function statusError(status: number, code?: number): Error {
  return new Error(`The service responded with status ${status}${code === undefined ? '' : ` and code ${code}`}.`);
}

const notAdmitted: Readonly<Record<NotAdmittedError['reason'], ProblemOptions['diagnosis']>> = {
  busy: { reason: 'too many calls to the service wait', setting: 'VESTIBULE_SERVICE_MAX_IN_FLIGHT, VESTIBULE_SERVICE_MAX_QUEUED' },
  open: { reason: 'the circuit breaker is open after failures of the service', setting: 'the service, and the lines before this one' },
  'retry-after': { reason: 'the service asked to wait with Retry-After', setting: 'the service' },
};

/** Problem of a call without a response. */
export function problemOfFailure(error: unknown): ProblemError {
  if (error instanceof NotAdmittedError) return serviceUnavailable(error, error.retryAfterSeconds, notAdmitted[error.reason]);
  if (error instanceof NoResponseError) {
    return error.sent ? new ProblemError('outcome-unknown', { cause: error }) : serviceUnavailable(error);
  }
  return new ProblemError('internal-error', { cause: error });
}

const KEYS = { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' };

/** By the code of a refusal: `error` of OAuth 2, or the number in the service's own envelope. */
const refusals: Readonly<Record<string, { readonly reason: string; readonly setting: string }>> = {
  [INVALID_KEY_CODE]: KEYS,
  invalid_client: KEYS,
  unauthorized_client: KEYS,
  invalid_grant: {
    reason: 'the service refused the code: it expired, was used before, or the redirect URI is not the registered one',
    setting: 'VESTIBULE_REDIRECT_URI',
  },
};

/** `service-refused` with the service's message, if it has one, as a line of plain text.
 *  @param refusal redacted */
export function serviceRefused(refusal: { status: number; code: string; message: string }, cause: Error): ProblemError {
  const { status, code, message } = refusal;
  const text = plainText(message);
  const detail = `The comment service refused the request: ${text}`;
  const diagnosis = {
    ...refusals[code],
    service_status: String(status),
    ...(/^[\w.-]{1,64}$/.test(code) && { service_code: code }),
    ...(text !== '' && { service_message: text }),
  };
  return new ProblemError('service-refused', { cause, diagnosis, ...(text !== '' && { detail }) });
}

/** A message of the service; empty if it is not text, or too long to be one. */
export function messageOf(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_MESSAGE_LENGTH ? value : '';
}

/** Whether the response counts as an outage, for the circuit breaker. A refusal in the service's own
 *  envelope does not, whatever its status. */
export function isOutage(response: ServiceResponse): boolean {
  if (response.status < 500) return false;
  const json = jsonOf(response);
  return response.status === 503 || !(failureOf(json) || (isObject(json) && json['error']));
}

/** Whether the service refused a request without carrying it out, possibly for its nonce. */
export function isRefusal(response: ServiceResponse): boolean {
  return [400, 401, 403].includes(response.status) && failureOf(jsonOf(response))?.code !== INVALID_TOKEN_CODE;
}

/** Whether the service accepted the request, its signature included. */
export function isAccepted(response: ServiceResponse): boolean {
  return response.status >= 200 && response.status < 300 && !failureOf(jsonOf(response));
}

/** `Retry-After` of a 429 or 503 (RFC 9110, 10.2.3: seconds or a date), from 1 to 300; `undefined` without a valid one. */
export function retryAfterSeconds({ status, headers, receivedAt }: ServiceResponse): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = String(headers['retry-after'] ?? '');
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  if (!isDate && !/^\d+$/.test(text)) return undefined;
  const seconds = isDate ? Math.ceil((Date.parse(text) - receivedAt) / 1000) : Number(text);
  return Math.min(Math.max(seconds, 1), MAX_RETRY_AFTER_SECONDS);
}

/** `outcome-unknown` of a successful response whose body is not JSON. */
export function unreadable(): ProblemError {
  return new ProblemError('outcome-unknown', { cause: new Error('The body of a successful response is not JSON.') });
}

function serviceUnavailable(cause: unknown, retryAfter?: number, diagnosis?: ProblemOptions['diagnosis']): ProblemError {
  const { min, max } = DEFAULT_RETRY_AFTER_SECONDS;
  return new ProblemError('service-unavailable', { cause, retryAfterSeconds: retryAfter ?? randomInt(min, max + 1), ...(diagnosis && { diagnosis }) });
}

/** A 401 is about the access token unless the service says that it is about the key or the signature, or the nonce may be
 *  the reason: no reader may lose a session over a fault of the publisher's. */
function isTokenRefused({ status, isClockDisputed = false }: SignedResponse, code: number | undefined): boolean {
  return code === INVALID_TOKEN_CODE || (status === 401 && code !== INVALID_KEY_CODE && !isClockDisputed);
}

/** The service's own error envelope: a `code` other than 0, usually with a message. */
function failureOf(json: unknown): { readonly code: number; readonly response: unknown } | undefined {
  if (!isObject(json) || typeof json['code'] !== 'number' || json['code'] === 0) return undefined;
  return { code: json['code'], response: json['response'] };
}
