/** Texts that were signed as cookie-parser expects them: `s:`, the value, a point, and the value's HMAC-SHA-256 in base64
 *  without padding. */

import { timingSafeEqual } from 'node:crypto';
import cookieParser from 'cookie-parser';
import { createFastHmac, type Hmac } from '../lib/hmac.ts';

/** The value of a signed text; `undefined` where it is not signed under the secret. */
export type Unsign = (signed: string) => string | undefined;

const PREFIX = 's:';

/** As cookie-parser does, whose `Hmac` object for every cookie is a quarter of what `GET /session` costs. */
export function createUnsign(secret: string): Unsign {
  const hmac = createFastHmac('sha256', secret);
  return hmac ? (signed) => unsign(signed, hmac) : (signed) => unsignByCookieParser(signed, secret);
}

function unsign(signed: string, hmac: Hmac): string | undefined {
  if (!signed.startsWith(PREFIX)) return undefined;
  const point = signed.lastIndexOf('.');
  const value = signed.slice(PREFIX.length, Math.max(point, PREFIX.length));
  const expected = Buffer.from(hmac(value).replace('=', ''));
  const given = Buffer.from(signed.slice(point + 1));
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : undefined;
}

function unsignByCookieParser(signed: string, secret: string): string | undefined {
  const value = cookieParser.signedCookie(signed, secret);
  return typeof value === 'string' && value !== signed ? value : undefined;
}
