/** The nonce of a signed request (interface 5.1, step 3): UNIX seconds, `:`, a token of at most 32 characters.
 *  Pure: the clock and the randomness are arguments. Good for five minutes, so make it when the bytes go out. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { SigningError } from './signing-error.ts';

export interface NonceSource {
  /** Milliseconds since the UNIX epoch. */
  readonly now?: Clock;
  /** 1 to 32 characters, never the same twice. */
  readonly randomToken?: () => string;
}

const MAX_TOKEN_LENGTH = 32;

/** 144 bits, 24 characters of base64url. */
const TOKEN_BYTES = 18;
const TOKEN_LENGTH = 24;
const TOKENS_A_DRAW = 512;

/** Tokens are drawn in bulk; each is handed out once. */
let tokens = '';
let handedOut = 0;

/** A token from the CSPRNG. */
export function randomToken(): string {
  if (handedOut === tokens.length) {
    tokens = randomBytes(TOKENS_A_DRAW * TOKEN_BYTES).toString('base64url');
    handedOut = 0;
  }
  handedOut += TOKEN_LENGTH;
  return tokens.slice(handedOut - TOKEN_LENGTH, handedOut);
}

/** @throws {SigningError} where the clock gives no time, or the token is not 1 to 32 characters */
export function createNonce({ now = Date.now, randomToken: token = randomToken }: NonceSource = {}): string {
  const milliseconds = Math.round(now());
  if (!(milliseconds >= 0 && milliseconds < Infinity)) throw new SigningError('The clock of a nonce must give a time since the UNIX epoch.');
  const unique = token();
  if (unique.length === 0 || unique.length > MAX_TOKEN_LENGTH) {
    throw new SigningError(`The token of a nonce must be 1 to ${MAX_TOKEN_LENGTH} characters long.`);
  }
  return `${milliseconds / 1000}:${unique}`;
}
