import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, exchange, exchangeParams, postForm, REDIRECT_URI, request, startService, type Exchange } from '../_client.ts';
import { paths } from '../paths.ts';

describe('POST /api/oauth/2.0/access_token/', () => {
  it('gives a token for a code, and says whose it is', async () => {
    await using service = await startService();
    const { code } = service.issueReturn({ redirectUri: REDIRECT_URI, user: { user_id: '7', username: 'Sven' } });
    const answer = await exchange(service, { code });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    const { access_token, ...rest } = answer.json;
    assert.match(String(access_token), /^[\da-f]{48}$/);
    assert.deepEqual(rest, { user_id: '7', username: 'Sven', expires_in: 2_592_000, token_type: 'mac' });
  });

  const refused: Record<string, { bent: Partial<Exchange>; status: number; error: string }> = {
    'another grant type': { bent: { grant_type: 'authorization_code' }, status: 400, error: 'unsupported_grant_type' },
    'another client': { bent: { client_id: 'another' }, status: 401, error: 'invalid_client' },
    'another secret': { bent: { client_secret: 'another' }, status: 401, error: 'invalid_client' },
    'a redirect URI without its own query': { bent: { redirect_uri: 'https://www.example.com/vestibule/sync/return' }, status: 400, error: 'invalid_grant' },
    'an unknown code': { bent: { code: 'made-up' }, status: 400, error: 'invalid_grant' },
  };
  for (const [what, { bent, status, error }] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      await using service = await startService();
      const answer = await exchange(service, bent);
      assert.deepEqual([answer.status, answer.json['error']], [status, error]);
      assert.equal(typeof answer.json['error_description'], 'string');
      assert.equal('access_token' in answer.json, false);
    });
  }

  it('gives one token for a code, and revokes it when the code comes again', async () => {
    await using service = await startService();
    const params = exchangeParams(service);
    const accessToken = String((await exchange(service, params)).json['access_token']);
    assert.equal((await createPost(service, { accessToken })).status, 200);
    assert.equal((await exchange(service, params)).json['error'], 'invalid_grant');
    assert.equal((await createPost(service, { accessToken })).json['code'], 18);
  });

  it('refuses a code that is older than its lifetime', async () => {
    let elapsedMs = 0;
    await using service = await startService({ codeLifetimeSeconds: 60, now: () => Date.now() + elapsedMs });
    const { code } = service.issueReturn({ redirectUri: REDIRECT_URI });
    elapsedMs = 61_000;
    assert.equal((await exchange(service, { code })).json['error'], 'invalid_grant');
  });

  it('refuses each parameter that is missing', async () => {
    await using service = await startService();
    for (const name of Object.keys(exchangeParams(service))) {
      const { [name]: _, ...rest } = { ...exchangeParams(service) } as Record<string, string>;
      const answer = await postForm(service.url + paths.token, rest);
      assert.deepEqual(answer.json, { error: 'invalid_request', error_description: `${name} is missing` });
    }
  });

  it('refuses a parameter twice, one that is not of this request, and one in the query', async () => {
    await using service = await startService();
    const honest = Object.entries(exchangeParams(service)) as [string, string][];
    for (const [url, params] of [
      [paths.token, [...honest, ['code', 'b']]],
      [paths.token, [...honest, ['scope', 'all']]],
      [`${paths.token}?code=b`, honest],
    ] as [string, [string, string][]][]) {
      const answer = await postForm(service.url + url, params);
      assert.deepEqual([answer.status, answer.json['error']], [400, 'invalid_request']);
    }
  });

  it('takes form-encoded bodies only', async () => {
    await using service = await startService();
    for (const headers of [{ 'Content-Type': 'application/json' }, { 'Content-Type': 'text/plain' }, { 'Content-Encoding': 'gzip' }]) {
      const answer = await postForm(service.url + paths.token, { ...exchangeParams(service) }, headers as Record<string, string>);
      assert.deepEqual([answer.status, answer.json['error']], [400, 'invalid_request']);
    }
  });

  it('refuses GET', async () => {
    await using service = await startService();
    const answer = await request(service.url + paths.token);
    assert.deepEqual([answer.status, answer.headers.get('Allow')], [405, 'POST']);
  });
});
