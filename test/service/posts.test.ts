import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, obtainToken, startService, type SignedCall } from './_client.ts';

describe('POST /api/3.0/posts/create.json', () => {
  it('keeps the post of a reader whose token is good, byte for byte', async () => {
    await using service = await startService({ basePath: '/comments' });
    const message = "ünï ✓ 🦊 &=+%20 ~!*'()\n";
    const answer = await createPost(service, { accessToken: await obtainToken(service), params: [['forum', 'news'], ['message', message]] });
    assert.equal(answer.status, 200, answer.text);
    const [{ id, createdAt, user_id } = {}] = service.posts;
    assert.deepEqual(answer.json, {
      code: 0, response: { id, forum: 'news', message, author: { user_id, username: 'Ada Quill' }, createdAt },
    });
  });

  const seconds = () => Date.now() / 1000;
  const news = ['forum', 'news'] as const;
  const refused: Record<string, SignedCall & { readonly status: number; readonly code: number; readonly says: RegExp }> = {
    'another secret key': { signed: { key: 'another' }, status: 401, code: 5, says: /mac/ },
    'another id': { attributes: { id: 'another' }, status: 401, code: 5, says: /id/ },
    'another scheme': { authorization: 'Bearer abc', status: 401, code: 5, says: /scheme/ },
    'a MAC over another path': { signed: { path: '/api/3.0/posts/remove.json' }, status: 401, code: 5, says: /mac/ },
    'a MAC over another host': { signed: { host: 'example.com' }, status: 401, code: 5, says: /mac/ },
    'a MAC over another port': { signed: { port: '80' }, status: 401, code: 5, says: /mac/ },
    'the body hash of another body': { attributes: { 'body-hash': 'mJjuD2APcHlxveLX6hQWVHQr/o0=' }, status: 401, code: 5, says: /body-hash/ },
    'a body in another order': { encoded: 'message=Hello&forum=news', status: 401, code: 5, says: /normalized/ },
    'a space that is encoded as +': { params: [news, ['message', 'a b']], encoded: 'forum=news&message=a+b', status: 401, code: 5, says: /normalized/ },
    'lower-case hex': { params: [news, ['message', 'é']], encoded: 'forum=news&message=%c3%a9', status: 401, code: 5, says: /normalized/ },
    'bytes that are not UTF-8': { encoded: 'forum=news&message=%FF', status: 400, code: 2, says: /UTF-8/ },
    'a nonce without a timestamp': { attributes: { nonce: 'abc' }, status: 401, code: 5, says: /malformed/ },
    'a nonce that is older than five minutes': { attributes: { nonce: `${seconds() - 302}:a` }, status: 401, code: 5, says: /expired/ },
    'a nonce that is more than five minutes ahead': { attributes: { nonce: `${seconds() + 3000}:a` }, status: 401, code: 5, says: /expired/ },
    JSON: { headers: { 'Content-Type': 'application/json' }, status: 400, code: 2, says: /form/ },
    'no user': { accessToken: undefined, status: 401, code: 4, says: /user/ },
    'a token that was never issued': { accessToken: 'made-up', status: 401, code: 18, says: /token/ },
    'another forum': { params: [['forum', 'other'], ['message', 'Hello']], status: 403, code: 12, says: /forum/ },
    'an empty message': { params: [news, ['message', ' ']], status: 400, code: 2, says: /message/ },
    'another parameter': { params: [news, ['message', 'Hello'], ['thread', '1']], status: 400, code: 2, says: /not of this request/ },
    'a parameter twice': { params: [news, news, ['message', 'Hello']], status: 400, code: 2, says: /twice/ },
  };
  for (const [what, { status, code, says, ...call }] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      await using service = await startService();
      const answer = await createPost(service, { accessToken: await obtainToken(service), ...call });
      assert.deepEqual([answer.status, answer.json['code']], [status, code], answer.text);
      assert.match(String(answer.json['response']), says);
      assert.deepEqual(service.posts, []);
    });
  }

  it('refuses a nonce that was used before; a forged request does not use one up', async () => {
    await using service = await startService();
    const call = { accessToken: await obtainToken(service), attributes: { nonce: `${seconds()}:once` } };
    assert.equal((await createPost(service, { ...call, signed: { key: 'forged' } })).status, 401);
    assert.equal((await createPost(service, call)).status, 200);
    assert.deepEqual((await createPost(service, call)).json, { code: 5, response: 'nonce is used' });
    assert.equal(service.posts.length, 1);
  });
});
