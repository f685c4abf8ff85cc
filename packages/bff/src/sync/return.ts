/** The parameters of the return to the publisher (interface 4.3), from a body or from a query, and the page to return to. */

import * as z from 'zod';
import type { SyncReturn } from '@vestibule/shared';
import { refusedOrigin } from '../http/guards.ts';
import { ProblemError } from '../problem.ts';
import { parseInput, text, upTo } from '../lib/input.ts';

/** RFC 6749, appendix A.11. */
const code = upTo(2_048).regex(/^[\x20-\x7e]*$/, 'must hold ASCII characters only');
const syncReturn = z.strictObject({ code, username: upTo(255), user_id: upTo(255), audiencesync_uri: upTo(4_096) });
const syncStart = syncReturn.extend({ forum: text.optional() });

export function parseSyncStart(body: unknown) {
  return parseInput(syncStart, body);
}

export type ReturnQuery =
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  | { readonly kind: 'declined' | 'already-granted' };

const names = [...Object.keys(syncReturn.shape), 'error', 'success'];

const malformed = { reason: 'the return of the service lacks or repeats a parameter', setting: 'VESTIBULE_REDIRECT_URI, or the proxy' };

/** The query of a return. Other parameters belong to the redirect URI. `undefined`: none of the parameters is there, as when the
 *  page is reloaded. @throws {ProblemError} `invalid-request` for a repeated or a missing parameter */
export function parseReturnQuery(query: URLSearchParams): ReturnQuery | undefined {
  const given = Object.fromEntries([...query].filter(([name]) => names.includes(name)));
  const repeated = Object.keys(given).find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw new ProblemError('invalid-request', { detail: `${repeated} is repeated.`, diagnosis: malformed });
  const { error, success, ...members } = given;
  if (error !== undefined) return { kind: 'declined' };
  if (success === '1' && members['code'] === undefined) return { kind: 'already-granted' };
  if (Object.keys(given).length === 0) return undefined;
  if (Object.keys(members).length < names.length - 2) {
    throw new ProblemError('invalid-request', { detail: 'The return from the comment service is incomplete.', diagnosis: malformed });
  }
  return { kind: 'granted', syncReturn: parseInput(syncReturn, members) };
}

/** Errors of an authorization response (RFC 6749, 4.1.2.1) that no reader caused. Any other word is the reader's No. */
const serviceErrors = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable'];

/** The failure that the service returned the reader with, for the log. */
export function serviceErrorOf(query: URLSearchParams): string | undefined {
  return serviceErrors.find((error) => error === query.get('error'));
}

/** The cookie of an attempt carries the address. */
const RETURN_URI_MAX_LENGTH = 2_800;

/** A page of an allowed origin, spelled so that every URL parser reads it alike. @throws {ProblemError} `untrusted-return-uri` */
export function parseReturnUri(allowedOrigins: readonly string[], text: string): string {
  const url = URL.parse(text);
  if (!url || !allowedOrigins.includes(url.origin)) {
    throw new ProblemError('untrusted-return-uri', { diagnosis: refusedOrigin(url, allowedOrigins) });
  }
  const isUnambiguous = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) && !/[\s\p{Cc}\p{Cf}\\]/u.test(text);
  if (isUnambiguous && url.href.length <= RETURN_URI_MAX_LENGTH) return url.href;
  throw new ProblemError('untrusted-return-uri', { diagnosis: { reason: 'return_to is malformed or too long' } });
}
