/** The parameters of the return to the publisher (interface 4.3), from a body or from a query, and the page to return to. */

import * as z from 'zod';
import type { SyncReturn, SyncStart } from '@vestibule/shared';
import { refusedOrigin } from '../http/guards.ts';
import { ProblemError } from '../http/problem.ts';
import { parseInput, text, upTo } from '../http/request.ts';

/** RFC 6749, appendix A.11. */
const code = upTo(2_048).regex(/^[\x20-\x7e]*$/, 'must hold ASCII characters only');
const syncReturn = z.strictObject({ code, username: upTo(255), user_id: upTo(255), audiencesync_uri: upTo(4_096) });
const syncStart = syncReturn.extend({ forum: text.optional() });

/** The body of `POST /sync`. @throws {ProblemError} `invalid-request` */
export function parseSyncStart(body: unknown): SyncStart {
  const { forum, ...members } = parseInput(syncStart, body);
  return { ...members, ...(forum !== undefined && { forum }) };
}

export type ReturnQuery =
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  | { readonly kind: 'declined' | 'already-granted' };

const grantNames = ['code', 'username', 'user_id', 'audiencesync_uri'];
const names = [...grantNames, 'error', 'success'];

const malformed = { reason: 'the return of the service lacks or repeats a parameter', setting: 'VESTIBULE_REDIRECT_URI, or the proxy' };

/** The query of a return. Other parameters belong to the redirect URI. `undefined`: none of the parameters is there, as when the
 *  page is reloaded. @throws {ProblemError} `invalid-request` for a repeated or a missing parameter */
export function parseReturnQuery(query: URLSearchParams): ReturnQuery | undefined {
  if (!names.some((name) => query.has(name))) return undefined;
  for (const name of names) {
    if (query.getAll(name).length > 1) throw new ProblemError('invalid-request', { detail: `${name} is repeated.`, diagnosis: malformed });
  }
  if (query.has('error')) return { kind: 'declined' };
  if (query.get('success') === '1' && !query.has('code')) return { kind: 'already-granted' };
  const granted = Object.fromEntries(grantNames.map((name) => [name, query.get(name)]));
  if (Object.values(granted).includes(null)) {
    throw new ProblemError('invalid-request', { detail: 'The return from the comment service is incomplete.', diagnosis: malformed });
  }
  return { kind: 'granted', syncReturn: parseInput(syncReturn, granted) };
}

/** Errors of an authorization response (RFC 6749, 4.1.2.1) that no reader caused. */
const serviceErrors = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable'];

/** The error that the service returned the reader with, for the log, unless the reader denied access. */
export function serviceErrorOf(query: URLSearchParams): string | undefined {
  const error = query.get('error');
  if (error === null || error === 'access_denied') return undefined;
  return serviceErrors.includes(error) ? `error=${error}` : 'an error that OAuth 2 does not define';
}

/** The cookie of an attempt carries the address. */
const RETURN_URI_MAX_LENGTH = 2_800;

/** Where a reader may return to: a page of an allowed origin, spelled so that every URL parser reads it alike.
 *  @throws {ProblemError} `untrusted-return-uri` */
export function parseReturnUri(allowedOrigins: readonly string[], text: string): string {
  const url = URL.parse(text);
  const isAllowedOrigin = url !== null && allowedOrigins.includes(url.origin);
  const trusted = isAllowedOrigin
    && url.href.length <= RETURN_URI_MAX_LENGTH
    && !/[\s\p{Cc}\p{Cf}\\]/u.test(text)
    && /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text);
  if (!trusted) {
    const diagnosis = isAllowedOrigin
      ? { reason: 'return_to is malformed or too long', origin: url.origin, setting: 'the page that starts the sign-in' }
      : refusedOrigin(url, allowedOrigins);
    throw new ProblemError('untrusted-return-uri', { diagnosis });
  }
  return url.href;
}
