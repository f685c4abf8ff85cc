import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalizedRequestString, portOf } from './request-string.ts';
import { SigningError } from './signing-error.ts';

const elements = { nonce: '1:a', method: 'POST', path: '/p?q=1', host: 'h.example', port: '80', bodyHash: 'x=' };

describe('normalizedRequestString', () => {
  it('is seven lines, the last one empty, each ended by a newline', () => {
    assert.equal(normalizedRequestString(elements), '1:a\nPOST\n/p?q=1\nh.example\n80\nx=\n\n');
  });

  it('has the method in upper case and the host in lower case', () => {
    assert.equal(normalizedRequestString({ ...elements, method: 'post', host: 'H.Example' }), normalizedRequestString(elements));
  });

  it('leaves the line of the body hash empty where there is nothing to hash', () => {
    assert.equal(normalizedRequestString({ ...elements, bodyHash: '' }), '1:a\nPOST\n/p?q=1\nh.example\n80\n\n\n');
  });

  const names = { nonce: 'nonce', method: 'method', path: 'path', host: 'host', port: 'port', bodyHash: 'body hash' };
  for (const [member, name] of Object.entries(names)) {
    it(`refuses a ${name} that could break out of its line or is not ASCII, and does not repeat it`, () => {
      for (const breaking of ['\n', '\r', '\0', '\t', ' ', '\x7f', '\u0085', 'ü', '\u2028']) {
        assert.throws(
          () => normalizedRequestString({ ...elements, [member]: `secret${breaking}` }),
          (error) => error instanceof SigningError && error.message.includes(` ${name} `) && !error.message.includes('secret'),
        );
      }
    });
  }

  it('refuses an empty element', () => {
    for (const name of ['nonce', 'method', 'path', 'host', 'port']) {
      assert.throws(
        () => normalizedRequestString({ ...elements, bodyHash: '', [name]: '' }),
        (error) => error instanceof SigningError && error.message.includes(` ${name} `),
      );
    }
  });
});

describe('portOf', () => {
  it('takes the port from the address, else from its scheme', () => {
    assert.deepEqual(['http://h', 'https://h', 'https://h:8443', 'http://h:443'].map((url) => portOf(new URL(url))), ['80', '443', '8443', '443']);
  });

  it('refuses an address of another scheme', () => {
    assert.throws(() => portOf(new URL('ftp://h.example/p')), SigningError);
  });
});
