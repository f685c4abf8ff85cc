import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { Redactor } from './redact.ts';

const each = (text: string, encode: (character: string) => string) => [...text].map(encode).join('');
const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');

/** Escapes what is no letter and no digit: the letters of the escape stand between those of the secret. */
const punctuation = (text: string, escape: (character: string) => string) => text.replace(/[^A-Za-z0-9]/g, escape);

const base32Of = (text: string) => {
  const bits = each(text, (character) => character.charCodeAt(0).toString(2).padStart(8, '0'));
  return (bits.match(/.{1,5}/g) ?? []).map((unit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(unit.padEnd(5, '0'), 2))).join('');
};

/** Encodings in which a service may echo a secret. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded throughout': (text) => each(text, (character) => `%${hexOf(character)}`),
  'percent-encoded in upper case': (text) => each(text, (character) => `%${hexOf(character).toUpperCase()}`),
  'form-encoded': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'JSON-escaped': (text) => JSON.stringify(text),
  'JSON-escaped throughout': (text) => each(text, (character) => `\\u00${hexOf(character)}`),
  'JSON-escaped twice': (text) => JSON.stringify(JSON.stringify(text)),
  'escaped with \\x': (text) => each(text, (character) => `\\x${hexOf(character)}`),
  'HTML-escaped': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'HTML-escaped in decimal': (text) => each(text, (character) => `&#${character.charCodeAt(0)};`),
  'HTML-escaped in hex without a semicolon': (text) => each(text, (character) => `&#x${hexOf(character)}`),
  'JSON-escaped in its punctuation': (text) => punctuation(text, (character) => `\\u00${hexOf(character)}`),
  'escaped with \\x in its punctuation': (text) => punctuation(text, (character) => `\\x${hexOf(character)}`),
  'HTML-escaped in decimal in its punctuation': (text) => punctuation(text, (character) => `&#${character.charCodeAt(0)};`),
  'HTML-escaped in hex in its punctuation': (text) => punctuation(text, (character) => `&#x00${hexOf(character)};`),
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of a form': (text) => Buffer.from(`client_secret=${text}&a=b`).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  base32: (text) => base32Of(text),
  'base32 of a form': (text) => base32Of(`client_secret=${text}`),
  'octal escapes': (text) => each(text, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'a list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'a list of bytes in hex': (text) => [...text].map((character) => `0x${hexOf(character)}`).join(', '),
  'a list of bytes in octal': (text) => [...text].map((character) => character.charCodeAt(0).toString(8)).join(' '),
  'HTML-escaped in decimal with zeros': (text) => each(text, (character) => `&#${String(character.charCodeAt(0)).padStart(20, '0')};`),
  'quoted-printable': (text) => each(text, (character) => `=${hexOf(character).toUpperCase()}`),
  reversed: (text) => [...text].reverse().join(''),
  'in full-width letters': (text) => each(text, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
  'split by zero-width spaces': (text) => [...text].join('\u200b'),
  'split by spaces': (text) => [...text].join(' '),
  'split into lines': (text) => `${text.slice(0, 3)}\r\n${text.slice(3)}`,
  'split by quotes': (text) => `${text.slice(0, 4)}" + "${text.slice(4)}`,
};

/** Keys and tokens as services issue them. */
const secret = fc.stringMatching(/^[A-Za-z0-9][!-~]{6,40}[A-Za-z0-9]$/).filter((text) => text.replace(/[^A-Za-z0-9]/g, '').length >= 8);

const around = fc.constantFrom('', 'Invalid key: ', 'Unknown client (', 'https://service.example/?client_secret=', '{"token":"');

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('Redactor.redact', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it(`removes a secret ${name}, wherever it stands`, () => {
      fc.assert(fc.property(secret, around, around, (text, before, after) => {
        const encoded = encode(text);
        const redactor = new Redactor(['another secret', text]);
        assert.ok(redactor.reveals(before + encoded + after), encoded);
        const redacted = redactor.redact(before + encoded + after);
        assert.ok(!redacted.includes(encoded), redacted);
        assert.ok(redacted === '' || redacted.includes('[redacted]'), redacted);
      }), { numRuns: 200 });
    });
  }

  it('removes a secret that looks like an escape of another kind when it is reversed', () => {
    const encoded = (encodings['HTML-escaped'] as (text: string) => string)('A0!0!0>10%00');
    assert.equal(new Redactor(['00%01>0!0!0A']).redact(`Invalid: ${encoded}`), 'Invalid: [redacted]');
  });

  it('removes a secret that is encoded twice', () => {
    const names = Object.keys(encodings).filter((name) => name !== 'in upper case' && name !== 'in lower case' && name !== 'in full-width letters');
    fc.assert(fc.property(secret, fc.constantFrom(...names), fc.constantFrom('percent-encoded', 'base64', 'hex', 'JSON-escaped', 'HTML-escaped'), (text, inner, outer) => {
      const encoded = (encodings[outer] as (text: string) => string)((encodings[inner] as (text: string) => string)(text));
      assert.ok(!new Redactor([text]).redact(`Invalid: ${encoded}`).includes(encoded), `${inner}, ${outer}: ${encoded}`);
    }), { numRuns: 1_000 });
  });

  it('keeps the other words', () => {
    const redactor = new Redactor(['the-secret-key']);
    assert.equal(redactor.redact('You may post 3 times in 60 minutes until 2026-11-22 20:50 in „Größe“'), 'You may post 3 times in 60 minutes until 2026-11-22 20:50 in „Größe“');
    assert.equal(redactor.redact('The key the-secret-key is not known, client=id'), 'The key [redacted] is not known, client=id');
    assert.equal(redactor.redact(`Got ${Buffer.from('the-secret-key').toString('base64')} for "news"`), 'Got [redacted] for "news"');
  });

  it('returns an empty string if a secret is spread over several words', () => {
    assert.equal(new Redactor(['the-secret-key']).redact('Key: the secret key'), '');
  });

  it('keeps less than half of a key or token in any encoding that is not made of words', () => {
    const key = '88bb61a451cf4796859df6f0eeec5249';
    const rot13 = key.replace(/[a-m]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 13));
    const binary = [...key].map((character) => character.charCodeAt(0).toString(2)).join(' ');
    for (const encoded of [rot13, binary, deflateRawSync(key).toString('base64'), BigInt(`0x${key}`).toString(36), rot13.split('').join(' / ')]) {
      const redacted = new Redactor([key]).redact(`Unknown key: ${encoded} (5)`);
      assert.match(redacted, /^Unknown key: \[redacted\][^\p{L}\p{N}]*/u);
      assert.equal(redacted.replaceAll('[redacted]', '').replace(/[^\p{L}\p{N}]/gu, ''), 'Unknownkey', encoded);
    }
  });

  it('removes ten characters of a key', () => {
    const key = '88bb61a451cf4796859df6f0eeec5249';
    for (let start = 0; start + 10 <= key.length; start += 1) {
      assert.equal(new Redactor([key]).reveals(`${key.slice(start, start + 10)}…`), true, String(start));
    }
  });

  it('recognizes a secret of four letters, and ignores a shorter one', () => {
    const redactor = new Redactor([undefined, '', 'abc', 'f3-a1']);
    for (const text of ['f3a1', 'it ends with F3A1', '\uff46\uff13\uff41\uff11']) assert.equal(redactor.reveals(text), true, text);
    for (const text of ['abc', 'it ends with abc', 'f3a', '', '!']) assert.equal(redactor.reveals(text), false, text);
  });

  it('counts ten characters as the secret if it has twenty, and nine of them not', () => {
    const key = '88bb61a451cf4796859d';
    assert.equal(new Redactor([key]).reveals(key.slice(5, 15)), true);
    assert.equal(new Redactor([key.slice(1)]).reveals(key.slice(5, 15)), false);
    const nine = Array.from({ length: key.length - 8 }, (_, start) => key.slice(start, start + 9));
    assert.deepEqual(nine.filter((text) => new Redactor([key]).reveals(text)), []);
  });

  it('undoes an escape of a single letter', () => {
    const redactor = new Redactor(['the-secret-key']);
    for (const escaped of [
      '\\u0073', '\\U0073', '\\x73', '%73', '&#115;', '&#115', '&#x73;', '&#x073;', '\\\\u0073', '&amp;#115;', 's&#9999999;', 's\\n', 's&shy;',
    ]) {
      assert.equal(redactor.reveals(`the-${escaped}ecret-key`), true, escaped);
    }
  });

  it('undoes encodings inside one another', () => {
    const text = 'the-secret-key';
    const redactor = new Redactor([text]);
    const base64 = Buffer.from(text).toString('base64');
    const fullWidth = each(text, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
    assert.equal(redactor.reveals(encodeURIComponent(fullWidth)), true, 'full-width letters');
    const split = Buffer.concat([Buffer.from(base64.slice(0, 8)), Buffer.of(0xff), Buffer.from(base64.slice(8))]).toString('base64');
    assert.equal(redactor.reveals(split), true, 'bytes in between');
    assert.equal(redactor.reveals(base64.replace(/.{4}/g, '$& ')), true, 'spaces in between');
  });

  it('undoes escapes inside an encoding, and skips what stands between the parts of a secret', () => {
    const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
    for (const [text, encoded] of [
      ['abcdefgh+jklmnop', base64('abcdefgh%2Bjklmnop')],
      ['abcdefgh+jklmnop', Buffer.from('abcdefgh%2Bjklmnop').toString('hex')],
      ['Abcdefgh&Jklmnopq', base64('Abcdefgh&amp;Jklmnopq')],
      ['thesecretkey', base64('the%73ecretkey')],
      ['thesecretkey', base64('thesec\xffx\xffretkey')],
      ['abcde+fghij', base64('abcde%2Bfghij')],
      ['88bb61a4+51cf4796859df6f0eeec5249', base64('b61a4%2B51cf4')],
    ] as const) {
      assert.equal(new Redactor([text]).reveals(encoded), true, encoded);
    }
  });

  it('undoes base32 of a secret with a character beyond ASCII, wherever it is', () => {
    const text = 'the-secret-key';
    for (let at = 0; at <= text.length; at += 1) {
      const secret = `${text.slice(0, at)}§${text.slice(at)}`;
      assert.equal(new Redactor([secret]).reveals(base32Of(Buffer.from(secret).toString('latin1'))), true, secret);
    }
  });

  it('undoes two encodings up to 2,048 characters, one up to 65,536, and then none', () => {
    const text = 'the-secret-key';
    const redactor = new Redactor([text]);
    const nested = (levels: number): string => (levels === 0 ? text : Buffer.from(nested(levels - 1)).toString('base64'));
    const percent = (levels: number): string => (levels === 0 ? text : each(percent(levels - 1), (character) => `%${hexOf(character)}`));
    for (const encode of [nested, percent]) {
      for (const [levels, length, isFound] of [
        [2, 2_048, true], [3, 2_048, false], [2, 2_049, false], [1, 2_049, true],
        [1, 65_536, true], [1, 65_537, false], [0, 65_537, true],
      ] as const) assert.equal(redactor.reveals(encode(levels).padEnd(length)), isFound, `${levels} in ${length}`);
    }
  });

  it('keeps 16 letters and digits outside of ordinary words, and no more', () => {
    const redactor = new Redactor([]);
    assert.equal(redactor.redact('Number 1234567890123456'), 'Number 1234567890123456');
    assert.equal(redactor.redact('Number 12345678901234567'), 'Number [redacted]');
    assert.equal(redactor.redact('Größe é1é2é3é4é5é6é7é8é9'), 'Größe [redacted]');
    assert.equal(redactor.redact('कृपया बाद में पुनः प्रयास करें'), 'कृपया बाद में पुनः प्रयास करें');
  });

  it('changes no text without a secret, and ignores missing and very short secrets', () => {
    // A character such as U+FDF2 counts as the letters that it is compatible with.
    const short = fc.string({ unit: 'grapheme', maxLength: 16 }).filter((text) => text.normalize('NFKC').length <= 16);
    fc.assert(fc.property(short, (text) => {
      assert.equal(new Redactor([undefined, '', 'abc', '!!!!!!', 'f3a1c0ffee-not-in-any-text']).redact(text), text);
    }));
  });

  it('takes time in proportion to the length of the message', () => {
    const redactor = new Redactor(['88bb61a451cf4796859df6f0eeec5249', 'another-token-0123456789']);
    const shortest = (text: string): number => Math.min(...Array.from({ length: 20 }, () => {
      const startedAt = performance.now();
      redactor.redact(text);
      return performance.now() - startedAt;
    }));
    // The longest message that a response may have, in every encoding: some 15 ms of CPU time.
    const longest = 'ab%41&#x41;\\u0041 '.repeat(200).slice(0, 2_000);
    assert.ok(cpuMsOf(() => redactor.redact(longest)) < 250);
    // Some 70 ms: white space is not decoded.
    assert.ok(cpuMsOf(() => redactor.redactJson({ text: `88bb61a451cf4796859df6f0eeec5249${' '.repeat(60_000)}` })) < 600);
    for (const text of ['%41', '\\', '&#', 'a ', ' ', '%']) {
      const ratio = shortest(text.repeat(2_000 / text.length)) / shortest(text.repeat(250 / text.length));
      // 8 if it is linear, 64 if it is quadratic.
      assert.ok(ratio < 24, `${JSON.stringify(text)}: ${ratio}`);
    }
  });
});

describe('Redactor.redactJson', () => {
  it('returns a value without a secret as it is', () => {
    const value = { id: 7, message: 'Hello' };
    assert.equal(new Redactor(['the-secret-key']).redactJson(value), value);
  });

  it('redacts names of members', () => {
    assert.deepEqual(new Redactor(['the-secret-key']).redactJson({ a: [{ THE_SECRET_KEY: 1 }], b: 2 }), { a: [{ '[redacted]': 1 }], b: 2 });
  });

  it('is undefined if a secret is spread over elements, members or names', () => {
    const redactor = new Redactor(['88bb61a451cf4796']);
    for (const value of [['88bb61a4', '51cf4796'], { a: '88bb61a4', b: { c: ['51cf', 4796] } }, { '88bb61a4': '51cf4796' }]) {
      assert.equal(redactor.redactJson(value), undefined, JSON.stringify(value));
    }
  });

  it('redacts every string of a JSON value and leaves the rest', () => {
    const redactor = new Redactor(['the-secret-key']);
    assert.deepEqual(redactor.redactJson({ id: 7, message: 'key the-secret-key', author: { names: ['a', 'the secret key'], none: null, empty: '' } }),
      { id: 7, message: 'key [redacted]', author: { names: ['a', '[redacted]'], none: null, empty: '' } });
  });
});
