import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exchange, obtainToken, REDIRECT_URI, request, startService, type Answer } from '../_client.ts';
import type { EmulatedService } from '../emulated-service.ts';
import { paths } from '../paths.ts';

async function completionParams(service: EmulatedService, bent: Record<string, string> = {}): Promise<Record<string, string>> {
  return { client_id: service.publicKey, user_id: '31007', access_token: await obtainToken(service), success: '1', ...bent };
}

function complete(service: EmulatedService, params: Record<string, string> | [string, string][]): Promise<Answer> {
  return request(`${service.url}${paths.complete}?${new URLSearchParams(params)}`);
}

describe('GET /audiencesync/complete/', () => {
  it('welcomes the reader at success=1', async () => {
    await using service = await startService({ completionReturnUrl: 'https://www.example.com/article?a=1&b=2' });
    const params = await completionParams(service);
    const answer = await complete(service, params);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /You’re in, Ada Quill/);
    assert.match(answer.text, /href="https:\/\/www\.example\.com\/article\?a=1&#38;b=2"/);
    assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    assert.doesNotMatch(answer.text, new RegExp(params['access_token'] ?? ''));
    assert.deepEqual(service.completions.map(({ user_id, success }) => [user_id, success]), [['31007', '1']]);
  });

  it('shows the rejection at success=0', async () => {
    await using service = await startService();
    const answer = await complete(service, await completionParams(service, { success: '0' }));
    assert.match(answer.text, /You were not signed in/);
    assert.deepEqual(service.completions.map(({ success }) => success), ['0']);
  });

  it('shows the page again on a reload, and refuses the other outcome', async () => {
    await using service = await startService();
    const params = await completionParams(service);
    for (let visit = 0; visit < 2; visit += 1) assert.equal((await complete(service, params)).status, 200);
    assert.equal((await complete(service, { ...params, success: '0' })).status, 400);
  });

  it('escapes the reader’s name', async () => {
    await using service = await startService();
    const user = { user_id: '9', username: '<b>"Bo\'' };
    const { code } = service.issueReturn({ redirectUri: REDIRECT_URI, user });
    const access_token = String((await exchange(service, { code })).json['access_token']);
    const answer = await complete(service, { client_id: service.publicKey, user_id: '9', access_token, success: '1' });
    assert.match(answer.text, /&#60;b&#62;&#34;Bo&#39;/);
    assert.doesNotMatch(answer.text, /<b>/);
  });

  it('wants the query that audiencesync_uri carries, once', async () => {
    await using service = await startService({ completionQuery: 'flow=7' });
    assert.ok(service.issueReturn({ redirectUri: REDIRECT_URI }).audiencesync_uri.endsWith('/audiencesync/complete/?flow=7'));
    const params = await completionParams(service);
    assert.equal((await complete(service, params)).status, 400);
    assert.equal((await complete(service, { flow: '8', ...params })).status, 400);
    assert.equal((await complete(service, [['flow', '7'], ['flow', '7'], ...Object.entries(params)])).status, 400);
    assert.equal((await complete(service, { flow: '7', ...params })).status, 200);
  });

  const bents: Record<string, string>[] = [
    { client_id: 'another' }, { user_id: '31018' }, { access_token: 'made-up' }, { success: 'true' }, { success: '' }, { extra: '1' },
  ];
  for (const bent of bents) {
    it(`refuses ${JSON.stringify(bent)}`, async () => {
      await using service = await startService();
      assert.equal((await complete(service, await completionParams(service, bent))).status, 400);
      assert.deepEqual(service.completions, []);
    });
  }

  it('refuses each parameter that is missing, and each that comes twice', async () => {
    await using service = await startService();
    const params = await completionParams(service);
    for (const name of Object.keys(params)) {
      const { [name]: value = '', ...rest } = params;
      assert.equal((await complete(service, rest)).status, 400, name);
      assert.equal((await complete(service, [...Object.entries(params), [name, value]])).status, 400, name);
    }
    assert.deepEqual(service.completions, []);
  });

  it('refuses a revoked token and another method', async () => {
    await using service = await startService();
    const params = await completionParams(service);
    assert.equal((await request(`${service.url}${paths.complete}?${new URLSearchParams(params)}`, { method: 'POST' })).status, 405);
    service.revokeTokensOf('31007');
    assert.equal((await complete(service, params)).status, 400);
  });
});
