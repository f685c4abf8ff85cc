/** Identifiers: random ones, hashes of several parts, and keyed hashes for the log. */

import { createHmac, createSecretKey, hash, hkdfSync, randomBytes } from 'node:crypto';

/** A secret: 256 bits from the CSPRNG, base64url. */
export function randomId(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a list of strings, base64url. The list is encoded as JSON, so different lists never hash the same text. */
export function sha256(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** @returns the keyed hash of a user id: 16 characters, base64url
 *  @param secret the newest cookie secret: the hashes change with it */
export function createLogId(secret: string): (userId: string) => string {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'vestibule', 'log id', 32)));
  return (userId) => createHmac('sha256', key).update(userId).digest('base64url').slice(0, 16);
}
