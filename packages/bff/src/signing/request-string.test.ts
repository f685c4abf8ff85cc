import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { computeMac, normalizedRequestString, portOf } from './sign-request.ts';
import { SigningError } from './normalize-params.ts';

const elements = { nonce: '1:a', method: 'POST', path: '/p?q=1', host: 'h.example', port: '80', bodyHash: 'x=' };

describe('normalizedRequestString', () => {
  it('is seven elements, the last one empty, each terminated by a newline', () => {
    assert.equal(normalizedRequestString(elements), '1:a\nPOST\n/p?q=1\nh.example\n80\nx=\n\n');
  });

  it('contains the method in upper case and the host in lower case', () => {
    assert.equal(normalizedRequestString({ ...elements, method: 'post', host: 'H.Example' }), normalizedRequestString(elements));
  });

  it('contains an empty body hash for a request without parameters', () => {
    assert.equal(normalizedRequestString({ ...elements, bodyHash: '' }), '1:a\nPOST\n/p?q=1\nh.example\n80\n\n\n');
  });

  const names = { nonce: 'nonce', method: 'method', path: 'path', host: 'host', port: 'port', bodyHash: 'body hash' };
  for (const [member, name] of Object.entries(names)) {
    it(`refuses a ${name} that is not ASCII or could break out of its line; the error does not repeat it`, () => {
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
  it('is the port of the URL, otherwise the default of its scheme', () => {
    assert.deepEqual(['http://h', 'https://h', 'https://h:8443', 'http://h:443'].map((url) => portOf(new URL(url))), ['80', '443', '8443', '443']);
  });

  it('refuses another scheme', () => {
    assert.throws(() => portOf(new URL('ftp://h.example/p')), SigningError);
  });
});

describe('computeMac', () => {
  const requestString = '1306976351.26:289807\nPOST\n/api/3.0/posts/create.json\ndisqus.com\n80\nmJjuD2APcHlxveLX6hQWVHQr/o0=\n\n';
  const secretKey = '88bb61a451cf4796859df6f0eeec5249';

  it("reproduces the service's own example, with a string and with a KeyObject", () => {
    assert.equal(computeMac(requestString, secretKey), 'hJWV982J95kaQjNdiDyLAPUGHDs=');
    assert.equal(computeMac(requestString, createSecretKey(secretKey, 'utf8')), 'hJWV982J95kaQjNdiDyLAPUGHDs=');
  });

  it('uses the UTF-8 bytes of key and request string', () => {
    for (const key of ['schlüssel', '\x80', '🦊', 'k'.repeat(200)]) {
      const expected = createHmac('sha1', Buffer.from(key)).update(Buffer.from('ü🦊')).digest('base64');
      assert.equal(computeMac('ü🦊', key), expected);
      assert.equal(computeMac('ü🦊', createSecretKey(key, 'utf8')), expected);
    }
  });
});
