/** The service's clock, or its `Date` header, differs from this machine's clock. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf, startWorld, type World } from '../security/_world.ts';

const HOUR_MS = 3_600_000;

function requestsTo(world: World, endpoint: string): number {
  return world.service.requests.filter((request) => request.endpoint === endpoint).length;
}

describe('a service clock', () => {
  for (const offsetMs of [4_000_000, -4_000_000]) {
    it(`that is ${offsetMs / 1000} s off costs one refused post, which is repeated`, async () => {
      await using world = await startWorld();
      world.service.clockOffsetMs = offsetMs;
      const reader = world.browser();
      await reader.signIn();
      for (let i = 0; i < 3; i += 1) assert.equal((await reader.post('Hello')).status, 201);
      assert.equal(requestsTo(world, 'posts'), 2 + 1 + 1);
      assert.equal(world.service.posts.length, 3);
    });

    it(`that is set ${offsetMs / 1000} s off costs one refused post, which is repeated`, async () => {
      await using world = await startWorld();
      const reader = world.browser();
      await reader.signIn();
      assert.equal((await reader.post('before')).status, 201);
      world.service.clockOffsetMs = offsetMs;
      for (const message of ['first', 'second', 'third']) assert.equal((await reader.post(message)).status, 201);
      assert.equal(requestsTo(world, 'posts'), 1 + 2 + 1 + 1);
      assert.deepEqual(world.service.posts.map(({ message }) => message), ['before', 'first', 'second', 'third']);
      assert.equal(await reader.state(), 'signed-in');
    });
  }

  it('that is set back is followed', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    world.service.clockOffsetMs = HOUR_MS;
    await reader.signIn();
    assert.equal((await reader.post('ahead')).status, 201);
    world.service.clockOffsetMs = 0;
    assert.equal((await reader.post('back')).status, 201);
    assert.equal((await reader.post('again')).status, 201);
    assert.equal(requestsTo(world, 'posts'), 2 + 2 + 1);
  });

  it('that is off does not keep a reader signed in whose token is no longer valid', async () => {
    await using world = await startWorld();
    world.service.clockOffsetMs = HOUR_MS;
    const reader = world.browser();
    await reader.signIn();
    world.service.revokeTokensOf('31007');
    assert.equal(problemOf(await reader.post()), 'not-signed-in');
    assert.equal(await reader.state(), 'anonymous');
  });

  it('that is right: a refusal is not repeated', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    world.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'no' } });
    assert.equal(problemOf(await reader.post()), 'service-refused');
    assert.equal(requestsTo(world, 'posts'), 1);
  });

  it('that is off: a post that may have been carried out is not repeated', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    world.service.clockOffsetMs = HOUR_MS;
    for (const fault of [{ kind: 'status', status: 502 }, { kind: 'reset' }, { kind: 'status', status: 500 }] as const) {
      world.service.faults.next('posts', fault);
      assert.equal(problemOf(await reader.post()), 'outcome-unknown');
    }
    assert.equal(requestsTo(world, 'posts'), 3);
  });

  it('that stays wrong after a correction: a post is sent twice at most', async () => {
    await using world = await startWorld();
    const reader = world.browser();
    await reader.signIn();
    const refusal = (hours: number) => (
      { kind: 'status', status: 400, headers: { Date: new Date(Date.now() + hours * HOUR_MS).toUTCString() }, body: { code: 5, response: 'no' } }
    ) as const;
    for (const hours of [1, 2, 3]) world.service.faults.next('posts', refusal(hours));
    assert.equal(problemOf(await reader.post()), 'service-refused');
    assert.equal(requestsTo(world, 'posts'), 2);
  });
});
