/** The body hash (interface 5.1, step 2): base64 of the SHA-1 of the normalized parameters. */

import { hash } from 'node:crypto';

export function bodyHash(normalized: string): string {
  return hash('sha1', normalized, 'base64');
}
