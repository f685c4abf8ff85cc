/** The MAC (interface 5.1, step 5): HMAC-SHA1 (RFC 2104) of the normalized request string under the secret key, base64. */

import { createHmac, type KeyObject } from 'node:crypto';
import { createFastHmac, type Hmac } from '../lib/hmac.ts';

/** The MAC of one request string. @param key a text's UTF-8 bytes are the key */
export function computeMac(requestString: string, key: KeyObject | string): string {
  return createHmac('sha1', key).update(requestString, 'utf8').digest('base64');
}

/** A function from request strings to their MACs that holds the key. Fast under keys as the service issues them. */
export function createMac(secretKey: string): Hmac {
  return createFastHmac('sha1', secretKey) ?? ((requestString) => computeMac(requestString, secretKey));
}
