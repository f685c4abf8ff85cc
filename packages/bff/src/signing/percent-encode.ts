/** Percent-encoding of RFC 3986 (interop, Encoding): `A-Z a-z 0-9 - . _ ~` stay, every other byte of the UTF-8 form is
 *  escaped in upper-case hex, `! ' ( ) *` too, which `encodeURIComponent` leaves alone. Writes bytes into a buffer: a third
 *  of the time that mending the result of `encodeURIComponent` takes. */

import { SigningError } from './signing-error.ts';

const PERCENT = 0x25;
const LAST_ASCII = 0x7f;

/** What one UTF-16 unit can come to: three bytes of UTF-8, each `%XX`. */
const ENCODED_BYTES_PER_UNIT = 9;

const hexDigits = Buffer.from('0123456789ABCDEF', 'latin1');
const isUnreserved = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/** @throws {SigningError} for a lone surrogate, which has no UTF-8 form */
export function percentEncode(text: string): string {
  if (!isEncodable(text)) throw new SigningError(`The text ${ENCODABLE_RULE}.`);
  const target = Buffer.allocUnsafe(encodedRoom(text));
  return target.toString('latin1', 0, writeEncoded(text, target, 0));
}

/** Of what can be encoded, in words that continue its name. */
export const ENCODABLE_RULE = 'must be text without a lone surrogate';

export function isEncodable(text: unknown): text is string {
  return typeof text === 'string' && text.isWellFormed();
}

/** Bytes that the encoded text needs at most. */
export function encodedRoom(text: string): number {
  return text.length * ENCODED_BYTES_PER_UNIT;
}

/** Writes the encoded form of an encodable text, and returns where it ends. `target` has room for it. */
export function writeEncoded(text: string, target: Buffer, offset: number): number {
  let end = offset;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > LAST_ASCII) return writeEncodedBytes(Buffer.from(text.slice(i), 'utf8'), target, end);
    end = writeEncodedByte(unit, target, end);
  }
  return end;
}

function writeEncodedBytes(bytes: Buffer, target: Buffer, offset: number): number {
  let end = offset;
  for (const byte of bytes) end = writeEncodedByte(byte, target, end);
  return end;
}

function writeEncodedByte(byte: number, target: Buffer, offset: number): number {
  if (isUnreserved[byte] === 1) {
    target[offset] = byte;
    return offset + 1;
  }
  target[offset] = PERCENT;
  target[offset + 1] = hexDigits[byte >> 4] as number;
  target[offset + 2] = hexDigits[byte & 0xf] as number;
  return offset + 3;
}
