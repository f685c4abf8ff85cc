import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exchange, postForm, REDIRECT_URI, request, startService } from '../_client.ts';
import type { EmulatedService } from '../emulated-service.ts';
import { paths } from '../paths.ts';

function entranceParams(service: EmulatedService, bent: Record<string, string> = {}): Record<string, string> {
  return { client_id: service.publicKey, forum_id: 'news', redirect_uri: REDIRECT_URI, ...bent };
}

describe('GET /embedded/entrance', () => {
  it('signs a reader in and goes to the redirect URI with the four parameters, whichever way it is shown', async () => {
    await using service = await startService();
    for (const display of [{}, { display: 'popup' }, { display: 'page' }] as Record<string, string>[]) {
      const params = entranceParams(service, display);
      const page = await request(`${service.url}${paths.entrance}?${new URLSearchParams(params)}`);
      assert.equal(page.status, 200);
      assert.match(page.text, /Ada Quill/);
      const answer = await postForm(service.url + paths.entrance, { ...params, reader: '31007', decision: 'accept' });
      assert.equal(answer.status, 303);
      const returned = new URL(answer.headers.get('Location') ?? '').searchParams;
      assert.deepEqual([...returned.keys()], ['verify', 'code', 'username', 'user_id', 'audiencesync_uri']);
      assert.equal((await exchange(service, { code: returned.get('code') ?? '' })).status, 200);
    }
  });

  it('returns a reader who cancels with an error', async () => {
    await using service = await startService();
    const answer = await postForm(service.url + paths.entrance, { ...entranceParams(service), reader: '31007', decision: 'deny' });
    assert.equal(answer.headers.get('Location'), `${REDIRECT_URI}&error=access_denied`);
  });

  it('shows every fault and redirects nowhere', async () => {
    await using service = await startService();
    for (const bent of [
      { client_id: 'another' },
      { forum_id: 'other' },
      { redirect_uri: 'https://evil.example/' },
      { display: 'frame' },
      { response_type: 'audiencesync' },
    ] as Record<string, string>[]) {
      const params = entranceParams(service, bent);
      const answer = await postForm(service.url + paths.entrance, { ...params, reader: '31007', decision: 'accept' });
      assert.deepEqual([answer.status, answer.headers.get('Location')], [400, null]);
    }
    const noReader = await postForm(service.url + paths.entrance, { ...entranceParams(service), decision: 'accept' });
    assert.equal(noReader.status, 400);
  });
});
