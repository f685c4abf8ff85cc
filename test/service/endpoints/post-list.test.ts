import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, listPosts, obtainToken, request, startService } from '../_client.ts';
import type { EmulatedService } from '../emulated-service.ts';
import { paths } from '../paths.ts';

async function serviceWithPosts(count: number, thread = 'a'): Promise<EmulatedService> {
  const service = await startService({ threads: true, basePath: '/comments' });
  const accessToken = await obtainToken(service);
  for (let i = 1; i <= count; i += 1) {
    await createPost(service, { accessToken, params: [['forum', 'news'], ['message', `post ${i}`], ['thread', thread]] });
  }
  return service;
}

interface Listed {
  readonly cursor: { readonly hasNext: boolean; readonly next: string };
  readonly response: readonly { readonly id: string; readonly message: string }[];
}

describe('GET /api/3.0/posts/list.json', () => {
  it('does not exist by default', async () => {
    await using service = await startService();
    assert.equal((await listPosts(service, 'forum=news&thread=a')).status, 404);
  });

  it('lists the posts of one thread, the newest first', async () => {
    await using service = await serviceWithPosts(2);
    const accessToken = await obtainToken(service);
    await createPost(service, { accessToken, params: [['forum', 'news'], ['message', 'elsewhere'], ['thread', 'b']] });
    await createPost(service, { accessToken, params: [['forum', 'news'], ['message', 'without']] });
    const { json } = await listPosts(service, 'forum=news&thread=a');
    const { response: posts } = json as unknown as Listed;
    const [newest] = service.posts.filter(({ message }) => message === 'post 2');
    assert.deepEqual(posts.map(({ message }) => message), ['post 2', 'post 1']);
    assert.deepEqual(posts[0], {
      id: newest?.id, forum: 'news', thread: 'a', message: 'post 2', author: { user_id: '31007', username: 'Ada Quill' }, createdAt: newest?.createdAt,
    });
  });

  it('goes on after a cursor, to the end', async () => {
    await using service = await serviceWithPosts(5);
    const seen: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = `${cursor && `cursor=${cursor}&`}forum=news&limit=2&thread=a`;
      const listed = (await listPosts(service, query)).json as unknown as Listed;
      seen.push(listed.response.map(({ message }) => message));
      cursor = listed.cursor.hasNext ? listed.cursor.next : undefined;
    }
    assert.deepEqual(seen, [['post 5', 'post 4'], ['post 3', 'post 2'], ['post 1']]);
  });

  const refused = {
    'a query that is not the signed one': { query: 'forum=news&thread=b', signedQuery: 'forum=news&thread=a', status: 401, says: /mac/ },
    'a query in another order': { query: 'thread=a&forum=news', status: 401, says: /normalized/ },
    'a body hash': { query: 'forum=news&thread=a', bodyHash: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=', status: 401, says: /body-hash/ },
    'a forum that is not the publisher’s': { query: 'forum=other&thread=a', status: 403, says: /forum/ },
    'a missing thread': { query: 'forum=news', status: 400, says: /thread is missing/ },
    'a cursor that is not known': { query: 'cursor=1&forum=news&thread=a', status: 400, says: /cursor/ },
    'a limit above 100': { query: 'forum=news&limit=101&thread=a', status: 400, says: /limit/ },
    'another parameter': { query: 'forum=news&order=asc&thread=a', status: 400, says: /not of this request/ },
  };
  for (const [what, { query, status, says, ...options }] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      await using service = await serviceWithPosts(0);
      const answer = await listPosts(service, query, options);
      assert.equal(answer.status, status, answer.text);
      assert.match(String(answer.json['response']), says);
    });
  }

  it('refuses a request without a signature, and another method', async () => {
    await using service = await serviceWithPosts(0);
    assert.equal((await request(`${service.url}${paths.postList}?forum=news&thread=a`)).status, 401);
    const post = await request(service.url + paths.postList, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('Allow')], [405, 'GET']);
  });
});
