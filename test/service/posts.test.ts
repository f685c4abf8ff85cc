import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, exchangeParams, get, listPosts, obtainToken, post, sign, startService, type Params, type SignedCall } from './_client.ts';
import { realWorldShapes, type EmulatedService } from './index.ts';

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

  it('refuses two Authorization headers, and GET', async () => {
    await using service = await startService();
    const { encoded, headers: { Authorization: one = '' } } = sign(service, 'posts', { accessToken: await obtainToken(service) });
    assert.equal((await post(service, 'posts', encoded, { Authorization: `${one}, ${one}` })).status, 401);
    const { status, headers, json } = await get(service, 'posts', {});
    assert.deepEqual([status, headers.get('Allow'), json['code']], [405, 'POST', 7]);
  });

  it('takes a token still after success=1, and not after success=0 or its revocation', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    for (const [success, status] of [['1', 200], ['0', 401]] as const) {
      const access_token = await obtainToken(service);
      await get(service, 'complete', { client_id: service.publicKey, user_id: '31007', access_token, success });
      assert.equal((await createPost(service, { accessToken: access_token })).status, status);
    }
    service.revokeTokensOf('31007');
    assert.equal((await createPost(service, { accessToken })).json['code'], 18);
  });
});

describe('GET /api/3.0/posts/list.json', () => {
  async function startWithPosts(count: number): Promise<EmulatedService> {
    const service = await startService({ threads: true });
    const accessToken = await obtainToken(service);
    for (let i = 1; i <= count; i += 1) {
      await createPost(service, { accessToken, params: [['forum', 'news'], ['message', `post ${i}`], ['thread', i === 3 ? 'b' : 'a']] });
    }
    return service;
  }

  it('does not exist by default', async () => {
    await using service = await startService();
    assert.equal((await listPosts(service, { forum: 'news', thread: 'a' })).status, 404);
  });

  it('lists the posts of one thread, the newest first, page by page', async () => {
    await using service = await startWithPosts(4);
    const first = (await listPosts(service, { forum: 'news', limit: '2', thread: 'a' })).json;
    const [newest] = first['response'] as [Record<string, unknown>];
    const [id, createdAt] = [service.posts[3]?.id, service.posts[3]?.createdAt];
    assert.deepEqual(newest, { id, forum: 'news', thread: 'a', message: 'post 4', author: { user_id: '31007', username: 'Ada Quill' }, createdAt });
    const cursor = service.posts[1]?.id ?? '';
    assert.deepEqual(first['cursor'], { hasNext: true, next: cursor });
    const rest = (await listPosts(service, { cursor, forum: 'news', limit: '2', thread: 'a' })).json;
    assert.deepEqual((rest['response'] as { message: string }[]).map(({ message }) => message), ['post 1']);
    assert.deepEqual((rest['cursor'] as { hasNext: boolean }).hasNext, false);
  });

  it('has a post that readers do not see only in the shape that says so', async () => {
    for (const [shapes, listed] of [[[], []], [['moderation-flags'], [['post 1', false, true, false]]]] as const) {
      await using service = await startService({ threads: true, realWorldShapes: shapes });
      const accessToken = await obtainToken(service);
      await createPost(service, { accessToken, params: [['forum', 'news'], ['message', 'post 1'], ['thread', 'a']] });
      for (const post of service.posts) post.state = 'spam';
      const posts = (await listPosts(service, { forum: 'news', thread: 'a' })).json['response'] as Record<string, unknown>[];
      assert.deepEqual(posts.map((post) => [post['message'], post['isDeleted'], post['isSpam'], !post['isApproved']]), listed);
    }
  });

  it('refuses a query that is not the signed one or not normalized, a body hash, and a cursor that is not known', async () => {
    await using service = await startWithPosts(0);
    const refused: [Params, SignedCall, number, RegExp][] = [
      [{ forum: 'news', thread: 'a' }, { encoded: 'forum=news&thread=b' }, 401, /mac/],
      [{ forum: 'news', thread: 'a' }, { encoded: 'thread=a&forum=news' }, 401, /normalized/],
      [{ forum: 'news', thread: 'a' }, { attributes: { 'body-hash': '2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }, 401, /body-hash/],
      [{ cursor: '1', forum: 'news', thread: 'a' }, {}, 400, /cursor/],
    ];
    for (const [params, call, status, says] of refused) {
      const answer = await listPosts(service, params, call);
      assert.equal(answer.status, status, answer.text);
      assert.match(String(answer.json['response']), says);
    }
  });
});

it('realWorldShapes changes the token response and the posts', async () => {
  await using service = await startService({ threads: true, realWorldShapes });
  const { json: token } = await post(service, 'token', exchangeParams(service));
  assert.deepEqual(Object.keys(token), ['access_token']);
  const thread = 'https://www.example.com/a';
  const params = [['forum', 'news'], ['message', 'a < b\nc'], ['thread', thread]] as const;
  const created = await createPost(service, { accessToken: String(token['access_token']), params });
  const { createdAt, ...rest } = created.json['response'] as Record<string, unknown>;
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  assert.deepEqual(rest, {
    id: Number.MAX_SAFE_INTEGER, forum: 'news', thread: '9000000001', message: '<p>a &#60; b<br>c</p>', raw_message: 'a < b\nc',
    author: { name: 'Ada Quill' }, isApproved: true, isSpam: false, isDeleted: false,
  });
  assert.deepEqual((await listPosts(service, { forum: 'news', thread })).json['response'], [{ ...rest, createdAt }]);
});
