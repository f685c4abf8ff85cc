import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { bodyHash, normalizeParams, percentEncode, SigningError, type Param } from './sign-request.ts';

describe('normalizeParams', () => {
  const cases: Readonly<Record<string, readonly [params: readonly Param[], normalized: string]>> = {
    'encodes names and values, but not the `=` between them': [[['a=b', 'c&d'], ['e', 'f=g']], 'a%3Db=c%26d&e=f%3Dg'],
    'sorts pairs, not names': [[['a', 'x'], ['aa', ''], ['a b', 'y'], ['a~', ''], ['a', '']], 'a%20b=y&a=&a=x&aa=&a~='],
    'sorts a pair as its text': [[['a=', 'b'], ['a', '<']], 'a=%3C&a%3D=b'],
    'sorts before encoding: `!` precedes a letter and `~` follows it': [[['k', '~'], ['k', 'a'], ['k', '!']], 'k=%21&k=a&k=~'],
    'sorts by the bytes of UTF-8: a character outside the basic plane follows U+FFFF': [[['\u{10000}', ''], ['\uffff', '']], '%EF%BF%BF=&%F0%90%80%80='],
    'keeps repeated parameters, sorted by value': [[['a', '2'], ['a', '1'], ['a', '1']], 'a=1&a=1&a=2'],
    'keeps empty names and values': [[['', ''], ['', 'x'], ['a', '']], '=&=x&a='],
    'gives an empty text without parameters': [[], ''],
  };
  for (const [fact, [params, normalized]] of Object.entries(cases)) {
    it(fact, () => { assert.equal(normalizeParams(params), normalized); });
  }

  it('accepts any iterable and does not modify it', () => {
    const params: Param[] = [['b', '2'], ['a', '1']];
    for (const iterable of [new URLSearchParams('b=2&a=1'), new Map(params), params]) assert.equal(normalizeParams(iterable), 'a=1&b=2');
    assert.deepEqual(params, [['b', '2'], ['a', '1']]);
  });

  it('refuses a lone surrogate and what is no string; the error names the position, not the text', () => {
    for (const [broken, message] of [
      [['a', 'secret\ud800'], /^Parameter 2 /],
      [['a\udc00secret', ''], /^Parameter 2 /],
      [['secret', 7], /./], [['secret', undefined], /./], [['secret', null], /./],
    ] as const) {
      assert.throws(
        () => normalizeParams([['z', ''], broken as unknown as Param]),
        (error) => error instanceof SigningError && message.test(error.message) && !error.message.includes('secret'),
      );
    }
  });
});

describe('percentEncode', () => {
  it('keeps the unreserved ASCII characters and encodes every other in upper-case hex', () => {
    for (let code = 0; code < 0x80; code += 1) {
      const character = String.fromCharCode(code);
      const encoded = /[\w.~-]/.test(character) ? character : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
      assert.equal(percentEncode(character), encoded);
    }
  });

  it('encodes each byte of the UTF-8 form', () => {
    assert.equal(percentEncode('ü✓🦊'), '%C3%BC%E2%9C%93%F0%9F%A6%8A');
    assert.equal(percentEncode('\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'), '%7F%C2%80%DF%BF%E0%A0%80%EF%BF%BF%F0%90%80%80%F4%8F%BF%BF');
  });

  it('refuses a lone surrogate; the error does not repeat the text', () => {
    for (const lone of ['\ud83e', '\udd8a', '\udd8a\ud83e', '\ud83e\ud83e\udd8a']) {
      assert.throws(() => percentEncode(`secret${lone}`), /^SigningError: The text must have no lone surrogate\.$/);
    }
  });
});

describe('bodyHash', () => {
  it('is the SHA-1 of the normalized parameters in base64', () => {
    assert.equal(bodyHash('forum=disqus&message=hello%20world'), 'mJjuD2APcHlxveLX6hQWVHQr/o0=');
    assert.equal(bodyHash(''), createHash('sha1').digest('base64'));
  });
});
