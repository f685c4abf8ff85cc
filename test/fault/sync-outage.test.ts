/** Sign-ins during an outage of the service. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { problemOf, startWorld } from '../security/_world.ts';

describe('a sync in an outage of the service', () => {
  it('runs no hook, keeps the code, and is completed by the same answers when the service is back', async () => {
    let hooks = 0;
    await using world = await startWorld({
      serviceBreakerFailures: 1,
      serviceBreakerOpenMs: 2_000,
      validation: {
        fields: [],
        validate: () => {
          hooks += 1;
          return { ok: true };
        },
      },
    });
    const unlucky = world.browser();
    await unlucky.start();
    const reader = world.browser();
    await reader.start();
    await world.service.down();
    assert.equal(problemOf(await unlucky.validate({})), 'service-unavailable');
    assert.equal(hooks, 1);
    for (let i = 0; i < 3; i += 1) {
      const answer = await reader.validate({});
      assert.deepEqual([answer.status, problemOf(answer)], [503, 'service-unavailable']);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    assert.equal(hooks, 1);
    await world.service.up();
    const deadline = performance.now() + 15_000;
    let answer = await reader.validate({});
    while (answer.status === 503 && performance.now() < deadline) {
      await pause(50);
      answer = await reader.validate({});
    }
    assert.equal(answer.status, 200);
    assert.equal(await reader.state(), 'signed-in');
  });

  it('does not affect posts while only token exchanges fail', async () => {
    await using world = await startWorld({ serviceBreakerFailures: 1 });
    const reader = world.browser();
    await reader.signIn();
    world.service.faults.always('token', { kind: 'status', status: 502 });
    const unlucky = world.browser();
    await unlucky.start();
    assert.equal(problemOf(await unlucky.validate()), 'outcome-unknown');
    assert.equal((await reader.post()).status, 201);
  });
});
