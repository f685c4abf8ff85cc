import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectedMac, parseMacHeader, SignatureError } from './signature.ts';

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

describe('parseMacHeader', () => {
  it('reads every attribute in any order, with and without a space after the comma', () => {
    assert.deepEqual(parseMacHeader('MAC id="key", nonce="1.26:2,8",mac="bWFj", body-hash="aGFzaA==", access_token="t"'), {
      id: 'key', nonce: '1.26:2,8', bodyHash: 'aGFzaA==', mac: 'bWFj', accessToken: 't',
    });
    assert.equal('accessToken' in parseMacHeader('MAC id="key",nonce="1:a",body-hash="",mac="m"'), false);
  });

  it('refuses every other header', () => {
    for (const header of [
      '', 'MAC ', 'Bearer abc', 'mac id="k",nonce="1:a",body-hash="h",mac="m"', 'MAC nonce="1:a",body-hash="h",mac="m"',
      'MAC id="k",nonce="1:a",body-hash="h"', 'MAC id="",nonce="1:a",body-hash="h",mac="m"', 'MAC id=k,nonce="1:a",body-hash="h",mac="m"',
      'MAC id="k",nonce="1:a",body-hash="h",mac="m', 'MAC id="k",id="k",nonce="1:a",body-hash="h",mac="m"',
      'MAC id="k",nonce="1:a",body-hash="h",mac="m",ts="1"', 'MAC id="k\\"",nonce="1:a",body-hash="h",mac="m"',
      'MAC id="ü",nonce="1:a",body-hash="h",mac="m"', 'MAC id="k\u0001",nonce="1:a",body-hash="h",mac="m"',
      'MAC id="k" nonce="1:a",body-hash="h",mac="m"', 'MAC id="k",nonce="1:a",body-hash="h",mac="m",',
      'MAC id="k",nonce="1:a",body-hash="h",mac="m" x', 'MAC id = "k",nonce="1:a",body-hash="h",mac="m"',
    ]) {
      assert.throws(() => parseMacHeader(header), SignatureError, header);
    }
  });
});
