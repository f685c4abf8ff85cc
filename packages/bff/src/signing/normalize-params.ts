/** Normalized parameters and body hash of a signed request (interface 5.1, steps 1 and 2). The normalized string is also
 *  the body that is sent, so the service hashes the same bytes. */

import { hash } from 'node:crypto';

/** Name and value of a parameter. */
export type Param = readonly [name: string, value: string];

/** Builds `name=value` pairs, sorts them by the bytes of their UTF-8 form, encodes them and joins them with `&`.
 *  @throws {SigningError} for a lone surrogate or a value that is not a string; names the parameter's position in `params` */
export function normalizeParams(params: Iterable<Param>): string {
  return Array.from(params, ([name, value], index) => {
    if (!isText(name) || !isText(value)) throw new SigningError(`Parameter ${index + 1} must be text without a lone surrogate.`);
    return { bytes: Buffer.from(`${name}=${value}`), encoded: `${percentEncode(name)}=${percentEncode(value)}` };
  }).sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ encoded }) => encoded).join('&');
}

/** RFC 3986: keeps `A-Z a-z 0-9 - . _ ~` and encodes every other byte of the UTF-8 form in upper-case hex.
 *  @throws {SigningError} for a lone surrogate, which has no UTF-8 form */
export function percentEncode(text: string): string {
  if (!isText(text)) throw new SigningError('The text must have no lone surrogate.');
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Base64 of the SHA-1 of the normalized parameters. */
export function bodyHash(normalized: string): string {
  return hash('sha1', normalized, 'base64');
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed();
}

/** The request cannot be signed. The message names the part and the rule, never the value. */
export class SigningError extends TypeError {
  override readonly name = 'SigningError';
}
