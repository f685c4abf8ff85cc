import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createSigner, signRequest } from './sign-request.ts';
import { SigningError } from './normalize-params.ts';

const credentials = {
  publicKey: 'fca519c9211a4022abaed1915abffd11',
  secretKey: '88bb61a451cf4796859df6f0eeec5249',
  now: () => 1306976351260,
  randomToken: () => '289807',
};
const url = new URL('http://disqus.com/api/3.0/posts/create.json');
const params = [['message', 'hello world'], ['forum', 'disqus']] as const;
const canary = 'canary-of-the-secret-key';

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
    assert.equal(withToken.authorization, `${authorization}, access_token="of-the-reader"`);
    assert.equal(withToken.mac, mac);
  });

  it('signs the query, the host without its port, and the port', () => {
    const { requestString, body, bodyHash } = createSigner(credentials)
      .sign({ method: 'GET', url: new URL('https://Service.Example:8443/resource/1?b=1&a=2#part') });
    assert.equal(requestString, '1306976351.26:289807\nGET\n/resource/1?b=1&a=2\nservice.example\n8443\n\n\n');
    assert.deepEqual([body, bodyHash], [undefined, '']);
  });

  it('distinguishes an empty parameter list from a request without a body', () => {
    const { body, bodyHash } = createSigner(credentials).sign({ method: 'POST', url, params: [] });
    assert.deepEqual([body, bodyHash], ['', '2jmj7l5rSw0yVb/vlWAYkK/YBwk=']);
  });

  it('creates a new nonce for each attempt', () => {
    const { sign } = createSigner({ publicKey: 'public', secretKey: 'key' });
    assert.notEqual(sign({ method: 'POST', url, params }).nonce, sign({ method: 'POST', url, params }).nonce);
  });

  it('never exposes the secret key to inspect or JSON', () => {
    const signer = createSigner({ publicKey: 'public', secretKey: canary });
    const signed = signer.sign({ method: 'POST', url, params, accessToken: 't' });
    const printed = [signer, signed].map((it) => inspect(it, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(it));
    assert.doesNotMatch(printed.join() + String(signer) + String(signer.sign), /canary/);
  });

  it('never repeats the secret key, the token or the text in an error', () => {
    const signer = createSigner({ publicKey: 'public', secretKey: canary });
    const accessToken = 'canary-of-the-token';
    const refused = [
      { method: 'POST', url, params: [['message', 'canary-of-the-text\ud800']] as const, accessToken },
      { method: 'POST\n', url, params, accessToken },
      { method: 'POST', url: new URL('data:canary'), params, accessToken },
      { method: 'POST', url, params, accessToken: `${accessToken}"` },
    ];
    for (const request of refused) {
      assert.throws(() => signer.sign(request), (error) => error instanceof SigningError && !/canary/.test(inspect(error)));
    }
  });

  it('refuses an empty key', () => {
    assert.throws(() => createSigner({ ...credentials, publicKey: '' }), SigningError);
    assert.throws(() => createSigner({ ...credentials, secretKey: '' }), SigningError);
  });
});

describe('signRequest', () => {
  it('equals a signer with the same credentials', () => {
    const request = { method: 'POST', url, params };
    assert.deepEqual(signRequest(request, credentials), createSigner(credentials).sign(request));
  });
});
