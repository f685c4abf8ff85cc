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

interface KeyMaterial {
  /** Newest first. */
  readonly cookieSecrets: readonly string[];
}

export type UserKeys = ReturnType<typeof createUserKeys>;

/** Keyed hashes that stand for users outside of the BFF: 16 characters, base64url. They differ from those
 *  of the log. `keyOf` changes with the newest secret; a browser may still have one of an older secret.
 *  @param purpose those of one purpose say nothing about those of another; default: in public lists */
export function createUserKeys({ cookieSecrets }: KeyMaterial, purpose: 'user key' | 'known user' = 'user key') {
  const keysOf = hashesOf(cookieSecrets, purpose);
  return {
    keyOf: (userId: string) => keysOf(userId)[0] as string,
    isKeyOf: (key: string, userId: string) => keysOf(userId).includes(key),
  };
}

export type LogIds = ReturnType<typeof createLogIds>;

/** Keyed hashes that stand for users in the log: 16 characters, base64url. They change with the newest secret. */
export function createLogIds({ cookieSecrets }: KeyMaterial) {
  const ofEach = hashesOf(cookieSecrets, 'log id');
  return {
    /** @param tag SHA-256 of a user id */
    ofTag: (tag: string) => ofEach(tag)[0] as string,
    /** What stood for the user under each secret, newest first. */
    all: (userId: string) => ofEach(sha256(userId)),
  };
}

const LENGTH = 16;

/** A hash for each secret, in their order. */
function hashesOf(secrets: readonly string[], purpose: string): (text: string) => string[] {
  const keys = secrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'vestibule', purpose, 32))));
  return (text) => keys.map((key) => createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH));
}
