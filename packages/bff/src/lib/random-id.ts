/** Identifiers that nobody can guess: 256 bits from the CSPRNG, base64url. */

import { randomBytes } from 'node:crypto';

export function randomId(): string {
  return randomBytes(32).toString('base64url');
}
