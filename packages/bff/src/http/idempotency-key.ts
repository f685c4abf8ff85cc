/** The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header): a structured-field string; the bare
 *  form names the same key. */

import { IDEMPOTENCY_KEY_HEADER } from '@vestibule/shared';
import type { Request } from 'express';
import { ProblemError } from './problem-error.ts';

const HEADER = IDEMPOTENCY_KEY_HEADER.toLowerCase();

const BARE = /^[\x21-\x7e]{8,128}$/;

/** @throws {ProblemError} `invalid-request` where it is missing, not 8 to 128 visible ASCII characters, or sent twice: two
 *  are joined by a comma and a space, and no key holds a space */
export function parseIdempotencyKey(req: Request): string {
  const header = String(req.headers[HEADER] ?? '');
  const key = header.length > 1 && header.startsWith('"') && header.endsWith('"') ? unquoted(header) : header;
  if (!BARE.test(key)) {
    throw new ProblemError('invalid-request', { detail: `${IDEMPOTENCY_KEY_HEADER} must hold 8 to 128 visible ASCII characters.` });
  }
  return key;
}

/** RFC 9651, 4.2.5: a backslash escapes a quote or itself. */
function unquoted(header: string): string {
  const inner = header.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\(["\\])/g, '$1') : inner;
}
