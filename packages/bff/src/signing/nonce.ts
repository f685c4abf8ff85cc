/** Nonce of a signed request (interface 5.1, step 3): UNIX seconds, `:`, a token of at most 32 characters.
 *  Valid for five minutes; create it when the request is sent. Clock and randomness are parameters. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { SigningError } from './signing-error.ts';

export interface NonceSource {
  /** Milliseconds since the UNIX epoch. Default: `Date.now`. */
  readonly now?: Clock;
  /** 1 to 32 characters, different at each call. Default: 144 random bits. */
  readonly randomToken?: () => string;
}

/** 144 bits from the CSPRNG, 24 characters of base64url. */
export function randomToken(): string {
  return randomBytes(18).toString('base64url');
}

/** @throws {SigningError} for a clock without a valid time or a token that is not 1 to 32 characters */
export function createNonce({ now = Date.now, randomToken: createToken = randomToken }: NonceSource = {}): string {
  const milliseconds = Math.round(now());
  if (!(milliseconds >= 0 && milliseconds < Infinity)) throw new SigningError('The clock of a nonce must give a time since the UNIX epoch.');
  const token = createToken();
  if (token.length < 1 || token.length > 32) throw new SigningError('The token of a nonce must be 1 to 32 characters long.');
  return `${milliseconds / 1000}:${token}`;
}
