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
  it('counts an address, with and without the cookies of its attempts', async () => {
    await using bff = await startBff({ rateLimits });
    const collector = bff.browser();
    assert.equal(await exhaust(() => collector.authorize('forum=news')), rateLimits.sync);
    for (const pair of ['', ...collector.cookies().split('; ').slice(0, 3)]) {
      for (const cookie of [pair, pair.replace(/^[^=]*/, 'vestibule'), pair.replaceAll(/vestibule-attempt-[^.=]*/g, 'vestibule')]) {
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
