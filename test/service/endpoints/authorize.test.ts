import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exchange, postForm, REDIRECT_URI, request, startService, type Answer } from '../_client.ts';
import type { EmulatedService } from '../emulated-service.ts';
import { paths } from '../paths.ts';

function authorizeParams(service: EmulatedService, bent: Record<string, string> = {}): Record<string, string> {
  return { client_id: service.publicKey, response_type: 'audiencesync', forum_id: 'news', redirect_uri: REDIRECT_URI, ...bent };
}

function ask(service: EmulatedService, bent?: Record<string, string>): Promise<Answer> {
  return request(`${service.url}${paths.authorize}?${new URLSearchParams(authorizeParams(service, bent))}`);
}

function decide(service: EmulatedService, decision: string, bent: Record<string, string> = {}): Promise<Answer> {
  return postForm(service.url + paths.authorize, { ...authorizeParams(service), reader: '31018', decision, ...bent });
}

describe('GET /api/oauth/2.0/authorize/', () => {
  it('shows the readers to choose from, under a strict policy', async () => {
    await using service = await startService();
    const answer = await ask(service);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /Ada Quill[^]*Jörg Ünterwald/);
    assert.match(answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'.*form-action 'self' https:\/\/www\.example\.com$/);
    assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
    assert.equal(answer.headers.get('Cross-Origin-Opener-Policy'), null);
  });

  it('sends Cross-Origin-Opener-Policy if configured', async () => {
    await using service = await startService({ openerPolicy: 'same-origin' });
    assert.equal((await ask(service)).headers.get('Cross-Origin-Opener-Policy'), 'same-origin');
  });

  it('returns an accepting reader with the four parameters beside the query of the redirect URI', async () => {
    await using service = await startService({ basePath: '/comments' });
    const answer = await decide(service, 'accept');
    assert.equal(answer.status, 303);
    const location = answer.headers.get('Location') ?? '';
    assert.ok(location.startsWith(`${REDIRECT_URI}&`));
    const params = Object.fromEntries(new URL(location).searchParams);
    assert.deepEqual(Object.keys(params), ['verify', 'code', 'username', 'user_id', 'audiencesync_uri']);
    assert.deepEqual([params['username'], params['user_id']], ['Jörg Ünterwald', '31018']);
    assert.equal(params['audiencesync_uri'], `${service.url}/audiencesync/complete/`);
    assert.equal((await exchange(service, { code: params['code'] ?? '' })).json['user_id'], '31018');
  });

  it('returns a denying reader with an error and no code', async () => {
    await using service = await startService();
    assert.equal((await decide(service, 'deny')).headers.get('Location'), `${REDIRECT_URI}&error=access_denied`);
  });

  it('returns a reader who granted access earlier with success=1 and no code', async () => {
    await using service = await startService();
    service.alreadyGranted.add('31018');
    assert.equal((await decide(service, 'accept')).headers.get('Location'), `${REDIRECT_URI}&success=1`);
  });

  it('shows a fault of client_id, of redirect_uri and of the shape, and redirects nowhere', async () => {
    await using service = await startService();
    for (const bent of [
      { client_id: 'another' },
      { redirect_uri: `${REDIRECT_URI}#` },
      { redirect_uri: REDIRECT_URI.replace('?verify=1', '') },
      { redirect_uri: '"><script>alert(1)</script>' },
      { state: 'abc' },
    ] as Record<string, string>[]) {
      const answer = await ask(service, bent);
      assert.deepEqual([answer.status, answer.headers.get('Location')], [400, null]);
      assert.doesNotMatch(answer.text, /alert\(1\)/);
    }
  });

  it('reports another response type and an unknown forum to the publisher', async () => {
    await using service = await startService();
    assert.equal((await ask(service, { response_type: 'code' })).headers.get('Location'), `${REDIRECT_URI}&error=unsupported_response_type`);
    assert.equal((await ask(service, { forum_id: 'other' })).headers.get('Location'), `${REDIRECT_URI}&error=invalid_request`);
    assert.equal((await decide(service, 'accept', { forum_id: 'other' })).headers.get('Location'), `${REDIRECT_URI}&error=invalid_request`);
  });

  it('refuses each parameter that is missing', async () => {
    await using service = await startService();
    for (const name of Object.keys(authorizeParams(service))) {
      const { [name]: _, ...rest } = authorizeParams(service);
      assert.equal((await request(`${service.url}${paths.authorize}?${new URLSearchParams(rest)}`)).status, 400, name);
    }
  });

  it('refuses a reader and a decision that are not among the choices, and other methods', async () => {
    await using service = await startService();
    assert.equal((await decide(service, 'accept', { reader: '1' })).status, 400);
    assert.equal((await decide(service, 'perhaps')).status, 400);
    assert.equal((await request(service.url + paths.authorize, { method: 'PUT' })).status, 405);
  });
});
