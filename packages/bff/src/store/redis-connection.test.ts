/** `test/store` connects to real servers. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { reconnectDelay, sendAll, withTimeout } from './redis-connection.ts';

describe('withTimeout', () => {
  it('settles as the work does, and leaves no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    const before = timers();
    assert.equal(await withTimeout(Promise.resolve('reply')), 'reply');
    await assert.rejects(withTimeout(Promise.reject(new Error('no reply'))), { message: 'no reply' });
    await setImmediate();
    assert.equal(timers(), before);
  });

  it('rejects work that takes longer than a command may, or than it is told', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (const [timeoutMs, lastMs] of [[undefined, 1_250], [20, 20]] as const) {
      const errors: unknown[] = [];
      withTimeout(new Promise(() => undefined), timeoutMs).catch((reason: unknown) => { errors.push(reason); });
      t.mock.timers.tick(lastMs - 1);
      await setImmediate();
      assert.deepEqual(errors, []);
      t.mock.timers.tick(1);
      await setImmediate();
      assert.equal(String(errors[0]), 'RedisTimeoutError: The Redis server did not reply in time.');
    }
  });

  it('takes a reply that arrived while the event loop was blocked', async () => {
    const reply = new Promise((resolve) => { globalThis.setImmediate(resolve, 'reply'); });
    const work = withTimeout(reply, 1);
    for (const endsAt = performance.now() + 10; performance.now() < endsAt;);
    assert.equal(await work, 'reply');
  });
});

describe('reconnectDelay', () => {
  it('doubles from 50 ms to a second', () => {
    assert.deepEqual([0, 1, 2, 3, 4, 5, 2_000].map(reconnectDelay), [50, 100, 200, 400, 800, 1_000, 1_000]);
  });
});

describe('sendAll', () => {
  it('fails if a reply comes before that of an earlier command', async () => {
    const sendCommand = async ([name = '']: string[]) => {
      if (name === 'GET') await setImmediate();
      return name;
    };
    assert.deepEqual(await sendAll({ sendCommand }, [['PING'], ['GET']]), ['PING', 'GET']);
    await assert.rejects(sendAll({ sendCommand }, [['GET'], ['PING']]), { message: 'The Redis client sent commands in another order.' });
  });
});
