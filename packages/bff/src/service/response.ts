/** Meaning of a response of the service, by the table of the contract (section 2, "What a response of the service means"). The
 *  rows are tried from the top. */

import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { REFUSALS } from '@vestibule/shared';
import { ProblemError, type Diagnosis } from '../problem.ts';
import { isObject } from '../input.ts';
import { plainText } from '../lib/text.ts';
import type { NoResponseError, ServiceResponse } from './transport.ts';

/** A difference from which a refused signature or nonce is about the clock, in ms. */
const MAX_OFFSET_MS = 60_000;

/** Limits the harm of an odd header. A service that needs longer repeats it. */
const MAX_RETRY_AFTER_SECONDS = 300;

export const KEYS = { reason: 'the service refused the keys', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY' };

const BARE_401 = {
  reason: 'the service refused a call with status 401 alone: it no longer accepts the access token, or refuses the keys',
  setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY',
};

export interface ParsedResponse extends Pick<ServiceResponse, 'status' | 'headers'> {
  readonly isEmpty: boolean;
  /** Whatever the `Content-Type`; `undefined` if it is no JSON. */
  readonly json: unknown;
  /** The service's own error envelope: a `code` other than 0, usually with a message. */
  readonly envelope: { readonly code: number; readonly message: string } | undefined;
}

export function parseResponse({ status, headers, body }: ServiceResponse): ParsedResponse {
  const json = body && parseJson(body, /charset="?iso-8859-1\b/i.test(String(headers['content-type'])));
  const { code, response } = isObject(json) ? json : {};
  const isError = (typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code))) && Number(code) !== 0;
  const envelope = isError ? { code: Number(code), message: typeof response === 'string' ? response : '' } : undefined;
  return { status, headers, isEmpty: body?.length === 0, json, envelope };
}

function parseJson(body: Buffer, isLatin1: boolean): unknown {
  if (!isLatin1 && !isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString(isLatin1 ? 'latin1' : 'utf8').replace(/^\ufeff/, ''), keepDigits as Parameters<typeof JSON.parse>[1]);
  } catch {
    return undefined;
  }
}

/** Integers above 2^53, such as ids, become strings of their digits. */
function keepDigits(_name: string, value: unknown, { source }: { readonly source: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

/** The access token of a call. */
export interface CallToken {
  readonly accessToken: string;
  /** Of a session younger than a minute: a gateway's 401 must not sign everybody out in a loop. */
  readonly isNew?: boolean;
}

/** Result of a signed call without the envelope; `undefined` for an empty body.
 *  @param secrets are removed from messages @throws {ProblemError} */
export function resultOf(response: ParsedResponse, secrets: readonly string[], token?: CallToken): unknown {
  const problem = problemOf(response, secrets, token);
  if (problem) throw problem;
  const { isEmpty, json } = response;
  if (isEmpty) return undefined;
  if (json === undefined) throw unknownOutcome(response, 'its body is not JSON');
  return isObject(json) && Number(json['code']) === 0 && 'response' in json ? json['response'] : json;
}

/** The first row: a call without a response. */
export function problemOfFailure(error: NoResponseError): ProblemError {
  const { sent, diagnosis } = error;
  if (!sent) return new ProblemError('service-unavailable', { cause: error, diagnosis, retryAfterSeconds: randomInt(2, 6) });
  return new ProblemError('outcome-unknown', { cause: error, diagnosis });
}

/** How this machine's clock differs from the service's, as text. @param aheadMs of the service's clock */
export function clockOffset(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs < 0 ? 'ahead of' : 'behind'} the service's`;
}

/** The other rows: the problem that the response states; `undefined`: success. */
export function problemOf(response: ParsedResponse, secrets: readonly string[], token?: CallToken): ProblemError | undefined {
  const { status, headers, envelope } = response;
  const { code = NaN, message = '' } = envelope ?? {};
  const aheadMs = httpDate(headers['date']) - Date.now();
  const isBare401 = status === 401 && !envelope && token !== undefined;
  const rows: readonly (readonly [isMeant: boolean, problem: () => ProblemError])[] = [
    [[15, 16, 20].includes(code), () => unknownOutcome(response, `the service responded with code ${code}`)],
    [[13, 14, 21].includes(code), () => unavailable(response, `the service is busy: code ${code}`)],
    [(code === 18 || status === 401) && Math.abs(aheadMs) > MAX_OFFSET_MS, () => refused(response, secrets, {
      reason: `the clocks differ: this machine's is ${clockOffset(aheadMs)}`, setting: 'the clock of this machine (NTP)',
    })],
    [code === 4 || (code === 18 && (status === 401 || /token/i.test(message))), () => new ProblemError('not-signed-in')],
    [isBare401 && token.isNew === true, () => refused(response, secrets, BARE_401)],
    [isBare401, () => new ProblemError('not-signed-in', { diagnosis: BARE_401 })],
    [code === 18 || code === 5, () => refused(response, secrets, KEYS)],
    [envelope !== undefined, () => refused(response, secrets)],
    [status === 429 || (status === 503 && !Number.isNaN(retryAfter(headers))), () => unavailable(response, 'the service is busy')],
    [status >= 500 || status === 408, () => unknownOutcome(response, `the service responded with status ${status}`)],
    [status < 200 || status >= 300, () => refused(response, secrets)],
  ];
  return rows.find(([isMeant]) => isMeant)?.[1]();
}

/** `service-refused` with the service's message as a line of plain text without our secrets. */
export function refused(
  response: ParsedResponse,
  secrets: readonly string[],
  diagnosis: Diagnosis = {},
  error: { readonly code: number | string; readonly message: string } | undefined = response.envelope,
): ProblemError {
  const message = plainText(redact(error?.message ?? '', secrets));
  const code = String(error?.code ?? '');
  const codeField = /^[\w.-]{1,64}$/.test(code) && { service_code: code };
  return new ProblemError('service-refused', {
    ...(message !== '' && { detail: `${REFUSALS['service-refused']}: ${message}` }),
    diagnosis: { ...diagnosis, service_status: String(response.status), ...codeField },
  });
}

/** A message of the service without our secrets, as they are and percent-encoded. */
function redact(message: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
}

/** `outcome-unknown`: the request was or may have been carried out. */
export function unknownOutcome({ status }: ParsedResponse, reason: string): ProblemError {
  return new ProblemError('outcome-unknown', { diagnosis: { reason, setting: 'the service', service_status: String(status) } });
}

/** `Retry-After`, or `X-Ratelimit-Reset` in UNIX seconds, from 1 to 300 seconds; without both spread, so that refused readers do
 *  not return at the same moment. */
function unavailable({ status, headers }: ParsedResponse, reason: string): ProblemError {
  const resetSeconds = Number(headers['x-ratelimit-reset']) - Date.now() / 1000;
  const seconds = [retryAfter(headers), resetSeconds].find((one) => !Number.isNaN(one)) ?? randomInt(2, 6);
  return new ProblemError('service-unavailable', {
    retryAfterSeconds: Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS),
    diagnosis: { reason, setting: 'the service', service_status: String(status) },
  });
}

/** Seconds of `Retry-After` (RFC 9110, 10.2.3: seconds or a date); `NaN` without a valid one. */
function retryAfter(headers: ParsedResponse['headers']): number {
  const text = String(headers['retry-after']);
  return /^\d+$/.test(text) ? Number(text) : (httpDate(text) - Date.now()) / 1000;
}

/** Milliseconds since the epoch of a date (RFC 9110, 5.6.7), which begins with the day of the week: `Date.parse` alone reads `-1`
 *  as a year. `NaN` for anything else. */
function httpDate(value: ParsedResponse['headers'][string]): number {
  const text = String(value);
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : NaN;
}
