/**
 * Meaning of a response of the service, by the table of the contract (section 2, "What a response of the service means"). The
 * rows are tried from the top; the code of an error envelope decides before status and headers.
 */

import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { ProblemError } from '../http/problem.ts';
import { isObject, isWithinJsonDepth } from '../lib/json.ts';
import { plainText } from '../lib/text.ts';
import type { NoResponseError, ServiceResponse } from './transport.ts';

/** The service's own error envelope: a `code` other than 0, usually with a message. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
}

/** A difference from which a refused signature or nonce is about the clock, in ms. */
const MAX_CLOCK_OFFSET_MS = 60_000;

/** `Retry-After` without one of the service's: spread, so that refused readers do not return at the same moment. */
const DEFAULT_RETRY_AFTER_SECONDS = { min: 2, max: 5 };

/** Limits the harm of an odd header. A service that needs longer repeats it. */
const MAX_RETRY_AFTER_SECONDS = 300;

const KEYS = { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' };

/** JSON of the body, whatever its `Content-Type`; `undefined` if it is no JSON. Integers above 2^53 become strings of their
 *  digits. */
export function jsonOf({ body, headers }: ServiceResponse): unknown {
  const isLatin1 = /charset="?iso-8859-1\b/i.test(String(headers['content-type']));
  const text = body && (isLatin1 || isUtf8(body)) ? body.toString(isLatin1 ? 'latin1' : 'utf8').replace(/^\ufeff/, '') : undefined;
  if (text === undefined || !isWithinJsonDepth(text)) return undefined;
  try {
    return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
}

function keepDigits(_name: string, value: unknown, { source }: { readonly source: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

export function envelopeOf(json: unknown): Envelope | undefined {
  if (!isObject(json)) return undefined;
  const { code, response } = json;
  const isCode = typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code));
  if (!isCode || Number(code) === 0) return undefined;
  return { code: Number(code), message: typeof response === 'string' ? response : '' };
}

/** Result of a signed call without the envelope; `undefined` for an empty body.
 *  @param secrets are removed from messages @throws {ProblemError} */
export function resultOf(response: ServiceResponse, secrets: readonly string[]): unknown {
  const json = jsonOf(response);
  const problem = problemOf(response, envelopeOf(json), secrets);
  if (problem) throw problem;
  if (response.body?.length === 0) return undefined;
  if (json === undefined) throw unknownOutcome(response, 'its body is not JSON');
  return isObject(json) && Number(json['code']) === 0 && 'response' in json ? json['response'] : json;
}

/** The problem that the response states; `undefined`: success.
 *  @param envelope of its body @param now milliseconds since the epoch */
export function problemOf(
  response: ServiceResponse,
  envelope: Envelope | undefined,
  secrets: readonly string[],
  now = Date.now(),
): ProblemError | undefined {
  const { status, headers } = response;
  const offsetMs = Date.parse(String(headers['date'])) - now;
  switch (envelope?.code) {
    case 15: case 16: case 20:
      return unknownOutcome(response, `the service responded with code ${envelope.code}`);
    case 13: case 14: case 21:
      return unavailable(response, `the service refused for a while with code ${envelope.code}`);
  }
  if ((envelope?.code === 18 || status === 401) && Math.abs(offsetMs) > MAX_CLOCK_OFFSET_MS) {
    const offset = `${Math.round(offsetMs / 1000)} s`;
    return refused(response, envelope, secrets, {
      reason: `the clocks differ: the service's is ahead by ${offset}`, setting: 'the clock of this machine (NTP)', clock_offset: offset,
    });
  }
  if (envelope?.code === 4 || (envelope?.code === 18 && (status === 401 || /token/i.test(envelope.message)))) {
    return new ProblemError('not-signed-in', { cause: statusError(response, envelope) });
  }
  if (envelope) return refused(response, envelope, secrets, [5, 18].includes(envelope.code) ? KEYS : {});
  if (status === 429 || (status === 503 && retryAfterSeconds(headers) !== undefined)) {
    return unavailable(response, 'the service refuses requests for a while');
  }
  if (status >= 500 || status === 408) return unknownOutcome(response, `the service responded with status ${status}`);
  return status < 200 || status >= 300 ? refused(response, undefined, secrets, {}) : undefined;
}

/** Problem of a call without a response. */
export function problemOfFailure(error: NoResponseError): ProblemError {
  return error.sent
    ? new ProblemError('outcome-unknown', { cause: error })
    : new ProblemError('service-unavailable', { cause: error, retryAfterSeconds: defaultRetryAfter() });
}

/** `service-refused` with the service's message as a line of plain text without our secrets.
 *  @param diagnosis for the log */
export function refused(
  response: ServiceResponse,
  envelope: { readonly code: number | string; readonly message: string } | undefined,
  secrets: readonly string[],
  diagnosis: Readonly<Record<string, string>>,
): ProblemError {
  const message = envelope ? plainText(redact(envelope.message, secrets), 300) : '';
  return new ProblemError('service-refused', {
    ...(message !== '' && { detail: `The comment service refused the request: ${message}` }),
    diagnosis: {
      ...diagnosis,
      service_status: String(response.status),
      ...(envelope && /^[\w.-]{1,64}$/.test(String(envelope.code)) && { service_code: String(envelope.code) }),
    },
    cause: statusError(response, envelope),
  });
}

/** A message of the service without our secrets: as they are, percent- and form-encoded, JSON- and HTML-escaped. */
function redact(message: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret !== '').flatMap((secret) => [
    secret, encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1), JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]).reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
}

/** `outcome-unknown`: the request was or may have been carried out. */
export function unknownOutcome(response: ServiceResponse, reason: string): ProblemError {
  return new ProblemError('outcome-unknown', {
    cause: statusError(response, undefined),
    diagnosis: { reason, setting: 'the service', service_status: String(response.status) },
  });
}

function unavailable(response: ServiceResponse, reason: string): ProblemError {
  return new ProblemError('service-unavailable', {
    cause: statusError(response, undefined),
    retryAfterSeconds: retryAfterSeconds(response.headers) ?? resetSeconds(response.headers) ?? defaultRetryAfter(),
    diagnosis: { reason, setting: 'the service', service_status: String(response.status) },
  });
}

function statusError({ status }: ServiceResponse, envelope: { readonly code: number | string } | undefined): Error {
  return new Error(`The service responded with status ${status}${envelope ? ` and code ${plainText(String(envelope.code), 64)}` : ''}.`);
}

/** `Retry-After` (RFC 9110, 10.2.3: seconds or a date), from 1 to 300 seconds. */
function retryAfterSeconds(headers: ServiceResponse['headers']): number | undefined {
  const text = String(headers['retry-after'] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return bounded(seconds);
}

/** `X-Ratelimit-Reset`: UNIX seconds. */
function resetSeconds(headers: ServiceResponse['headers']): number | undefined {
  return bounded(Number(headers['x-ratelimit-reset'] ?? Number.NaN) - Date.now() / 1000);
}

function bounded(seconds: number): number | undefined {
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS);
}

function defaultRetryAfter(): number {
  return randomInt(DEFAULT_RETRY_AFTER_SECONDS.min, DEFAULT_RETRY_AFTER_SECONDS.max + 1);
}
