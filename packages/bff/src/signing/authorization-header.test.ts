import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorizationHeader } from './sign-request.ts';
import { SigningError } from './normalize-params.ts';

const attributes = { id: 'public', nonce: '1:a', bodyHash: 'x=', mac: 'y=' };

const spelling = { id: 'id', nonce: 'nonce', bodyHash: 'body-hash', mac: 'mac', accessToken: 'access_token' };

describe('authorizationHeader', () => {
  it('quotes each attribute and omits the access token unless a user is authenticated', () => {
    assert.equal(authorizationHeader(attributes), 'MAC id="public", nonce="1:a", body-hash="x=", mac="y="');
    assert.equal(authorizationHeader({ ...attributes, accessToken: 't' }),
      'MAC id="public", nonce="1:a", body-hash="x=", mac="y=", access_token="t"');
  });

  it('contains an empty body hash for a request without parameters', () => {
    assert.match(authorizationHeader({ ...attributes, bodyHash: '' }), /, body-hash="", /);
  });

  it('accepts every printable ASCII character except quote and backslash', () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('').replace(/["\\]/g, '');
    assert.ok(authorizationHeader({ ...attributes, accessToken: printable }).endsWith(`access_token="${printable}"`));
  });

  for (const [member, name] of Object.entries(spelling)) {
    it(`refuses a value of ${name} that could break out of its quotes; the error does not repeat it`, () => {
      for (const breaking of ['"', '\\', '\n', '\r', '\0', '\x1f', '\x7f', 'ü', '\u2028', '", mac="z']) {
        assert.throws(
          () => authorizationHeader({ ...attributes, [member]: `secret${breaking}` }),
          (error) => error instanceof SigningError && error.message.startsWith(`${name} `) && !error.message.includes('secret'),
        );
      }
    });
  }

  it('names the invalid attribute, not an empty body hash', () => {
    assert.throws(() => authorizationHeader({ ...attributes, bodyHash: '', mac: 'ü' }), /^SigningError: mac /);
  });

  it('refuses an empty value', () => {
    for (const member of ['id', 'nonce', 'mac', 'accessToken'] as const) {
      assert.throws(
        () => authorizationHeader({ ...attributes, bodyHash: '', [member]: '' }),
        (error) => error instanceof SigningError && error.message.startsWith(`${spelling[member]} `),
      );
    }
  });
});
