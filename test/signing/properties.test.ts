/** The product's signing against the emulated service's, which was written apart from it. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSigner, normalizeParams } from '../../packages/bff/src/signing/sign-request.ts';
import { expectedMac, parseMacHeader } from '../service/index.ts';

const CASES = 4_000;

/** A character of every class that an encoder or a sort could get wrong. */
const character = fc.oneof(
  fc.constantFrom(...'!\'()*~%+& =?#/:;,@$"<>\\^`{|}[]._-'),
  fc.constantFrom(...'abcXYZ019'),
  fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x7f, max: 0x24f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x300, max: 0x36f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0xe000, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('\u200e', '\u200f', '\u202e', '\u2066', '\u2028', '\u2029', '\ufeff', '\u00a0', '🦊', '👩‍👩‍👧', 'e\u0301'),
);

const text = fc.array(character, { maxLength: 24 }).map((characters) => characters.join(''));

/** Names that repeat, that begin each other, that hold what joins pairs, and empty ones. */
const name = fc.oneof(fc.constantFrom('', 'a', 'a=', 'a b', 'ab', 'a-', 'a\u0000', 'a~', 'a&', 'A', 'ä', '\uffff', '\u{10000}'), text);

const params = fc.array(fc.tuple(name, fc.oneof(fc.constant(''), text)), { maxLength: 8 });

const request = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'post', 'DELETE'),
  params,
  host: fc.constantFrom('service.example', 'SERVICE.example', 'disqus.com', '127.0.0.1', 'xn--bcher-kva.example'),
  scheme: fc.constantFrom('http', 'https'),
  port: fc.constantFrom('', ':80', ':443', ':8443'),
  path: fc.constantFrom('/api/3.0/posts/create.json', '/a/b?c=d&e=f', '/', '/%20/ä'),
  key: fc.oneof(fc.string({ minLength: 1, maxLength: 90 }), text.filter((key) => key !== '')),
  token: fc.option(fc.stringMatching(/^[\w+/=.-]{1,40}$/), { nil: undefined }),
});

const distinct = (texts: readonly string[]): number => new Set(texts).size;

describe('a signed request', () => {
  it('agrees with the emulated service in generated cases', () => {
    fc.assert(fc.property(request, ({ method, params: pairs, host, scheme, port, path, key, token }) => {
      const url = new URL(`${scheme}://${host}${port}${path}`);
      const signer = createSigner({ publicKey: 'public', secretKey: key });
      const signed = signer.sign({ method, url, params: pairs, ...(token !== undefined && { accessToken: token }) });
      const expected = expectedMac({
        method: method.toUpperCase(),
        path: url.pathname + url.search,
        host: url.hostname,
        port: url.port || (scheme === 'https' ? 443 : 80),
        nonce: signed.nonce,
        params: pairs,
        key,
      });
      assert.equal(signed.body, expected.normalized);
      assert.equal(signed.bodyHash, expected.bodyHash);
      assert.equal(signed.requestString, expected.requestString);
      const header = parseMacHeader(signed.authorization);
      assert.equal(header.mac, expected.mac);
      assert.equal(header.accessToken, token);
      assert.match(header.nonce, /^\d+(?:\.\d+)?:[\x21-\x7e]{1,32}$/);
    }), { numRuns: CASES });
  });

  it('does not depend on the order in which parameters are given, and arrives as what was meant', () => {
    fc.assert(fc.property(params, ([...pairs]) => {
      // `a` with the value `=` and `a=` without a value are the same text to the sort, which keeps their order (interface 5.1).
      fc.pre(distinct(pairs.map(([n, v]) => `${n}=${v}`)) === distinct(pairs.map((pair) => JSON.stringify(pair))));
      const normalized = normalizeParams(pairs);
      assert.equal(normalizeParams(pairs.toReversed().map(([n, v]) => [n, v])), normalized);
      const arrived = normalized === '' ? [] : normalized.split('&').map((pair) => pair.split('=').map(decodeURIComponent));
      const meant = pairs.map(([n, v]) => [n, v]);
      const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      assert.deepEqual(arrived.toSorted(byText), meant.toSorted(byText));
    }), { numRuns: Math.ceil(CASES / 4) });
  });
});
