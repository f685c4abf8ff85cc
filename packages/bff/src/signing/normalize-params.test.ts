import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { bodyHash, normalizeParams, percentEncode, SigningError, type Param } from './normalize-params.ts';

describe('normalizeParams', () => {
  it('encodes names and values, but not the `=` between them', () => {
    assert.equal(normalizeParams([['a=b', 'c&d'], ['e', 'f=g']]), 'a%3Db=c%26d&e=f%3Dg');
  });

  it('sorts pairs, not names', () => {
    assert.equal(normalizeParams([['a', 'x'], ['aa', ''], ['a b', 'y'], ['a~', ''], ['a', '']]), 'a%20b=y&a=&a=x&aa=&a~=');
    assert.equal(normalizeParams([['a=', 'b'], ['a', '<']]), 'a=%3C&a%3D=b');
  });

  it('sorts before encoding: `!` precedes a letter and `~` follows it', () => {
    assert.equal(normalizeParams([['k', '~'], ['k', 'a'], ['k', '!']]), 'k=%21&k=a&k=~');
  });

  it('sorts by the bytes of UTF-8: a character outside the basic plane follows U+FFFF', () => {
    assert.equal(normalizeParams([['\u{10000}', ''], ['\uffff', '']]), '%EF%BF%BF=&%F0%90%80%80=');
  });

  it('keeps repeated parameters, sorted by value', () => {
    assert.equal(normalizeParams([['a', '2'], ['a', '1'], ['a', '1']]), 'a=1&a=1&a=2');
  });

  it('keeps empty names and values', () => {
    assert.equal(normalizeParams([['', ''], ['', 'x'], ['a', '']]), '=&=x&a=');
    assert.equal(normalizeParams([]), '');
  });

  it('accepts any iterable and does not modify it', () => {
    const params: Param[] = [['b', '2'], ['a', '1']];
    assert.equal(normalizeParams(new URLSearchParams('b=2&a=1')), 'a=1&b=2');
    assert.equal(normalizeParams(new Map(params)), 'a=1&b=2');
    assert.equal(normalizeParams(params), 'a=1&b=2');
    assert.deepEqual(params, [['b', '2'], ['a', '1']]);
  });

  it('accepts a value of several megabytes', () => {
    assert.equal(normalizeParams([['message', '✓'.repeat(1_000_000)]]), `message=${'%E2%9C%93'.repeat(1_000_000)}`);
  });

  it('refuses a lone surrogate; the error names the position, not the text', () => {
    const refusals: [Param, RegExp][] = [
      [['a', 'secret\ud800'], /^The value of parameter 2 /],
      [['a\udc00secret', ''], /^The name of parameter 2 /],
    ];
    for (const [broken, message] of refusals) {
      assert.throws(
        () => normalizeParams([['z', ''], broken]),
        (error) => error instanceof SigningError && message.test(error.message) && !error.message.includes('secret'),
      );
    }
  });

  it('refuses a value that is not a string', () => {
    for (const value of [undefined, null, 7, {}]) {
      assert.throws(() => normalizeParams([['a', value as string]]), SigningError);
    }
  });
});

describe('percentEncode', () => {
  it('keeps the unreserved characters', () => {
    const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
    assert.equal(percentEncode(unreserved), unreserved);
  });

  it('encodes every other ASCII character in upper-case hex', () => {
    for (let code = 0; code < 0x80; code += 1) {
      const character = String.fromCharCode(code);
      if (/[\w.~-]/.test(character)) continue;
      assert.equal(percentEncode(character), `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
    }
  });

  it('encodes each byte of the UTF-8 form', () => {
    assert.equal(percentEncode('ü✓🦊'), '%C3%BC%E2%9C%93%F0%9F%A6%8A');
    assert.equal(percentEncode('\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'),
      '%7F%C2%80%DF%BF%E0%A0%80%EF%BF%BF%F0%90%80%80%F4%8F%BF%BF');
    assert.equal(percentEncode(''), '');
  });

  it('refuses a lone surrogate; the error does not repeat the text', () => {
    for (const lone of ['\ud83e', '\udd8a', '\udd8a\ud83e', '\ud83e\ud83e\udd8a']) {
      assert.throws(
        () => percentEncode(`secret${lone}`),
        (error) => error instanceof SigningError && error.message === 'The text must be text without a lone surrogate.',
      );
    }
  });
});

describe('bodyHash', () => {
  it('is the SHA-1 of the normalized parameters in base64', () => {
    assert.equal(bodyHash('forum=disqus&message=hello%20world'), 'mJjuD2APcHlxveLX6hQWVHQr/o0=');
    assert.equal(bodyHash(''), createHash('sha1').digest('base64'));
  });
});
