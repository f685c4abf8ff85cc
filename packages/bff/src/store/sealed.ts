/** Values sealed before they are stored: AES-256-GCM under a key derived (HKDF-SHA-256) from the cookie secrets, bound
 *  to the store's key by the associated data, so that a value moved under another key does not open. The newest secret
 *  seals, all of them open: secrets rotate without a loss. */

import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Drawn in bulk, because a draw costs as much as the sealing; each is used once. */
const IVS_A_DRAW = 256;
let ivs = Buffer.alloc(0);
let used = 0;

function nextIv(): Buffer {
  if (used === ivs.length) {
    ivs = randomBytes(IVS_A_DRAW * IV_BYTES);
    used = 0;
  }
  used += IV_BYTES;
  return ivs.subarray(used - IV_BYTES, used);
}

interface SealingKey {
  /** Tells the keys apart; says nothing about the secret. */
  readonly id: string;
  readonly key: KeyObject;
}

export class Sealer {
  readonly #keys: readonly SealingKey[];

  /** @param secrets cookie secrets, newest first, at least one. */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map(deriveKey);
  }

  /** `<key id>.<base64url of iv, ciphertext, tag>` */
  seal(storeKey: string, value: string): string {
    const { id, key } = this.#keys[0] as SealingKey;
    const iv = nextIv();
    const cipher = createCipheriv(ALGORITHM, key, iv);
    cipher.setAAD(Buffer.from(storeKey));
    const ciphertext = cipher.update(value, 'utf8');
    // Of a stream cipher, the end brings no more.
    cipher.final();
    const sealed = Buffer.concat([iv, ciphertext, cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** `undefined` where no key opens it: altered, moved, or sealed under a secret that is gone. */
  open(storeKey: string, sealed: string): string | undefined {
    const dot = sealed.indexOf('.');
    const key = this.#keys.find(({ id }) => id === sealed.slice(0, dot))?.key;
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
    if (!key || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(storeKey));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const value = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      decipher.final();
      return value.toString();
    } catch {
      return undefined;
    }
  }
}

function deriveKey(secret: string): SealingKey {
  const derived = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, 'vestibule', info, length));
  return { id: derived('sealing key id', 6).toString('base64url'), key: createSecretKey(derived('sealing key', 32)) };
}
