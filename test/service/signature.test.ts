import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { macVectors, type MacVector } from '../signing/mac-signing.ts';
import { expectedMac, parseMacHeader, SignatureError } from './signature.ts';

const [exampleA] = macVectors as [MacVector];

describe('expectedMac', () => {
  for (const { name, normalized, bodyHash, requestString, mac, ...request } of macVectors) {
    it(`computes each step of ${name}`, () => {
      assert.deepEqual(expectedMac(request), { normalized, bodyHash, requestString, mac });
    });
  }

  it('takes the host in any case', () => {
    assert.equal(expectedMac({ ...exampleA, host: 'DISQUS.com' }).mac, expectedMac(exampleA).mac);
  });

  const normalizedOf = (...params: [string, string][]) => expectedMac({ ...exampleA, params }).normalized;

  it('sorts pairs, not names: `a-b=1` comes before `a=2`, `a=2` before `aa=1`', () => {
    assert.equal(normalizedOf(['aa', '1'], ['a', '2'], ['a-b', '1']), 'a-b=1&a=2&aa=1');
  });

  it('sorts before it encodes: `~` comes after a letter and `!` before it', () => {
    assert.equal(normalizedOf(['k', '~'], ['k', 'a'], ['k', '!']), 'k=%21&k=a&k=~');
  });

  it('sorts by bytes of UTF-8: U+FF5E comes before a fox', () => {
    assert.equal(normalizedOf(['k', '🦊'], ['k', '～']), 'k=%EF%BD%9E&k=%F0%9F%A6%8A');
  });

  it('keeps only the unreserved characters and writes upper-case hex', () => {
    assert.equal(normalizedOf(["-._~aZ09!'()*", 'ü&=+%20\n']), '-._~aZ09%21%27%28%29%2A=%C3%BC%26%3D%2B%2520%0A');
  });

  it('refuses a lone surrogate', () => {
    assert.throws(() => normalizedOf(['message', 'a\ud800']), SignatureError);
    assert.throws(() => normalizedOf(['\udc00', 'a']), SignatureError);
  });
});

describe('parseMacHeader', () => {
  it('reads every attribute, with and without a space after the comma, in any order', () => {
    assert.deepEqual(parseMacHeader('MAC id="key", nonce="1306976351.26:289807",mac="bWFj", body-hash="aGFzaA==", access_token="t"'), {
      id: 'key', nonce: '1306976351.26:289807', bodyHash: 'aGFzaA==', mac: 'bWFj', accessToken: 't',
    });
  });

  it('leaves the access token out where no user is authenticated', () => {
    assert.equal('accessToken' in parseMacHeader('MAC id="key",nonce="1:a",body-hash="h",mac="m"'), false);
  });

  const malformed: Record<string, string> = {
    nothing: '',
    'another scheme': 'Bearer abc',
    'the scheme in lower case': 'mac id="k",nonce="1:a",body-hash="h",mac="m"',
    'no attribute': 'MAC ',
    'a missing id': 'MAC nonce="1:a",body-hash="h",mac="m"',
    'a missing nonce': 'MAC id="k",body-hash="h",mac="m"',
    'a missing body-hash': 'MAC id="k",nonce="1:a",mac="m"',
    'a missing mac': 'MAC id="k",nonce="1:a",body-hash="h"',
    'an empty value': 'MAC id="",nonce="1:a",body-hash="h",mac="m"',
    'an unquoted value': 'MAC id=k,nonce="1:a",body-hash="h",mac="m"',
    'an open quote': 'MAC id="k",nonce="1:a",body-hash="h",mac="m',
    'a repeated attribute': 'MAC id="k",id="k",nonce="1:a",body-hash="h",mac="m"',
    'an unknown attribute': 'MAC id="k",nonce="1:a",body-hash="h",mac="m",ts="1"',
    'an escaped quote': 'MAC id="k\\"",nonce="1:a",body-hash="h",mac="m"',
    'a character outside ASCII': 'MAC id="ü",nonce="1:a",body-hash="h",mac="m"',
    'a control character': 'MAC id="k\u0001",nonce="1:a",body-hash="h",mac="m"',
    'no comma': 'MAC id="k" nonce="1:a",body-hash="h",mac="m"',
    'a trailing comma': 'MAC id="k",nonce="1:a",body-hash="h",mac="m",',
    'trailing text': 'MAC id="k",nonce="1:a",body-hash="h",mac="m" x',
    'white space around the equals sign': 'MAC id = "k",nonce="1:a",body-hash="h",mac="m"',
  };
  for (const [what, header] of Object.entries(malformed)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => parseMacHeader(header), SignatureError);
    });
  }

  it('refuses a hostile header of a megabyte without a stall', () => {
    for (const header of [`MAC id="k",${'='.repeat(1_000_000)}`, `MAC id="${'a'.repeat(1_000_000)}`, `MAC ${'id="k",'.repeat(150_000)}`]) {
      const startedAt = performance.now();
      assert.throws(() => parseMacHeader(header), SignatureError);
      assert.ok(performance.now() - startedAt < 500);
    }
  });
});
