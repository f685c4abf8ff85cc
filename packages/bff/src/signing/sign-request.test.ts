import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { SigningError, authorizationHeader, computeMac, createNonce, createSigner, normalizedRequestString } from './sign-request.ts';

const credentials = {
  publicKey: 'fca519c9211a4022abaed1915abffd11',
  secretKey: '88bb61a451cf4796859df6f0eeec5249',
  now: () => 1306976351260,
  randomToken: () => '289807',
};
const url = new URL('http://disqus.com/api/3.0/posts/create.json');
const params = [['message', 'hello world'], ['forum', 'disqus']] as const;

const refusedWith = (start: string, hidden = 'canary') => (error: unknown): boolean => (
  error instanceof SigningError && error.message.includes(start) && !inspect(error).includes(hidden)
);

describe('createSigner', () => {
  it("reproduces the service's own example and returns each step", () => {
    assert.deepEqual(createSigner(credentials).sign({ method: 'post', url, params }), {
      authorization: 'MAC id="fca519c9211a4022abaed1915abffd11", nonce="1306976351.26:289807", '
        + 'body-hash="mJjuD2APcHlxveLX6hQWVHQr/o0=", mac="hJWV982J95kaQjNdiDyLAPUGHDs="',
      body: 'forum=disqus&message=hello%20world',
      nonce: '1306976351.26:289807',
      bodyHash: 'mJjuD2APcHlxveLX6hQWVHQr/o0=',
      requestString: '1306976351.26:289807\nPOST\n/api/3.0/posts/create.json\ndisqus.com\n80\nmJjuD2APcHlxveLX6hQWVHQr/o0=\n\n',
      mac: 'hJWV982J95kaQjNdiDyLAPUGHDs=',
    });
  });

  it('adds the access token to the header without changing the MAC', () => {
    const signer = createSigner(credentials);
    const { authorization, mac } = signer.sign({ method: 'POST', url, params });
    const withToken = signer.sign({ method: 'POST', url, params, accessToken: 'of-the-reader' });
    assert.deepEqual([withToken.authorization, withToken.mac], [`${authorization}, access_token="of-the-reader"`, mac]);
  });

  it('signs the query, the host without its port, and the port; no other scheme than http and https', () => {
    const { requestString, body, bodyHash } = createSigner(credentials)
      .sign({ method: 'GET', url: new URL('https://Service.Example:8443/resource/1?b=1&a=2#part') });
    assert.equal(requestString, '1306976351.26:289807\nGET\n/resource/1?b=1&a=2\nservice.example\n8443\n\n\n');
    assert.deepEqual([body, bodyHash], [undefined, '']);
    const elements = createSigner(credentials).sign({ method: 'GET', url: new URL('https://h') }).requestString.split('\n');
    assert.equal(elements[4], '443');
    assert.throws(() => createSigner(credentials).sign({ method: 'GET', url: new URL('ftp://h') }), refusedWith('must be http or https'));
  });

  it('distinguishes an empty parameter list from a request without a body', () => {
    const { body, bodyHash } = createSigner(credentials).sign({ method: 'POST', url, params: [] });
    assert.deepEqual([body, bodyHash], ['', '2jmj7l5rSw0yVb/vlWAYkK/YBwk=']);
  });

  it('creates a new nonce for each request', () => {
    const { sign } = createSigner({ publicKey: 'public', secretKey: 'key' });
    assert.notEqual(sign({ method: 'POST', url, params }).nonce, sign({ method: 'POST', url, params }).nonce);
  });

  it('never exposes the secret key to inspect or JSON, nor key, token and text in an error', () => {
    const signer = createSigner({ publicKey: 'public', secretKey: 'canary-of-the-secret-key' });
    const signed = signer.sign({ method: 'POST', url, params, accessToken: 't' });
    const printed = [signer, signed].map((it) => inspect(it, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(it));
    assert.doesNotMatch(printed.join() + String(signer) + String(signer.sign), /canary/);
    const accessToken = 'canary-of-the-token';
    for (const request of [
      { method: 'POST', url, params: [['message', 'canary-of-the-text\ud800']] as const, accessToken },
      { method: 'POST\n', url, params, accessToken },
      { method: 'POST', url: new URL('data:canary'), params, accessToken },
      { method: 'POST', url, params, accessToken: `${accessToken}"` },
    ]) assert.throws(() => signer.sign(request), refusedWith(''));
  });

  it('refuses an empty secret key', () => {
    assert.throws(() => createSigner({ ...credentials, secretKey: '' }), /^SigningError: The secret key must not be empty\.$/);
  });
});

describe('createNonce', () => {
  it('is the time in seconds with its fraction, a colon and a token', () => {
    assert.equal(createNonce({ now: () => 1306976351260, randomToken: () => '289807' }), '1306976351.26:289807');
    assert.equal(createNonce({ now: () => 1306976351000, randomToken: () => 'x'.repeat(32) }), `1306976351:${'x'.repeat(32)}`);
    assert.match(createNonce(), /^\d+(?:\.\d+)?:[\w-]{24}$/);
  });

  it('refuses a token that is empty or longer than 32 characters', () => {
    for (const token of ['', 'x'.repeat(33)]) {
      assert.throws(() => createNonce({ randomToken: () => token }), /^SigningError: The token of a nonce must be 1 to 32 characters long\.$/);
    }
  });
});

describe('normalizedRequestString', () => {
  const elements = { nonce: '1:a', method: 'POST', path: '/p?q=1', host: 'h.example', port: '80', bodyHash: 'x=' };

  it('is seven elements, the last one empty, each terminated by a newline; method in upper case, host in lower case', () => {
    assert.equal(normalizedRequestString({ ...elements, method: 'post', host: 'H.Example' }), '1:a\nPOST\n/p?q=1\nh.example\n80\nx=\n\n');
    assert.equal(normalizedRequestString({ ...elements, bodyHash: '' }), '1:a\nPOST\n/p?q=1\nh.example\n80\n\n\n');
  });

  it('refuses an element that is not ASCII or could break out of its line, and an empty one but the body hash', () => {
    for (const name of Object.keys(elements)) {
      const words = ` ${name.replace('bodyHash', 'body hash')} `;
      for (const breaking of ['\n', '\r', '\0', '\t', ' ', '\x7f', '\u0085', 'ü', '\u2028']) {
        for (const text of [`canary${breaking}`, `${breaking}canary`]) {
          assert.throws(() => normalizedRequestString({ ...elements, [name]: text }), refusedWith(words));
        }
      }
      if (name !== 'bodyHash') assert.throws(() => normalizedRequestString({ ...elements, [name]: '' }), refusedWith(words));
    }
  });
});

describe('computeMac', () => {
  it('uses the UTF-8 bytes of key and request string, and takes a KeyObject too', () => {
    for (const key of ['schlüssel', '\x80', '🦊', 'k'.repeat(200)]) {
      const expected = createHmac('sha1', Buffer.from(key)).update(Buffer.from('ü🦊')).digest('base64');
      assert.equal(computeMac('ü🦊', key), expected);
      assert.equal(computeMac('ü🦊', createSecretKey(key, 'utf8')), expected);
    }
  });
});

describe('authorizationHeader', () => {
  const attributes = { id: 'public', nonce: '1:a', bodyHash: 'x=', mac: 'y=' };
  const names = { id: 'id', nonce: 'nonce', bodyHash: 'body-hash', mac: 'mac', accessToken: 'access_token' };

  it('quotes each attribute: every printable ASCII character except quote and backslash', () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i)).join('').replace(/["\\]/g, '');
    assert.equal(authorizationHeader({ ...attributes, bodyHash: '', accessToken: printable }),
      `MAC id="public", nonce="1:a", body-hash="", mac="y=", access_token="${printable}"`);
  });

  it('refuses a value that could break out of its quotes, and an empty one but the body hash', () => {
    for (const [member, name] of Object.entries(names)) {
      for (const breaking of ['"', '\\', '\n', '\r', '\0', '\x1f', '\x7f', 'ü', '\u2028', '", mac="z']) {
        assert.throws(() => authorizationHeader({ ...attributes, [member]: `canary${breaking}` }), refusedWith(`${name} `));
      }
      if (member !== 'bodyHash') assert.throws(() => authorizationHeader({ ...attributes, [member]: '' }), refusedWith(`${name} `));
    }
  });
});
