/** Rate limits count users and addresses: no cookie, live, dead or forged, starts a new count. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startWorld, type Browser, type World } from './_world.ts';

const rateLimits = { posts: 3, sync: 8, other: 12 };

async function exhaust(count: number, ask: () => Promise<{ status: number }>): Promise<void> {
  for (let i = 0; i < count; i += 1) assert.notEqual((await ask()).status, 429);
  assert.equal((await ask()).status, 429);
}

function browserWith(world: World, cookies: Iterable<readonly [string, string]>): Browser {
  const browser = world.browser();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

describe('the limit of sync', () => {
  it('security review 3: counts an address, with and without the cookies of its attempts', async () => {
    await using world = await startWorld({ rateLimits });
    const collector = world.browser();
    await exhaust(rateLimits.sync, () => collector.ask('/sync/authorize?forum=news', { headers: { 'sec-fetch-site': 'same-origin' } }));
    assert.ok(collector.cookies.size > 0);
    for (const [name, value] of [...collector.cookies].slice(0, 3)) {
      for (const cookies of [[[name, value]], [['vestibule', value]], [['vestibule', value.replaceAll(name, 'vestibule')]]] as [string, string][][]) {
        assert.equal((await browserWith(world, cookies).ask('/sync/authorize?forum=news')).status, 429);
        assert.equal((await browserWith(world, cookies).start()).status, 429);
      }
    }
    assert.equal((await world.browser().start()).status, 429);
  });
});

describe('the limits of posts and other', () => {
  it('count the address of a dead or forged session', async () => {
    await using world = await startWorld({ rateLimits });
    const reader = world.browser();
    await reader.signIn();
    const dead = [...reader.cookies];
    await reader.ask('/session', { method: 'DELETE' });
    const [, value = ''] = dead.find(([name]) => name === 'vestibule') ?? [];
    await exhaust(rateLimits.posts, () => world.browser().post());
    for (const cookies of [dead, [['vestibule', `${value}x`]], [['vestibule', 's:vestibule.invented.signature']], [['vestibule', 'x']]] as [string, string][][]) {
      assert.equal((await browserWith(world, cookies).post()).status, 429);
    }
  });

  it('count a user across sessions, apart from the address', async () => {
    await using world = await startWorld({ rateLimits });
    const [one, other] = [world.browser(), world.browser()];
    const reader = world.service.readers[0];
    await one.signIn(reader);
    await other.signIn(reader);
    await exhaust(rateLimits.posts, () => one.post());
    assert.equal((await other.post()).status, 429);
    const second = world.browser();
    await second.signIn(world.service.readers[1]);
    assert.equal((await second.post()).status, 201);
  });

  it('count a signed-in user apart from the address', async () => {
    await using world = await startWorld({ rateLimits });
    const reader = world.browser();
    await reader.signIn();
    let status = 0;
    while (status !== 429) ({ status } = await world.browser().ask('/session'));
    assert.equal((await reader.ask('/session')).status, 200);
  });
});
