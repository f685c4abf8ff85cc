import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validConfig } from '../../config/_valid-config.ts';
import { parseConfig } from '../../config/config.ts';
import { checkAddresses } from './addresses.ts';

/** What each check of the addresses says: the status by its name. */
function statusesOf(bent: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(checkAddresses(parseConfig(validConfig(bent))).map(({ name, status }) => [name, status]));
}

describe('checkAddresses', () => {
  it('accepts https, pages of the same site, and a proxy that is trusted', () => {
    assert.deepEqual(statusesOf({ allowedOrigins: ['https://www.example.com', 'https://news.example.com'], trustProxy: 'loopback' }), {
      'public url': 'ok', origins: 'ok', 'redirect uri': 'ok', proxy: 'ok',
    });
  });

  it('fails http, but for this machine', () => {
    assert.equal(statusesOf({ publicUrl: 'http://www.example.com/vestibule' })['public url'], 'fail');
    for (const publicUrl of ['http://localhost:8080', 'http://127.0.0.1:8080/vestibule', 'http://[::1]:8080']) {
      const { proxy, 'public url': url } = statusesOf({ publicUrl });
      assert.deepEqual([url, proxy], ['ok', 'ok'], publicUrl);
    }
  });

  it('names pages that the session cookie does not reach', () => {
    assert.equal(statusesOf({ allowedOrigins: ['http://www.example.com'] })['origins'], 'fail');
    assert.equal(statusesOf({ allowedOrigins: ['https://www.example.com', 'https://www.example.org'] })['origins'], 'warn');
  });

  for (const [bff, page, status] of [
    ['comments.herald.co.uk', 'www.herald.co.uk', 'ok'],
    ['comments.tribune.co.uk', 'www.herald.co.uk', 'warn'],
    ['herald.github.io', 'tribune.github.io', 'warn'],
    ['bff.intern', 'www.intern', 'warn'],
    ['192.0.2.1', '192.0.2.2', 'warn'],
  ] as const) {
    it(`compares ${bff} with ${page} by the public suffix list`, () => {
      assert.equal(statusesOf({ publicUrl: `https://${bff}/vestibule`, allowedOrigins: [`https://${page}`] })['origins'], status);
    });
  }

  it('names a redirect URI whose page handles no return', () => {
    assert.equal(statusesOf({ redirectUri: 'https://elsewhere.example/return' })['redirect uri'], 'fail');
    assert.equal(statusesOf({ redirectUri: 'https://www.example.com/comments?verify=1' })['redirect uri'], 'warn');
  });

  it('names a proxy that is not trusted', () => {
    assert.equal(statusesOf({})['proxy'], 'warn');
    assert.equal(statusesOf({ trustProxy: 1 })['proxy'], 'ok');
  });
});
