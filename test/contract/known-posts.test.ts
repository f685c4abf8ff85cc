/** Promises of the contract about posts and lists that were broken once. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { startBff, type Bff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';

const KEY = 'idempotency-key-1';

const secrets = ['the first cookie secret of thirty-two bytes or more', 'the second cookie secret of thirty-two bytes or more'];

describe('an Idempotency-Key', () => {
  it('whose record a dropped cookie secret encrypted is not post-in-progress', async () => {
    const store = new FailingStore();
    for (const secret of secrets) {
      await using bff = await startBff({ cookieSecrets: [secret] }, { store });
      const reader = bff.browser();
      await reader.signIn();
      const res = await reader.createPost('Hello', { key: KEY });
      assert.doesNotMatch(res.text, /post-in-progress/);
    }
  });
});

describe('a sign-out', () => {
  it('while a post is uploaded wins: nothing is posted', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    const arrived = once(bff.server, 'request');
    const body = JSON.stringify({ forum: 'news', message: 'Hello' });
    const upload = request(`${bff.url}/posts`, {
      method: 'POST',
      headers: {
        Origin: bff.origin, Cookie: reader.cookies(), 'Content-Type': 'application/json', 'Content-Length': body.length, 'Idempotency-Key': KEY,
      },
    });
    const responded = once(upload, 'response') as Promise<[IncomingMessage]>;
    upload.write(body.slice(0, 5));
    await arrived;
    // Whatever the BFF does before the body is complete, it has done then.
    assert.equal(await reader.state(), 'signed-in');
    expectStatus(await reader.delete('/session'), 204);
    upload.end(body.slice(5));
    const [response] = await responded;
    response.resume();
    assert.deepEqual([response.statusCode, bff.service.posts.length], [401, 0]);
  });
});

const page = ({ origin }: Bff, name: string | number) => `/posts?forum=news&page=${encodeURIComponent(`${origin}/${name}`)}`;

describe('GET /posts', () => {
  const list = () => ({ posts: [], nextCursor: 'older' });

  it('is the same for every client: no header of one client reaches another', async () => {
    await using bff = await startBff({ posts: { list } });
    const reader = bff.browser();
    await reader.signIn();
    const [one, other] = [await bff.browser().get(page(bff, 1)), await reader.get(page(bff, 1)).set('Origin', bff.origin)].map(({ headers }) => (
      Object.entries(headers as Record<string, string>).filter(([name]) => !['date', 'age'].includes(name))));
    assert.deepEqual(one, other);
    assert.deepEqual(one?.filter(([name]) => /ratelimit|request-id|cookie/.test(name)), []);
  });

  it('calls the hook at most 60 times a minute for one address; lists that are cached are served on', async () => {
    let calls = 0;
    await using bff = await startBff({ posts: { list: () => { calls += 1; return { posts: [] }; } } });
    const statuses: number[] = [];
    for (let i = 0; i < 65; i += 1) statuses.push((await bff.browser().get(page(bff, i))).status);
    assert.deepEqual([calls, statuses.filter((status) => status === 429).length], [60, 5]);
    const { headers } = await bff.browser().get(page(bff, 100)).set('Origin', 'https://elsewhere.example');
    const rest = /^"lists"; r=0; t=(\d+)$/.exec(headers['ratelimit'] ?? '')?.[1];
    assert.match(headers['ratelimit-policy'] ?? '', /^"lists"; q=60; w=60; pk=/);
    assert.equal(headers['retry-after'], rest);
    assert.match(headers['access-control-expose-headers'] ?? '', /Retry-After, RateLimit, RateLimit-Policy/);
    expectStatus(await bff.browser().get(page(bff, 0)), 200);
    bff.passTime(20);
    expectStatus(await bff.browser().get(page(bff, 0)), 200);
  });

  it('refuses a cursor that this BFF did not issue, and takes the one that it did', async () => {
    await using bff = await startBff({ posts: { list } });
    const first = await bff.browser().get(page(bff, 1));
    const { next_cursor: cursor } = first.body as { next_cursor: string };
    expectStatus(await bff.browser().get(`${page(bff, 1)}&cursor=${encodeURIComponent(cursor)}`), 200);
    for (const invented of ['older', 'x', `${cursor}x`]) {
      if (invented !== cursor) expectProblem(await bff.browser().get(`${page(bff, 1)}&cursor=${encodeURIComponent(invented)}`), 'invalid-request');
    }
  });
});
