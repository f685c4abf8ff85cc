import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceResponse } from './http-transport.ts';
import { grantOf, tokenRequest, TokenRefusedError } from './token-exchange.ts';

const CODE = 'the-one-time-code';
const SECRET_KEY = 'the-secret-key';

const respond = (body: unknown, status = 200, headers: ServiceResponse['headers'] = {}): ServiceResponse => (
  { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), sentAt: 0, receivedAt: 0 }
);
const grant = (members: object, status?: number) => grantOf(respond({ access_token: 'a token', user_id: '7', ...members }, status), CODE, SECRET_KEY);

describe('tokenRequest', () => {
  it('carries the five parameters', () => {
    const redirectUri = 'https://www.example.com/return?verify=1';
    const { method, path, headers, body } = tokenRequest('/base', { publicKey: 'id', secretKey: 'secret', redirectUri }, 'a+b');
    assert.deepEqual([method, path], ['POST', '/base/api/oauth/2.0/access_token/']);
    assert.deepEqual(headers, { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' });
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      grant_type: 'audiencesync', client_id: 'id', client_secret: 'secret', redirect_uri: redirectUri, code: 'a+b',
    });
  });
});

describe('grantOf', () => {
  it('returns token, id and name', () => {
    assert.deepEqual(grant({ username: 'Sven' }), { accessToken: 'a token', userId: '7', username: 'Sven' });
  });

  it('accepts a response under any content type, and an error that is null', () => {
    assert.equal(grantOf(respond('{"access_token":"t","user_id":"7"}', 200, { 'content-type': 'text/html' }), CODE, SECRET_KEY).accessToken, 't');
    assert.equal(grant({ error: null }).userId, '7');
  });

  it('keeps every digit of a numeric user_id', () => {
    assert.equal(grantOf(respond('{"access_token":"t","user_id":12345678901234567890}'), CODE, SECRET_KEY).userId, '12345678901234567890');
    assert.equal(grant({ user_id: 7 }).userId, '7');
    assert.equal(grant({ user_id: 0 }).userId, '0');
  });

  it('leaves a missing user_id and a missing username undefined', () => {
    for (const none of [undefined, null]) {
      assert.deepEqual(grant({ user_id: none, username: none }), { accessToken: 'a token', userId: undefined, username: undefined });
    }
  });

  it('is bad-service-response for a malformed username: it never counts as missing', () => {
    for (const username of ['', 'x'.repeat(256), 7, {}, ['a'], true]) {
      assert.throws(() => grant({ username }), { type: 'bad-service-response' }, JSON.stringify(username));
    }
    assert.throws(() => grantOf(respond('{"access_token":"t","user_id":"7","username":"a\\ud800"}'), CODE, SECRET_KEY), { type: 'bad-service-response' });
    assert.equal(grant({ username: 'x'.repeat(255) }).username?.length, 255);
  });

  it('is bad-service-response for a malformed user_id', () => {
    for (const userId of ['', 'x'.repeat(256), {}, true, 1.5, -1, [7]]) {
      assert.throws(() => grant({ user_id: userId }), { type: 'bad-service-response' }, JSON.stringify(userId));
    }
  });

  it('is bad-service-response if the user contains the secret key, the code or a token', () => {
    const token = { access_token: 'the-access-token-1', refresh_token: 'the-refresh-token-1' };
    for (const secret of [SECRET_KEY, CODE, ...Object.values(token)]) {
      for (const echo of [secret, `Sven ${secret}`, secret.toUpperCase(), Buffer.from(secret).toString('base64'), encodeURIComponent(encodeURIComponent(`/${secret}`))]) {
        assert.throws(() => grant({ ...token, username: echo }), { type: 'bad-service-response' }, echo);
        assert.throws(() => grant({ ...token, user_id: echo }), { type: 'bad-service-response' }, echo);
      }
    }
    assert.equal(grant({ ...token, username: 'The secret of Sven' }).username, 'The secret of Sven');
  });

  it('is bad-service-response without an access token that a header can hold', () => {
    for (const accessToken of ['', undefined, null, 1, {}, 'a"b', 'a\\b', 'a\nb', 'ü', 'x'.repeat(4097)]) {
      assert.throws(() => grant({ access_token: accessToken }), { type: 'bad-service-response' }, JSON.stringify(accessToken));
    }
    assert.equal(grant({ access_token: 'x'.repeat(4096) }).accessToken.length, 4096);
  });

  it('is no grant if the status is 4xx, although the members are those of a token', () => {
    for (const status of [400, 401, 403]) assert.throws(() => grant({}, status), { type: 'bad-service-response' });
  });

  it('names the fault of a response in the cause', () => {
    const causeOf = (response: ServiceResponse): unknown => {
      try {
        return grantOf(response, CODE, SECRET_KEY);
      } catch (error) {
        return ((error as Error).cause as Error).message;
      }
    };
    const token = { access_token: 't', user_id: '7' };
    for (const [response, fault] of [
      [respond({ ...token, access_token: '' }), 'has no valid access_token'],
      [respond({ ...token, user_id: {} }), 'has a malformed user_id'],
      [respond({ ...token, username: 5 }), 'has a malformed username'],
      [respond({ ...token, username: CODE }), 'has a secret in its user'],
      [respond(token, 400), 'has neither a token nor an error'],
    ] as const) assert.equal(causeOf(response), `The response of the token endpoint ${fault}.`);
  });

  it('is service-refused for an error, whatever the status', () => {
    for (const status of [200, 400, 401, 500]) {
      assert.throws(() => grantOf(respond({ error: 'invalid_grant', error_description: 'The code is too old' }, status), CODE, SECRET_KEY), {
        type: 'service-refused', detail: 'The comment service refused the request: The code is too old', cause: new TokenRefusedError(status, 'invalid_grant'),
      });
    }
    assert.equal(String(new TokenRefusedError(400, 'x')), 'TokenRefusedError: The token endpoint refused the code with status 400.');
    assert.throws(() => grant({ error: 'invalid_grant' }), { detail: /invalid_grant$/ });
    assert.throws(() => grant({ error: { a: 1 } }), { type: 'service-refused', detail: 'The comment service refused the request.' });
  });

  it('removes the code, the secret key and tokens from the message', () => {
    const description = 'the-one-time-code the-secret-key the-refresh-token another-token is spent';
    const members = { access_token: 'another-token', refresh_token: 'the-refresh-token', error: 'x', error_description: description };
    assert.throws(() => grant(members, 400), { detail: /: \[redacted\] \[redacted\] \[redacted\] \[redacted\] is spent$/ });
  });

  it('is service-unavailable only if the code was certainly not exchanged', () => {
    const retryAfter = { 'retry-after': '9' };
    for (const [response, type] of [
      [respond('', 429), 'service-unavailable'],
      [respond({ error: 'slow_down' }, 429), 'service-unavailable'],
      [respond('', 503, retryAfter), 'service-unavailable'],
      [respond({ error: 'temporarily_unavailable' }, 503), 'service-unavailable'],
      [respond('', 503), 'outcome-unknown'],
      [respond('<html>', 502), 'outcome-unknown'],
      [respond('', 500), 'outcome-unknown'],
    ] as const) assert.throws(() => grantOf(response, CODE, SECRET_KEY), { type }, `${response.status} ${String(response.body)}`);
  });

  it('is outcome-unknown for a 2xx that cannot be read', () => {
    for (const body of ['', '<html>', '{"access_token":', '{}x', '['.repeat(50) + ']'.repeat(50)]) {
      assert.throws(() => grantOf(respond(body), CODE, SECRET_KEY), { type: 'outcome-unknown' }, body);
    }
    assert.throws(() => grantOf({ ...respond(''), body: undefined }, CODE, SECRET_KEY), { type: 'outcome-unknown' });
  });

  it('is bad-service-response for a redirect, and for JSON that is no object', () => {
    for (const response of [respond('', 300), respond('', 302), ...[300, 307].map((status) => respond({ access_token: 't', user_id: '7' }, status)), respond('[]'), respond('1'), respond('null'), ...[400, 404].map((status) => respond('<html>', status))]) {
      assert.throws(() => grantOf(response, CODE, SECRET_KEY), { type: 'bad-service-response' });
    }
    assert.throws(() => grantOf(respond('{"__proto__":{"access_token":"t","user_id":"7"}}'), CODE, SECRET_KEY), { type: 'bad-service-response' });
  });
});
