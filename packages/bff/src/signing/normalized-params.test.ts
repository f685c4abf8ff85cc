import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizeParams, type Param } from './normalized-params.ts';
import { SigningError } from './signing-error.ts';

describe('normalizeParams', () => {
  it('joins encoded names and values, and leaves the `=` between them as it is', () => {
    assert.equal(normalizeParams([['a=b', 'c&d'], ['e', 'f=g']]), 'a%3Db=c%26d&e=f%3Dg');
  });

  it('sorts pairs, not names: what follows the shorter name decides', () => {
    assert.equal(normalizeParams([['a', 'x'], ['aa', ''], ['a b', 'y'], ['a~', ''], ['a', '']]), 'a%20b=y&a=&a=x&aa=&a~=');
    assert.equal(normalizeParams([['a=', 'b'], ['a', '<']]), 'a=%3C&a%3D=b');
  });

  it('sorts before it encodes: `!` comes before a letter and `~` after it', () => {
    assert.equal(normalizeParams([['k', '~'], ['k', 'a'], ['k', '!']]), 'k=%21&k=a&k=~');
  });

  it('sorts by bytes of UTF-8, where a character beyond the basic plane comes after U+FFFF', () => {
    assert.equal(normalizeParams([['\u{10000}', ''], ['\uffff', '']]), '%EF%BF%BF=&%F0%90%80%80=');
  });

  it('keeps repeated parameters, in the order of their values', () => {
    assert.equal(normalizeParams([['a', '2'], ['a', '1'], ['a', '1']]), 'a=1&a=1&a=2');
  });

  it('keeps empty names and values', () => {
    assert.equal(normalizeParams([['', ''], ['', 'x'], ['a', '']]), '=&=x&a=');
    assert.equal(normalizeParams([]), '');
  });

  it('takes anything that can be iterated, and leaves it as it was', () => {
    const params: Param[] = [['b', '2'], ['a', '1']];
    assert.equal(normalizeParams(new URLSearchParams('b=2&a=1')), 'a=1&b=2');
    assert.equal(normalizeParams(new Map(params)), 'a=1&b=2');
    assert.equal(normalizeParams(params), 'a=1&b=2');
    assert.deepEqual(params, [['b', '2'], ['a', '1']]);
  });

  it('takes a value of megabytes', () => {
    assert.equal(normalizeParams([['message', '✓'.repeat(1_000_000)]]), `message=${'%E2%9C%93'.repeat(1_000_000)}`);
  });

  it('refuses a lone surrogate and names the place as given, not the text', () => {
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
    assert.equal(normalizeParams([['a', 'b']]), 'a=b');
  });

  it('refuses what is not text', () => {
    for (const value of [undefined, null, 7, {}]) {
      assert.throws(() => normalizeParams([['a', value as string]]), SigningError);
    }
  });
});
