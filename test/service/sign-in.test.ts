import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, exchangeParams, get, post, REDIRECT_URI, startService, type Params } from './_client.ts';
import type { EmulatedService } from './index.ts';

const clientOf = (service: EmulatedService) => ({ client_id: service.publicKey, forum_id: 'news', redirect_uri: REDIRECT_URI });
const RESPONSE_TYPE = { response_type: 'audiencesync' };
const JORG = { reader: '31018', decision: 'accept' };

for (const [endpoint, own, otherForum] of [['authorize', RESPONSE_TYPE, `${REDIRECT_URI}&error=invalid_request`], ['entrance', {}, null]] as const) {
  describe(`the page "${endpoint}"`, () => {
    it('shows the readers under a strict policy, and returns an accepting one with the four parameters', async () => {
      await using service = await startService({ basePath: '/comments' });
      const params = { ...clientOf(service), ...own };
      const page = await get(service, endpoint, params);
      assert.match(page.text, /Ada Quill[^]*Jörg Ünterwald/);
      assert.match(page.headers.get('Content-Security-Policy') ?? '', /default-src 'none'.*form-action 'self' https:\/\/www\.example\.com$/);
      const { status, headers } = await post(service, endpoint, { ...params, ...JORG });
      assert.equal(status, 303);
      const { verify, code = '', ...rest } = Object.fromEntries(new URL(headers.get('Location') ?? '').searchParams);
      assert.equal(verify, '1');
      assert.deepEqual(rest, { username: 'Jörg Ünterwald', user_id: '31018', audiencesync_uri: `${service.url}/audiencesync/complete/` });
      assert.equal((await post(service, 'token', { ...exchangeParams(service), code })).json['user_id'], '31018');
    });

    it('returns a denying reader with an error, and one who granted access earlier with success=1', async () => {
      await using service = await startService();
      const decide = async (decision: string) =>
        (await post(service, endpoint, { ...clientOf(service), ...own, ...JORG, decision })).headers.get('Location');
      assert.equal(await decide('deny'), `${REDIRECT_URI}&error=access_denied`);
      service.alreadyGranted.add('31018');
      assert.equal(await decide('accept'), `${REDIRECT_URI}&success=1`);
    });

    it('shows every fault of the client, and reports an unknown forum', async () => {
      await using service = await startService();
      for (const bent of [
        { client_id: 'another' }, { redirect_uri: `${REDIRECT_URI}#` }, { redirect_uri: REDIRECT_URI.replace('?verify=1', '') }, { state: 'abc' },
        { reader: '1' }, { decision: 'perhaps' },
      ] as Params[]) {
        const { status, headers } = await post(service, endpoint, { ...clientOf(service), ...own, ...JORG, ...bent });
        assert.deepEqual([status, headers.get('Location')], [400, null], JSON.stringify(bent));
      }
      assert.equal((await get(service, endpoint, { ...clientOf(service), ...own, forum_id: 'other' })).headers.get('Location'), otherForum);
    });
  });
}

describe('POST /api/oauth/2.0/access_token/', () => {
  it('gives a token for a code once, and revokes it when the code comes again', async () => {
    await using service = await startService();
    const params = exchangeParams(service);
    const { access_token, ...rest } = (await post(service, 'token', params)).json;
    assert.deepEqual(rest, { user_id: '31007', username: 'Ada Quill', expires_in: 2_592_000, token_type: 'mac' });
    assert.equal((await createPost(service, { accessToken: String(access_token) })).status, 200);
    assert.equal((await post(service, 'token', params)).json['error'], 'invalid_grant');
    assert.equal((await createPost(service, { accessToken: String(access_token) })).json['code'], 18);
  });

  const refused: [Params, number, string][] = [
    [{ grant_type: 'authorization_code' }, 400, 'unsupported_grant_type'],
    [{ client_id: 'another' }, 401, 'invalid_client'],
    [{ client_secret: 'another' }, 401, 'invalid_client'],
    [{ redirect_uri: REDIRECT_URI.replace('?verify=1', '') }, 400, 'invalid_grant'],
    [{ code: 'made-up' }, 400, 'invalid_grant'],
    [{ scope: 'all' }, 400, 'invalid_request'],
  ];
  for (const [bent, status, error] of refused) {
    it(`refuses ${JSON.stringify(bent)}`, async () => {
      await using service = await startService();
      const answer = await post(service, 'token', { ...exchangeParams(service), ...bent });
      assert.deepEqual([answer.status, answer.json['error']], [status, error]);
    });
  }

  it('refuses a code that is older than ten minutes, and bodies that are not form-encoded', async () => {
    let elapsedMs = 0;
    await using service = await startService({ now: () => Date.now() + elapsedMs });
    const params = exchangeParams(service);
    assert.equal((await post(service, 'token', params, { 'Content-Type': 'application/json' })).json['error'], 'invalid_request');
    elapsedMs = 601_000;
    assert.equal((await post(service, 'token', params)).json['error'], 'invalid_grant');
  });
});
