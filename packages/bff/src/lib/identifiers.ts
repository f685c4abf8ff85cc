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

/** Keyed hashes that stand for users in public lists: 16 characters, base64url. They change with the newest secret and from site
 *  to site, and are none of those of the log. */
export function createUserKeys([newest = '']: readonly string[], siteKey: string): (userId: string) => string {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', newest, 'vestibule', 'user key', 32)));
  return (userId) => createHmac('sha256', key).update(JSON.stringify([siteKey, userId])).digest('base64url').slice(0, 16);
}

export type UserTags = ReturnType<typeof createUserTags>;

/** Keyed hashes that stand for users in the log, in the session cookie and in keys of the store: 16 characters, base64url.
 *  `tagOf` changes with the newest secret, `tagsOf` has one for each. */
export function createUserTags(secrets: readonly string[]) {
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'vestibule', 'log id', 32))));
  const tagsOf = (userId: string) => keys.map((key) => createHmac('sha256', key).update(userId).digest('base64url').slice(0, 16));
  return { tagsOf, tagOf: (userId: string) => tagsOf(userId)[0] as string };
}
