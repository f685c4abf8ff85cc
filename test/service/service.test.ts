/** The emulated service refuses what the interface does not allow: without that, the other tests would prove little. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paths } from './http.ts';
import { expectedMac, startEmulatedService, type EmulatedService } from './index.ts';
import type { SignedRequest } from './signature.ts';

const redirectUri = 'https://www.example.com/vestibule/sync/return?verify=1';

const startService = () => startEmulatedService({ redirectUris: [redirectUri], basePath: '/comments' });

async function send(service: EmulatedService, endpoint: 'token' | 'posts', body: string, headers = {}) {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await fetch(service.url + paths[endpoint], { method: 'POST', body, headers: { ...type, ...headers } });
  return { status: response.status, json: await response.json() as Record<string, unknown> };
}

function exchange(service: EmulatedService, bent = {}) {
  const { publicKey: client_id, secretKey: client_secret } = service;
  const { code } = service.issueReturn({ redirectUri });
  const params = { grant_type: 'audiencesync', client_id, client_secret, redirect_uri: redirectUri, code, ...bent };
  return send(service, 'token', new URLSearchParams(params).toString());
}

describe('POST /api/oauth/2.0/access_token/', () => {
  it('gives a token for a code once, and nothing for another client, redirect URI or code', async () => {
    await using service = await startService();
    const { code } = service.issueReturn({ redirectUri });
    const { json: { access_token: _, ...rest } } = await exchange(service, { code });
    assert.deepEqual(rest, { user_id: '31007', username: 'Ada Quill', expires_in: 2_592_000, token_type: 'mac' });
    for (const [bent, error] of [
      [{ code }, 'invalid_grant'], [{ client_id: 'x' }, 'invalid_client'], [{ client_secret: 'x' }, 'invalid_client'],
      [{ redirect_uri: redirectUri.replace('?verify=1', '') }, 'invalid_grant'], [{ code: 'x' }, 'invalid_grant'], [{ scope: 'x' }, 'invalid_request'],
    ] as const) assert.equal((await exchange(service, bent)).json['error'], error, JSON.stringify(bent));
  });
});

describe('POST /api/3.0/posts/create.json', () => {
  it('takes a post whose signature is right, once', async () => {
    await using service = await startService();
    const accessToken = String((await exchange(service)).json['access_token']);
    const { hostname: host, port, pathname: path } = new URL(service.url + paths.posts);
    const post = (bent: Partial<SignedRequest>, token = accessToken, encoded?: string) => {
      const nonce = `${Date.now() / 1000}:${crypto.randomUUID().slice(4)}`;
      const params = [['forum', 'news'], ['message', 'ünï &=+%20']] as const;
      const request: SignedRequest = { method: 'POST', path, host, port, nonce, key: service.secretKey, params, ...bent };
      const { normalized, bodyHash, mac } = expectedMac(request);
      const attributes = { id: service.publicKey, nonce: request.nonce, 'body-hash': bodyHash, mac, access_token: token };
      const authorization = `MAC ${Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(', ')}`;
      return send(service, 'posts', encoded ?? normalized, { Authorization: authorization });
    };
    const old = `${Date.now() / 1000 - 302}:a`;
    for (const [bent, code, token, encoded] of [
      [{ key: 'x' }, 5], [{ path: '/x' }, 5], [{ host: 'x' }, 5], [{ port: '80' }, 5], [{ nonce: old }, 5], [{ nonce: 'x' }, 5],
      [{}, 18, 'made-up'], [{}, 5, accessToken, 'message=x&forum=news'], [{ params: [['forum', 'other'], ['message', 'x']] }, 12],
    ] as const) assert.equal((await post(bent, token, encoded)).json['code'], code, JSON.stringify(bent));
    const once = { nonce: `${Date.now() / 1000}:once` };
    assert.equal((await post(once)).status, 200);
    assert.deepEqual((await post(once)).json, { code: 5, response: 'nonce is used' });
    assert.deepEqual(service.posts.map(({ message }) => message), ['ünï &=+%20']);
  });
});
