/** HMAC (RFC 2104, section 2) under one key, in base64: two one-shot digests of prepared input. An `Hmac` object of
 *  `node:crypto` for every text takes several times as long, and every request has a MAC to compute or two. */

import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = { sha1: 20, sha256: 32 } as const;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/** Takes a text's UTF-8 bytes. */
export type Hmac = (text: string) => string;

/** `undefined` for a key that is not ASCII of a block at most: only such a key is ASCII when it is padded, too, so that its
 *  pad and a text are one string to hash. */
export function createFastHmac(algorithm: keyof typeof DIGEST_BYTES, key: string): Hmac | undefined {
  if (key.length > BLOCK_BYTES || Buffer.byteLength(key) !== key.length) return undefined;
  const inner = paddedKey(key, INNER_PAD).toString('latin1');
  const outer = Buffer.concat([paddedKey(key, OUTER_PAD), Buffer.alloc(DIGEST_BYTES[algorithm])]);
  return (text) => {
    outer.write(hash(algorithm, inner + text, 'binary'), BLOCK_BYTES, 'latin1');
    return hash(algorithm, outer, 'base64');
  };
}

function paddedKey(key: string, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(key, 'latin1');
  return Buffer.from(block.map((byte) => byte ^ pad));
}
