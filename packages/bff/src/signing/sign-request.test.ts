import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect, promisify } from 'node:util';
import { SigningError } from './normalize-params.ts';
import {
  authorizationHeader, computeMac, createNonce, createSigner, normalizedRequestString, portOf, randomToken,
  signRequest,
} from './sign-request.ts';

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

  it('uses the nonce of the request if it has one', () => {
    const { nonce, requestString, authorization } = createSigner(credentials).sign({ method: 'POST', url, params, nonce: '1:once' });
    assert.equal(nonce, '1:once');
    assert.match(requestString, /^1:once\n/);
    assert.match(authorization, /, nonce="1:once", /);
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
    assert.throws(() => createSigner({ ...credentials, publicKey: '' }), /^SigningError: The public key must not be empty\.$/);
    assert.throws(() => createSigner({ ...credentials, secretKey: '' }), /^SigningError: The secret key must not be empty\.$/);
  });
});

describe('signRequest', () => {
  it('equals a signer with the same credentials', () => {
    const request = { method: 'POST', url, params };
    assert.deepEqual(signRequest(request, credentials), createSigner(credentials).sign(request));
  });
});

const TOKENS = 20_000;

describe('createNonce', () => {
  it('is the time in seconds with its fraction, a colon and a token', () => {
    assert.equal(createNonce({ now: () => 1306976351260, randomToken: () => '289807' }), '1306976351.26:289807');
    assert.equal(createNonce({ now: () => 1306976351000, randomToken: () => 'x' }), '1306976351:x');
    assert.equal(createNonce({ now: () => 1306976351260.25, randomToken: () => 'x' }), '1306976351.26:x');
  });

  it('uses the present time and a random token by default', () => {
    const [, seconds = '', token = ''] = /^(\d+(?:\.\d+)?):(.+)$/.exec(createNonce()) ?? [];
    assert.ok(Math.abs(Number(seconds) - Date.now() / 1000) < 5);
    assert.match(token, /^[\w-]{24}$/);
  });

  it('refuses a token that is empty or longer than 32 characters', () => {
    for (const token of ['', 'x'.repeat(33)]) {
      assert.throws(() => createNonce({ randomToken: () => token }), /^SigningError: The token of a nonce must be 1 to 32 characters long\.$/);
    }
    assert.match(createNonce({ randomToken: () => 'x'.repeat(32) }), /:x{32}$/);
  });

  it('refuses a clock without a valid time', () => {
    for (const time of [Number.NaN, -1000, Infinity]) assert.throws(() => createNonce({ now: () => time }), /^SigningError: The clock of a nonce must give a time /);
  });

  it('never repeats, even if the clock stands still', () => {
    const nonces = new Set(Array.from({ length: TOKENS }, () => createNonce({ now: () => 0 })));
    assert.equal(nonces.size, TOKENS);
  });
});

describe('randomToken', () => {
  it('has 144 evenly distributed bits', () => {
    const counts = new Array<number>(144).fill(0);
    for (let i = 0; i < TOKENS; i += 1) {
      const bytes = Buffer.from(randomToken(), 'base64url');
      assert.equal(bytes.length, 18);
      for (let bit = 0; bit < 144; bit += 1) counts[bit]! += (bytes[bit >> 3]! >> (bit & 7)) & 1;
    }
    for (const count of counts) assert.ok(Math.abs(count - TOKENS / 2) < 8 * Math.sqrt(TOKENS / 4), `${count} of ${TOKENS}`);
  });

  it('does not repeat in another process', async () => {
    const script = `import { randomToken } from ${JSON.stringify(import.meta.resolve('./sign-request.ts'))};
      console.log(Array.from({ length: ${TOKENS} }, randomToken).join('\\n'));`;
    const draw = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 2 ** 22 });
    const outputs = await Promise.all([draw(), draw()]);
    const tokens = outputs.flatMap(({ stdout }) => stdout.trim().split('\n'));
    assert.equal(tokens.length, 2 * TOKENS);
    assert.equal(new Set(tokens).size, 2 * TOKENS);
  });
});

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
        for (const text of [`secret${breaking}`, `${breaking}secret`]) {
          assert.throws(
            () => normalizedRequestString({ ...elements, [member]: text }),
            (error) => error instanceof SigningError && error.message.includes(` ${name} `) && !error.message.includes('secret'),
          );
        }
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
    assert.throws(() => portOf(new URL('ftp://h.example/p')), /^SigningError: The URL of a signed request must be http or https\.$/);
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
