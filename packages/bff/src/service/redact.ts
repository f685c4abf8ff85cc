/**
 * Keeps secrets out of text of the service before a reader, a hook or a log line receives it.
 *
 * 1. Texts are compared with each secret by their letters and digits, without case, forwards and backwards, as they are and
 *    after undoing escapes (percent, JSON, HTML, compatibility characters), base64, base32, hex and lists of byte values.
 *    Ten characters in a row of a long secret count as the secret.
 * 2. The encodings have no end. A message for people therefore keeps at most 16 letters and digits outside of ordinary words:
 *    too few for a key or a token in any encoding that is not made of words.
 */

import { isObject } from '../lib/json.ts';

const REDACTED = '[redacted]';

/** Letters and digits of a secret. A shorter one occurs in ordinary text and is ignored. */
const MIN_LENGTH = 4;

/** Letters and digits in a row that reveal a secret of at least twice the length. */
const PART_LENGTH = 10;

/** Encodings inside one another that are undone, by the length of a text: a large one must not occupy the event loop. */
const MAX_ENCODINGS = [{ length: 2_048, encodings: 2 }, { length: 65_536, encodings: 1 }] as const;

/** Bytes in a row that may be a further encoding of a secret: the shortest secret in base64. Other bytes are no text. */
const ASCII_RUNS = /[\0\t\n\r -~]{6,}/g;

/** Letters and digits of a message outside of ordinary words. 96 bits in base64. */
const MAX_ODD_LENGTH = 16;

export class Redactor {
  /** Parts of the secrets, forwards and backwards, by their first four letters as a number. */
  readonly #parts: ReadonlyMap<number, readonly Letters[]>;

  constructor(secrets: readonly (string | undefined)[]) {
    const known = secrets.filter((secret) => secret !== undefined);
    const forwards = [...new Set(known.flatMap((secret) => [secret, unescape(secret)]))].map(lettersOf);
    const parts = forwards.flatMap((letters) => [letters, letters.toReversed()]).flatMap(partsOf);
    this.#parts = Map.groupBy(parts, (part) => part.slice(0, MIN_LENGTH).reduce(appendLetter, 0));
  }

  /** Whether a secret is in the text. */
  reveals(text: string): boolean {
    return this.#reveals(text, MAX_ENCODINGS.find(({ length }) => text.length <= length)?.encodings ?? 0);
  }

  /** A message for people: replaces each word with a secret in it, and odd words if there are many. Returns an empty string if
   *  a secret is spread over several words. */
  redact(text: string): string {
    const words = text.split(/(\s)/);
    const oddLengths = words.map(oddLengthOf);
    const isOdd = oddLengths.reduce((sum, length) => sum + length, 0) > MAX_ODD_LENGTH;
    if (!isOdd && !this.reveals(text)) return text;
    const redacted = words.map((word, i) => ((isOdd && oddLengths[i]) || this.reveals(word) ? REDACTED : word)).join('');
    return this.reveals(redacted) ? '' : redacted;
  }

  /** Redacts the strings of a JSON value, names of members included. Returns `undefined` if a secret is spread over several. */
  redactJson(value: unknown): unknown {
    if (!this.#isRevealedBy(value)) return value;
    const redacted = this.#redactStrings(value);
    return this.#isRevealedBy(redacted) ? undefined : redacted;
  }

  #isRevealedBy(value: unknown): boolean {
    return this.reveals(JSON.stringify(value) ?? '') || this.reveals(leavesOf(value).join(''));
  }

  #redactStrings(value: unknown): unknown {
    if (typeof value === 'string') return this.reveals(value) ? this.redact(value) || REDACTED : value;
    if (Array.isArray(value)) return value.map((item) => this.#redactStrings(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [
      this.reveals(name) ? REDACTED : name, this.#redactStrings(item),
    ]));
  }

  #reveals(text: string, encodings: number): boolean {
    if (this.#isPartIn(lettersOf(text))) return true;
    if (encodings === 0 || text.length < MIN_LENGTH) return false;
    return unescapedVariants(text).some((variant) => this.#reveals(variant, encodings - 1)) || decodings(text).some((decoded) => (
      this.#reveals(decoded, 0) || this.#reveals(decoded.match(ASCII_RUNS)?.join('') ?? '', encodings - 1)
    ));
  }

  #isPartIn(letters: Letters): boolean {
    let lastFour = 0;
    return letters.some((letter, i) => {
      lastFour = appendLetter(lastFour, letter);
      const start = i + 1 - MIN_LENGTH;
      return this.#parts.get(lastFour)?.some((part) => part.every((one, k) => letters[start + k] === one));
    });
  }
}

/** Character codes of lower-case letters and digits. Keys and tokens are ASCII. */
type Letters = readonly number[];

function lettersOf(text: string): Letters {
  const letters: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 65 && unit <= 90) letters.push(unit + 32);
    else if ((unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)) letters.push(unit);
  }
  return letters;
}

/** The last four letters (`MIN_LENGTH`) as a 32-bit number. */
function appendLetter(lastFour: number, letter: number): number {
  return (lastFour << 8) | letter;
}

function partsOf(letters: Letters): Letters[] {
  if (letters.length < MIN_LENGTH) return [];
  if (letters.length < 2 * PART_LENGTH) return [letters];
  return Array.from({ length: letters.length - PART_LENGTH + 1 }, (_, i) => letters.slice(i, i + PART_LENGTH));
}

/** Letters and digits outside of ordinary words: numbers, single letters, and words that mix cases or digits. */
function oddLengthOf(text: string): number {
  const isOrdinary = (word: string) => /^(?:[A-Za-z][a-z]{1,23}|[A-Z]{2,24}|(?=.*[^\p{ASCII}])[\p{L}\p{M}]+)$/u.test(word);
  const words = text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => !isOrdinary(word)).join('').length;
}

/** Strings, numbers and the like, in order. */
function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

/** An encoded secret may start at any place of a block. */
function decodings(text: string): string[] {
  const base64 = text.replace(/[^\w+/-]+/g, '');
  const base32 = text.toLowerCase().replace(/[^a-z2-7]+/g, '');
  const hex = text.replace(/0x|[^\da-f]+/gi, '');
  const numbers = text.match(/\d{2,3}/g) ?? [];
  return [
    ...[0, 1, 2, 3].map((start) => Buffer.from(base64.slice(start), 'base64').toString('latin1')),
    ...[0, 1].map((start) => Buffer.from(hex.slice(start), 'hex').toString('latin1')),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((start) => decodeBase32(base32.slice(start))),
    ...[10, 8].map((radix) => Buffer.from(numbers.map((byte) => Number.parseInt(byte, radix))).toString('latin1')),
  ];
}

function decodeBase32(text: string): string {
  const bytes = Buffer.alloc(Math.floor(text.length * 5 / 8));
  let bits = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    bits = ((bits << 5) | (unit >= 97 ? unit - 97 : unit - 24)) & 0xfff;
    const end = (i + 1) * 5;
    if (end % 8 < 5) bytes[Math.floor(end / 8) - 1] = bits >> (end % 8);
  }
  return bytes.toString('latin1');
}

const escapes: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8')),
  // The code of `\n` and the like is NaN, which becomes U+0000: no letter.
  (text) => text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|[bfnrt])/gi, (_, unit?: string, byte?: string) => (
    String.fromCharCode(Number.parseInt(unit ?? byte ?? '', 16))
  )),
  (text) => text
    .replace(/&(?:lt|gt|quot|apos|nbsp|shy|zwj|zwnj);/gi, '')
    .replace(/&amp;/gi, '&')
    .replace(/&#(?:0*(\d{1,7})|x0*([\da-f]{1,6}));?/gi, (_, decimal?: string, hex?: string) => {
      const codePoint = Number(decimal ?? `0x${hex}`);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
    }),
];

function unescape(text: string): string {
  return escapes.reduce((escaped, undo) => undo(escaped), text);
}

/** The text with all escapes undone, and with each kind undone alone: a secret may look like an escape of another kind. */
function unescapedVariants(text: string): string[] {
  const normalized = text.normalize('NFKC');
  const unescaped = new Set([unescape(normalized), ...escapes.map((undo) => undo(normalized))]);
  unescaped.delete(text);
  return [...unescaped];
}
