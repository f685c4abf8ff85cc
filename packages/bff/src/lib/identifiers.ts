/** Identifiers: random ones, hashes of several parts, and keyed hashes. */

import { createHmac, createSecretKey, hash, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';

/** A secret: 256 bits from the CSPRNG, base64url. */
export function randomId(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a list of strings, base64url. The list is encoded as JSON, so different lists never hash the same text. */
export function sha256(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

export type KeyedHashes = ReturnType<typeof createKeyedHashes>;

const LENGTH = 16;

/** Keyed hashes that leave the BFF in place of what they stand for: 16 characters, base64url. Those of one purpose say nothing
 *  about those of another.
 *  @param cookieSecrets newest first
 *  @param purpose `user key`: a user in public lists; `known user`: in a cookie; `log id`: in the log, by the SHA-256 of the id;
 *  `cursor`: signs the cursor of a hook with its list */
export function createKeyedHashes(
  { cookieSecrets }: { readonly cookieSecrets: readonly string[] }, purpose: 'user key' | 'known user' | 'log id' | 'cursor',
) {
  const secrets = cookieSecrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'vestibule', purpose, 32))));
  const keyUnder = (secret: KeyObject, text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, LENGTH);
  const keysOf = (text: string) => secrets.map((secret) => keyUnder(secret, text));
  return {
    /** Changes with the newest secret. */
    keyOf: (text: string) => keyUnder(secrets[0] as KeyObject, text),
    /** Under each secret, newest first. */
    keysOf,
    /** Under any of the secrets: a browser may still have one of an older secret. */
    isKeyOf(key: string, text: string): boolean {
      const given = Buffer.from(key);
      return keysOf(text).some((own) => given.length === LENGTH && timingSafeEqual(given, Buffer.from(own)));
    },
  };
}
