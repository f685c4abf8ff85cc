/** Authenticated encryption of stored records: AES-256-GCM, one key per cookie secret (HKDF-SHA-256). The store's key is the
 *  associated data: a value copied to another key does not decrypt. The newest secret encrypts. */

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class Cipher {
  /** Newest first. `id` identifies the key in stored text and reveals nothing about the secret. */
  readonly #keys: readonly { readonly id: string; readonly key: KeyObject }[];

  /** @param secrets cookie secrets, newest first, at least one */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => {
      const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, 'vestibule', info, length));
      return { id: derive('sealing key id', 6).toString('base64url'), key: createSecretKey(derive('sealing key', 32)) };
    });
  }

  /** `<key id>.<base64url of IV, ciphertext, tag>`. Each result is unique. */
  encrypt(storeKey: string, plaintext: string): string {
    const { id, key } = this.#keys[0] as { id: string; key: KeyObject };
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv);
    cipher.setAAD(Buffer.from(storeKey));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return `${id}.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /** `undefined` if the text was altered, moved to another key, or encrypted under an unknown secret. */
  decrypt(storeKey: string, stored: string): string | undefined {
    const dot = stored.indexOf('.');
    const key = this.#keys.find(({ id }) => id === stored.slice(0, dot))?.key;
    const bytes = Buffer.from(stored.slice(dot + 1), 'base64url');
    if (!key || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(storeKey));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }

  /** Index of the secret that a stored text names: 0 is the newest. -1: none of them. */
  secretOf(stored: string): number {
    return this.#keys.findIndex(({ id }) => stored.startsWith(`${id}.`));
  }
}
