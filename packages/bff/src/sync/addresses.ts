/** Addresses of a sign-in: the authorization request (interface 4.2), the return to the publisher (4.3) with the page to return
 *  to, and the completion (4.5). The latter carries the access token and comes through the reader's browser: only the service's
 *  own completion endpoint is accepted. */

import * as z from 'zod';
import type { SyncReturn } from '@vestibule/shared';
import { ProblemError } from '../problem.ts';
import { nonEmptyText, parseInput, refusedOrigin, text } from '../input.ts';

export function authorizeUrl(config: Readonly<Record<'serviceUrl' | 'publicKey' | 'redirectUri', string>>, forum: string): string {
  const { serviceUrl, publicKey: client_id, redirectUri: redirect_uri } = config;
  const query = new URLSearchParams({ client_id, response_type: 'audiencesync', forum_id: forum, redirect_uri });
  return `${serviceUrl}/api/oauth/2.0/authorize/?${query.toString()}`;
}

/** RFC 6749, appendix A.11. */
const code = nonEmptyText(2_048).regex(/^[\x20-\x7e]*$/, 'must hold ASCII characters only');
const syncReturn = z.strictObject({
  code, username: nonEmptyText(255), user_id: nonEmptyText(255), audiencesync_uri: nonEmptyText(1_024),
});
const syncStart = syncReturn.extend({ forum: text.optional() });

export function parseSyncStart(body: unknown) {
  return parseInput(syncStart, body);
}

/** What the query of a return says. */
export type Returned =
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  | { readonly kind: 'declined' | 'already-granted' }
  /** The service failed: a failure for the log, and the reader's No for the notice. */
  | { readonly kind: 'failed'; readonly problem: ProblemError }
  /** A parameter is missing, repeated or not valid. */
  | { readonly kind: 'malformed'; readonly problem: ProblemError }
  /** None of the parameters is there, as when the page is reloaded. */
  | { readonly kind: 'none' };

const names = [...Object.keys(syncReturn.shape), 'error', 'success'];

const malformed = { reason: 'the return of the service lacks or repeats a parameter', setting: 'VESTIBULE_REDIRECT_URI, or the proxy' };

/** Errors of an authorization response (RFC 6749, 4.1.2.1) that no reader caused. Any other word is the reader's No. */
const serviceErrors = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable'];

/** Never throws. Other parameters belong to the redirect URI. */
export function readReturn(query: URLSearchParams): Returned {
  const given = Object.fromEntries([...query].filter(([name]) => names.includes(name)));
  const { error, success, ...members } = given;
  const word = serviceErrors.find((one) => one === error);
  if (word !== undefined) {
    const diagnosis = { reason: `the service returned the reader with error=${word}`, setting: 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI' };
    return { kind: 'failed', problem: new ProblemError('service-refused', { diagnosis }) };
  }
  const repeated = Object.keys(given).find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return malformedReturn(`${repeated} is repeated.`);
  if (error !== undefined) return { kind: 'declined' };
  if (success === '1' && members['code'] === undefined) return { kind: 'already-granted' };
  if (Object.keys(given).length === 0) return { kind: 'none' };
  if (Object.keys(members).length < names.length - 2) return malformedReturn('The return from the comment service is incomplete.');
  try {
    return { kind: 'granted', syncReturn: parseInput(syncReturn, members) };
  } catch (problem) {
    return { kind: 'malformed', problem: problem as ProblemError };
  }
}

function malformedReturn(detail: string): Returned {
  return { kind: 'malformed', problem: new ProblemError('invalid-request', { detail, diagnosis: malformed }) };
}

/** Of an attempt of the page itself: its cookie carries the address, to every address of the host. */
export const RETURN_URI_MAX_LENGTH = 1_500;

/** A page of an allowed origin, spelled so that every URL parser reads it alike. @throws {ProblemError} `untrusted-return-uri` */
export function parseReturnUri(allowedOrigins: readonly string[], text: string): string {
  const url = URL.parse(text);
  if (!url || !allowedOrigins.includes(url.origin)) {
    throw new ProblemError('untrusted-return-uri', { diagnosis: refusedOrigin(url, allowedOrigins) });
  }
  const isUnambiguous = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) && !/[\s\p{Cc}\p{Cf}\\]/u.test(text);
  if (!isUnambiguous) throw new ProblemError('untrusted-return-uri', { diagnosis: { reason: 'return_to is malformed' } });
  return url.href;
}

/** What no URI has (RFC 3986), such as white space, controls and backslashes, on which URL parsers disagree; and a fragment. */
const AMBIGUOUS = /[^\x21-\x7e]|[\\#]/;

/** ASCII host and port, without user info and escapes. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/i;

/** Returns `text` unchanged if it is the completion endpoint, its path byte for byte, with or without a query.
 *  @throws {ProblemError} `untrusted-completion-uri` */
export function parseCompletionUri(serviceUrl: string, text: string): string {
  const expected = new URL(`${serviceUrl}/audiencesync/complete/`);
  const [address = ''] = text.split('?', 1);
  const origin = address.slice(0, -expected.pathname.length);
  const isTrusted = !AMBIGUOUS.test(text)
    && PLAIN_ORIGIN.test(origin)
    && URL.parse(origin)?.origin === expected.origin
    && address.endsWith(expected.pathname);
  if (!isTrusted) throw new ProblemError('untrusted-completion-uri');
  return text;
}

type CompletionParameter = 'client_id' | 'user_id' | 'access_token' | 'success';

/** Appends the completion parameters. Removes earlier ones of the same names and keeps the rest of the query byte for byte.
 *  @param completionUri accepted by `parseCompletionUri` */
export function completionUrl(completionUri: string, params: Readonly<Record<CompletionParameter, string>>): string {
  const [address = '', ...query] = completionUri.split('?');
  const kept = query.join('?').split('&').filter((pair) => !Object.keys(params).some((name) => new URLSearchParams(pair).has(name)));
  const added = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${address}?${[...(kept.join('&') === '' ? [] : kept), ...added].join('&')}`;
}
