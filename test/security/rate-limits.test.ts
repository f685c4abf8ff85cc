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

describe('the totals', () => {
  const addressOf = (i: number): string => `198.51.${100 + Math.floor(i / 250)}.${1 + (i % 250)}`;

  it('of lists keep a reserve for addresses that have read few: some others do not stop everybody', async () => {
    await using bff = await startBff({ rateLimits: { lists: 12 }, trustProxy: 'loopback', posts: { list: () => ({ posts: [] }) } });
    let count = 0;
    const read = (address: string) => {
      count += 1;
      return bff.browser().get(`/posts?forum=news&page=${bff.origin}/${count}`).set('X-Forwarded-For', address);
    };
    for (let i = 0; i < 10; i += 1) for (let n = 0; n < 12; n += 1) expectStatus(await read(addressOf(i)), 200);
    const honest = addressOf(99);
    for (let n = 0; n < 10; n += 1) {
      const served = await read(honest);
      expectStatus(served, 200);
      // A list is the same for every client.
      assert.equal(served.headers['ratelimit'] ?? served.headers['ratelimit-policy'], undefined);
    }
    const refused = await read(honest);
    expectStatus(refused, 429);
    assert.match(refused.headers['retry-after'] ?? '', /^[1-5]?\d$|^60$/);
    assert.match(refused.headers['ratelimit-policy'] ?? '', /^"lists"; q=120; w=60$/);
  });

  it('of sync are a hundred times the limit of an address, whose refused requests do not count', async () => {
    await using bff = await startBff({ rateLimits: { sync: 1 }, trustProxy: 'loopback' });
    const authorize = (address: string) => bff.browser().authorize('forum=news').set('X-Forwarded-For', address);
    for (let n = 0; n < 10; n += 1) expectStatus(await authorize(addressOf(0)), n === 0 ? 302 : 429);
    for (let i = 1; i < 100; i += 1) expectStatus(await authorize(addressOf(i)), 302);
    expectStatus(await authorize(addressOf(100)), 429);
  });
});
