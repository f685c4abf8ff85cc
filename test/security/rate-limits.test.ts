/** Rate limits count users and addresses: no cookie, live, dead or forged, starts a new count. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Test } from 'supertest';
import { startBff } from '../lib/bff.ts';
import { expectStatus } from '../lib/reader.ts';

const rateLimits = { posts: 3, sync: 8, other: 12 };

/** Sends requests one by one until one is refused. @returns how many were not */
async function exhaust(send: () => Test): Promise<number> {
  for (let count = 0; ; count += 1) if ((await send()).status === 429) return count;
}

describe('the limit of sync', () => {
  it('counts an address, with and without the cookie of its attempt', async () => {
    await using bff = await startBff({ rateLimits });
    const collector = bff.browser();
    assert.equal(await exhaust(() => collector.authorize('forum=news')), rateLimits.sync);
    for (const pair of ['', ...collector.cookies().split('; ').slice(0, 3)]) {
      for (const cookie of [pair, pair.replace(/^[^=]*/, 'vestibule'), pair.replaceAll('vestibule-attempt', 'vestibule')]) {
        expectStatus(await bff.browser().authorize('forum=news').set('Cookie', cookie), 429);
        expectStatus(await bff.browser().start().set('Cookie', cookie), 429);
      }
    }
  });
});

describe('the limit of posts', () => {
  it('counts a user across sessions, apart from other users', async () => {
    await using bff = await startBff({ rateLimits });
    const [one, other, second] = [bff.browser(), bff.browser(), bff.browser()];
    await one.signIn();
    await other.signIn();
    assert.equal(await exhaust(() => one.createPost('Hello')), rateLimits.posts);
    expectStatus(await other.createPost('Hello'), 429);
    await second.signIn(bff.service.readers[1]);
    expectStatus(await second.createPost('Hello'), 201);
  });
});

describe('the limit of other requests', () => {
  it('counts each session of a user apart', async () => {
    await using bff = await startBff({ rateLimits });
    const [one, other] = [bff.browser(), bff.browser()];
    await one.signIn();
    await other.signIn();
    await exhaust(() => one.get('/session'));
    expectStatus(await other.get('/session'), 200);
  });

  it('counts a signed-in reader apart from the address, and forged cookies with the address', async () => {
    await using bff = await startBff({ rateLimits });
    const reader = bff.browser();
    await reader.signIn();
    assert.ok(await exhaust(() => bff.browser().get('/session')) <= rateLimits.other);
    expectStatus(await reader.get('/session'), 200);
    for (const value of [`${reader.cookie('vestibule')}x`, 's:vestibule.invented.signature', 'x']) {
      expectStatus(await bff.browser().get('/session').set('Cookie', `vestibule=${value}`), 429);
    }
  });
});

describe('a limit', () => {
  /** A network of its own each: 256 of them are one line of a provider. */
  const networkOf = (i: number): string => `2001:db8:0:${(256 + i).toString(16)}::1`;

  it('is of one network: 128 networks that use up theirs stop nobody else\'s sign-in and reads', async () => {
    await using bff = await startBff({
      rateLimits: { sync: 1, lists: 1 }, trustProxy: 'loopback', posts: { list: () => ({ posts: [] }), count: ({ pages }) => pages.map(() => 0) },
    });
    let count = 0;
    const send = (path: string, address: string) => bff.browser().get(path).set('X-Forwarded-For', address);
    const list = (address: string) => send(`/posts?forum=news&page=${bff.origin}/${count += 1}`, address);
    for (let i = 0; i < 128; i += 1) {
      expectStatus(await send('/sync/authorize?forum=news', networkOf(i)), 302);
      expectStatus(await send('/sync/authorize?forum=news', networkOf(i)), 429);
      expectStatus(await list(networkOf(i)), 200);
      expectStatus(await list(networkOf(i)), 429);
    }
    expectStatus(await send('/sync/authorize?forum=news', networkOf(200)), 302);
    expectStatus(await list(networkOf(200)), 200);
  });
});

describe('the limit of lists', () => {
  it('counts lists, conversations and requests of counts together, and is named in refusals only: what is read is the same for every client', async () => {
    await using bff = await startBff({
      rateLimits: { lists: 3 },
      posts: { list: () => ({ posts: [] }), conversation: () => ({ posts: [] }), count: ({ pages }) => pages.map(() => 0) },
    });
    const page = (name: number) => `page=${bff.origin}/${name}`;
    const paths = [`/posts?forum=news&${page(1)}`, `/posts/1/conversation?forum=news&${page(1)}`, `/posts/counts?forum=news&${page(1)}&${page(2)}`];
    for (const path of [...paths, ...paths]) {
      const { status, headers } = await bff.browser().get(path);
      assert.deepEqual([status, headers['ratelimit'], headers['ratelimit-policy']], [200, undefined, undefined], path);
    }
    for (const path of [`/posts?forum=news&${page(3)}`, `/posts/2/conversation?forum=news&${page(1)}`, `/posts/counts?forum=news&${page(1)}&${page(3)}`]) {
      const refused = await bff.browser().get(path);
      expectStatus(refused, 429);
      assert.match(refused.headers['retry-after'] ?? '', /^[1-5]?\d$|^60$/);
      assert.match(refused.headers['ratelimit-policy'] ?? '', /^"lists"; q=3; w=60/);
    }
  });
});
