import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { describe, it } from 'node:test';
import { createPost, obtainToken, request, signPost, startService, type PostOptions } from '../_client.ts';
import { paths } from '../paths.ts';

describe('POST /api/3.0/posts/create.json', () => {
  it('keeps the post of a reader whose token is good, byte for byte', async () => {
    await using service = await startService({ basePath: '/comments' });
    const message = "ünï ✓ 🦊 &=+%20 ~!*'()\n";
    const answer = await createPost(service, { accessToken: await obtainToken(service), params: [['forum', 'news'], ['message', message]] });
    assert.equal(answer.status, 200);
    assert.equal(answer.json['code'], 0);
    const { id, createdAt, ...rest } = answer.json['response'] as Record<string, unknown>;
    assert.deepEqual(rest, { forum: 'news', message, author: { user_id: '31007', username: 'Ada Quill' } });
    assert.ok(typeof createdAt === 'string' && typeof id === 'string');
    assert.deepEqual(service.posts.map((post) => [post.id, post.message, post.user_id]), [[id, message, '31007']]);
  });

  it('takes a nonce up to five minutes either side of its clock', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.clockOffsetMs = 298_000;
    assert.equal((await createPost(service, { accessToken })).status, 200);
    service.clockOffsetMs = -298_000;
    assert.equal((await createPost(service, { accessToken })).status, 200);
  });

  const refused: Record<string, { options: PostOptions; status: number; code: number; says: RegExp }> = {
    'a secret key that is not the publisher’s': { options: { key: 'another' }, status: 401, code: 5, says: /mac/ },
    'an id that is not known': { options: { id: 'another' }, status: 401, code: 5, says: /id/ },
    'another scheme': { options: { authorization: 'Bearer abc' }, status: 401, code: 5, says: /scheme/ },
    'a MAC over another path': { options: { signedPath: '/api/3.0/posts/remove.json' }, status: 401, code: 5, says: /mac/ },
    'a MAC over another method': { options: { signedMethod: 'GET' }, status: 401, code: 5, says: /mac/ },
    'a MAC over another host': { options: { host: 'example.com' }, status: 401, code: 5, says: /mac/ },
    'a MAC over another port': { options: { port: '80' }, status: 401, code: 5, says: /mac/ },
    'a body hash of another body': { options: { bodyHash: 'mJjuD2APcHlxveLX6hQWVHQr/o0=' }, status: 401, code: 5, says: /body-hash/ },
    'a body in another order': { options: { body: 'message=Hello&forum=news' }, status: 401, code: 5, says: /normalized/ },
    'a space that is encoded as +': { options: { params: [['forum', 'news'], ['message', 'a b']], body: 'forum=news&message=a+b' }, status: 401, code: 5, says: /normalized/ },
    'lower-case hex': { options: { params: [['forum', 'news'], ['message', 'é']], body: 'forum=news&message=%c3%a9' }, status: 401, code: 5, says: /normalized/ },
    'an unencoded exclamation mark': { options: { params: [['forum', 'news'], ['message', '!']], body: 'forum=news&message=!' }, status: 401, code: 5, says: /normalized/ },
    'bytes that are no UTF-8': { options: { body: 'forum=news&message=%FF' }, status: 400, code: 2, says: /UTF-8/ },
    'a broken escape': { options: { body: 'forum=news&message=%2' }, status: 400, code: 2, says: /escape/ },
    'a nonce without a timestamp': { options: { nonce: 'abc' }, status: 401, code: 5, says: /malformed/ },
    'a nonce whose token is longer than 32 characters': { options: { nonce: `${Date.now() / 1000}:${'a'.repeat(33)}` }, status: 401, code: 5, says: /malformed/ },
    'a nonce that is older than five minutes': { options: { get timestamp() { return String(Date.now() / 1000 - 302); } }, status: 401, code: 5, says: /expired/ },
    'a nonce that is more than five minutes ahead': { options: { get timestamp() { return String(Date.now() / 1000 + 305); } }, status: 401, code: 5, says: /expired/ },
    JSON: { options: { headers: { 'Content-Type': 'application/json' } }, status: 400, code: 2, says: /form/ },
    'no user': { options: { accessToken: undefined }, status: 401, code: 4, says: /user/ },
    'a token that was never issued': { options: { accessToken: 'made-up' }, status: 401, code: 18, says: /token/ },
    'a forum that is not the publisher’s': { options: { params: [['forum', 'other'], ['message', 'Hello']] }, status: 403, code: 12, says: /forum/ },
    'an empty message': { options: { params: [['forum', 'news'], ['message', ' ']] }, status: 400, code: 2, says: /message/ },
    'a missing message': { options: { params: [['forum', 'news']] }, status: 400, code: 2, says: /message is missing/ },
    'a parameter that is not of this request': { options: { params: [['forum', 'news'], ['message', 'Hello'], ['thread', '1']] }, status: 400, code: 2, says: /not of this request/ },
    'a parameter twice': { options: { params: [['forum', 'news'], ['forum', 'news'], ['message', 'Hello']] }, status: 400, code: 2, says: /twice/ },
    'parameters in the query': { options: { path: `${paths.posts}?forum=news` }, status: 400, code: 2, says: /body/ },
  };
  for (const [what, { options, status, code, says }] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      await using service = await startService();
      const answer = await createPost(service, { accessToken: await obtainToken(service), ...options });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json['code'], code);
      assert.match(String(answer.json['response']), says);
      assert.deepEqual(service.posts, []);
    });
  }

  it('refuses a nonce that was used before, and keeps one post', async () => {
    await using service = await startService();
    const options = { accessToken: await obtainToken(service), nonce: `${Date.now() / 1000}:once` };
    assert.equal((await createPost(service, options)).status, 200);
    const again = await createPost(service, options);
    assert.deepEqual([again.status, again.json], [401, { code: 5, response: 'nonce is used' }]);
    assert.equal(service.posts.length, 1);
  });

  it('does not let a forged request use up a nonce', async () => {
    await using service = await startService();
    const options = { accessToken: await obtainToken(service), nonce: `${Date.now() / 1000}:mine` };
    assert.equal((await createPost(service, { ...options, key: 'forged' })).status, 401);
    assert.equal((await createPost(service, options)).status, 200);
  });

  it('refuses GET', async () => {
    await using service = await startService();
    const answer = await request(service.url + paths.posts);
    assert.deepEqual([answer.status, answer.headers.get('Allow'), answer.json['code']], [405, 'POST', 7]);
  });

  it('refuses two Authorization headers', async () => {
    await using service = await startService();
    const { body, headers } = signPost(service, { accessToken: await obtainToken(service) });
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const authorization = headers['Authorization'] ?? '';
    httpRequest(service.url + paths.posts, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: [authorization, authorization] },
    }, (response) => resolve(response.resume().statusCode)).end(body);
    assert.equal(await promise, 401);
    assert.deepEqual(service.posts, []);
  });

  it('takes a token from its exchange on, still after success=1, and no longer after success=0', async () => {
    await using service = await startService();
    for (const [success, status] of [['1', 200], ['0', 401]] as const) {
      const accessToken = await obtainToken(service);
      assert.equal((await createPost(service, { accessToken })).status, 200);
      const query = new URLSearchParams({ client_id: service.publicKey, user_id: '31007', access_token: accessToken, success });
      await request(`${service.url}${paths.complete}?${query}`);
      assert.equal((await createPost(service, { accessToken })).status, status);
    }
  });

  it('refuses a revoked token', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.revokeTokensOf('31007');
    const answer = await createPost(service, { accessToken });
    assert.deepEqual([answer.status, answer.json['code']], [401, 18]);
  });
});
