/** The normalized parameters (interface 5.1, step 1): `name=value` pairs built, sorted by the bytes of their UTF-8 form,
 *  then encoded and joined with `&`. Also the body that is sent, so that the service hashes what we hashed. */

import { compareCommonLength, compareUtf8 } from './compare-utf8.ts';
import { ENCODABLE_RULE, encodedRoom, isEncodable, writeEncoded } from './percent-encode.ts';
import { SigningError } from './signing-error.ts';

export type Param = readonly [name: string, value: string];

const EQUALS = 0x3d;
const AMPERSAND = 0x26;

/** @throws {SigningError} for a lone surrogate, with the parameter's place in `params` */
export function normalizeParams(params: Iterable<Param>): string {
  const pairs = [...params];
  const target = scratchOf(roomFor(pairs));
  if (!isSorted(pairs)) pairs.sort(comparePairs);
  let end = 0;
  for (const [name, value] of pairs) {
    if (end > 0) target[end++] = AMPERSAND;
    end = writeEncoded(name, target, end);
    target[end++] = EQUALS;
    end = writeEncoded(value, target, end);
  }
  return target.toString('latin1', 0, end);
}

/** Bytes that the normalized form needs at most. */
function roomFor(pairs: readonly Param[]): number {
  let room = 0;
  let place = 0;
  for (const [name, value] of pairs) {
    place += 1;
    if (!isEncodable(name)) throw new SigningError(`The name of parameter ${place} ${ENCODABLE_RULE}.`);
    if (!isEncodable(value)) throw new SigningError(`The value of parameter ${place} ${ENCODABLE_RULE}.`);
    room += encodedRoom(name) + encodedRoom(value) + 2;
  }
  return room;
}

/** Where the text comes about; kept from call to call where it is of a common size. */
const scratch = Buffer.alloc(16_384);

function scratchOf(room: number): Buffer {
  return room <= scratch.length ? scratch : Buffer.allocUnsafe(room);
}

function isSorted(pairs: readonly Param[]): boolean {
  for (let i = 1; i < pairs.length; i += 1) {
    if (comparePairs(pairs[i - 1] as Param, pairs[i] as Param) > 0) return false;
  }
  return true;
}

/** The order of the pairs as they are before encoding. Names decide, but where one begins the other the `=` and the value
 *  that follow it do: `a b=1` comes before `a=1`. */
function comparePairs([nameA, valueA]: Param, [nameB, valueB]: Param): number {
  return compareCommonLength(nameA, nameB) || compareUtf8(`${nameA}=${valueA}`, `${nameB}=${valueB}`);
}
