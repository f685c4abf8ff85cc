/** Normalized request string and MAC (interface 5.1, steps 4 and 5). */

import { createHmac, type KeyObject } from 'node:crypto';
import { SigningError } from './signing-error.ts';

export interface RequestElements {
  readonly nonce: string;
  /** Any case. */
  readonly method: string;
  /** Request path with its query, if any. */
  readonly path: string;
  /** Any case, without the port. */
  readonly host: string;
  readonly port: string;
  /** Empty for a request without parameters. */
  readonly bodyHash: string;
}

/** Seven elements, each terminated by a newline; the extension, the last one, is empty.
 *  @throws {SigningError} names the element that is empty, not ASCII, or could break out of its line */
export function normalizedRequestString({ nonce, method, path, host, port, bodyHash }: RequestElements): string {
  for (const [name, text] of Object.entries({ nonce, method, path, host, port })) {
    if (!/^[\x21-\x7e]+$/.test(text)) throw new SigningError(`The ${name} of a request string must be visible ASCII, and not empty.`);
  }
  if (!/^[\x21-\x7e]*$/.test(bodyHash)) throw new SigningError('The body hash of a request string must be visible ASCII.');
  return `${nonce}\n${method.toUpperCase()}\n${path}\n${host.toLowerCase()}\n${port}\n${bodyHash}\n\n`;
}

/** HMAC-SHA1 of a request string, base64. @param key the secret key; of a string, its UTF-8 bytes */
export function computeMac(requestString: string, key: KeyObject | string): string {
  return createHmac('sha1', key).update(requestString).digest('base64');
}

/** Port that is signed: the one in the URL, otherwise the scheme's default.
 *  @throws {SigningError} unless the URL is http or https */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): string {
  if (protocol !== 'https:' && protocol !== 'http:') throw new SigningError('The URL of a signed request must be http or https.');
  return port || (protocol === 'https:' ? '443' : '80');
}
