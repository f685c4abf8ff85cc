import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectedMac, SignatureError } from './signature.ts';

// The published vectors are in test/signing.
describe('expectedMac', () => {
  const normalizedOf = (...params: [string, string][]) =>
    expectedMac({ method: 'POST', path: '/', host: 'h', port: 80, nonce: '1:a', key: 'k', params }).normalized;

  it('sorts pairs by bytes of UTF-8 before it encodes them', () => {
    assert.equal(normalizedOf(['aa', '1'], ['a', '2'], ['a-b', '1']), 'a-b=1&a=2&aa=1');
    assert.equal(normalizedOf(['k', '~'], ['k', 'a'], ['k', '!']), 'k=%21&k=a&k=~');
    assert.equal(normalizedOf(['k', '🦊'], ['k', '～']), 'k=%EF%BD%9E&k=%F0%9F%A6%8A');
  });

  it('keeps only the unreserved characters, writes upper-case hex, and refuses a lone surrogate', () => {
    assert.equal(normalizedOf(["-._~aZ09!'()*", 'ü&=+%20\n']), '-._~aZ09%21%27%28%29%2A=%C3%BC%26%3D%2B%2520%0A');
    assert.throws(() => normalizedOf(['message', 'a\ud800']), SignatureError);
  });
});
