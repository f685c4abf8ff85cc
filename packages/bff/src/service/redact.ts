/**
 * Removes secrets from text of the service before a reader or a log line receives it. A service may echo its input in any
 * encoding, so words are compared by their letters and digits only, without case, also after unescaping (percent, JSON,
 * HTML, compatibility characters) and after decoding base64 and hex.
 */

import { isObject } from '../lib/json.ts';

const REDACTED = '[redacted]';

/** Letters and digits of a secret. A shorter one occurs in ordinary text and is ignored. */
const MIN_LENGTH = 4;

/** Encodings inside one another that are undone. */
const MAX_ENCODINGS = 2;

export class Redactor {
  readonly #forms: readonly string[];

  constructor(secrets: readonly (string | undefined)[]) {
    this.#forms = [...new Set(secrets.flatMap((secret = '') => [secret, unescape(secret)].map(lettersOf)))]
      .filter((form) => form.length >= MIN_LENGTH);
  }

  /** Replaces each word with a secret in it. Returns an empty string if a secret is spread over several words. */
  redact(text: string): string {
    if (!this.#reveals(text)) return text;
    const redacted = text.split(/(\s+)/).map((word) => (this.#reveals(word) ? REDACTED : word)).join('');
    return this.#reveals(redacted) ? '' : redacted;
  }

  /** Redacts every string of a JSON value. Undoes one encoding: every created post passes here. */
  redactJson(value: unknown): unknown {
    return this.#reveals(JSON.stringify(value), 1) ? this.#redactStrings(value) : value;
  }

  #redactStrings(value: unknown): unknown {
    if (typeof value === 'string' && value !== '') return this.redact(value) || REDACTED;
    if (Array.isArray(value)) return value.map((item) => this.#redactStrings(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#redactStrings(item)]));
  }

  #reveals(text: string, encodings = MAX_ENCODINGS): boolean {
    if (text.length < MIN_LENGTH) return false;
    const letters = lettersOf(text);
    if (this.#forms.some((form) => letters.includes(form))) return true;
    return encodings > 0 && decodings(text).some((decoded) => this.#reveals(decoded, encodings - 1));
  }
}

/** Keys and tokens are ASCII. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

function decodings(text: string): string[] {
  const base64 = text.replace(/[^\w+/-]+/g, '');
  const hex = text.replace(/[^\da-f]+/gi, '');
  const unescaped = unescape(text.normalize('NFKC'));
  return [
    ...(unescaped === text ? [] : [unescaped]),
    // The encoded secret may start at any place of a block.
    ...[0, 1, 2, 3].map((start) => Buffer.from(base64.slice(start), 'base64').toString('latin1')),
    ...[0, 1].map((start) => Buffer.from(hex.slice(start), 'hex').toString('latin1')),
  ];
}

function unescape(text: string): string {
  return text
    .replace(/(?:%[\da-f]{2})+/gi, (escaped) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\+(?:u([\da-f]{4})|x([\da-f]{2})|[bfnrt])/gi, (_, unit: string = '', byte: string = unit) => (
      byte === '' ? '' : String.fromCharCode(Number.parseInt(byte, 16))
    ))
    .replace(/&(?:lt|gt|quot|apos|nbsp|shy|zwj|zwnj);/gi, '')
    .replace(/&amp;/gi, '&')
    .replace(/&#(?:(\d{1,7})|x([\da-f]{1,6}));?/gi, (_, decimal: string | undefined, hex: string = '') => {
      const codePoint = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
    });
}
