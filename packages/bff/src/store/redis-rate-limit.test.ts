import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Options } from 'express-rate-limit';
import { MemoryStore } from './memory-store.ts';
import type { RedisConnection, RedisReply } from './redis-connection.ts';
import { sharedRateLimits } from './redis-rate-limit.ts';
import { RedisStore } from './redis-store.ts';

const MINUTE_MS = 60_000;

interface Sent {
  readonly key: string;
  readonly command: readonly string[];
  readonly timeoutMs: number | undefined;
}

/** Counts of posts on a connection that `reply` plays. */
async function createCounts(reply: (command: readonly string[]) => RedisReply) {
  const sent: Sent[] = [];
  const send: RedisConnection['send'] = async (key, command, timeoutMs) => {
    sent.push({ key, command, timeoutMs });
    return reply(command);
  };
  const counts = sharedRateLimits(new RedisStore({ send } as RedisConnection))?.('posts');
  assert.ok(counts);
  await counts.init?.({ windowMs: MINUTE_MS } as Options);
  return { counts, sent };
}

describe('sharedRateLimits', () => {
  it('are counted by each process on its own if the store is no Redis', async () => {
    await using store = new MemoryStore();
    assert.equal(sharedRateLimits(store), undefined);
  });

  it('count a request with one command, by kind and key, with a short timeout', async () => {
    const { counts, sent } = await createCounts(() => [3, 20_000]);
    const { totalHits, resetTime } = await counts.increment('a-reader');
    assert.equal(totalHits, 3);
    assert.ok(resetTime && Math.abs(resetTime.getTime() - Date.now() - 20_000) < 5_000);
    const [{ key, command: [name, , ...args], timeoutMs }] = sent as [Sent];
    assert.deepEqual([sent.length, key, timeoutMs], [1, 'vestibule:limit:posts:a-reader', 400]);
    assert.deepEqual([name, ...args], ['EVALSHA', '1', 'vestibule:limit:posts:a-reader', String(MINUTE_MS)]);
  });

  it('send the script to a server that does not know it, such as one that has restarted', async () => {
    const { counts, sent } = await createCounts(([name]) => {
      if (name === 'EVALSHA') throw new Error('NOSCRIPT No matching script.');
      return [1, MINUTE_MS];
    });
    assert.equal((await counts.increment('a-reader')).totalHits, 1);
    const [, { key, command: [name, script = '', ...args], timeoutMs }] = sent as [Sent, Sent];
    assert.deepEqual([sent.length, key, timeoutMs], [2, 'vestibule:limit:posts:a-reader', 400]);
    assert.deepEqual([name, ...args], ['EVAL', '1', 'vestibule:limit:posts:a-reader', String(MINUTE_MS)]);
    assert.match(script, /INCR/);
  });

  for (const message of ['LOADING Redis is loading the dataset in memory', 'ERR NOSCRIPT is no command']) {
    it(`fail after another reply of the server: ${message}`, async () => {
      const { counts, sent } = await createCounts(() => { throw new Error(message); });
      await assert.rejects(async () => counts.increment('a-reader'), { message });
      assert.equal(sent.length, 1);
    });
  }

  it('send other commands once', async () => {
    const { counts, sent } = await createCounts(() => { throw new Error('NOSCRIPT No matching script.'); });
    await assert.rejects(async () => counts.resetKey('a-reader'), { message: 'NOSCRIPT No matching script.' });
    assert.deepEqual(sent.map(({ command }) => command), [['DEL', 'vestibule:limit:posts:a-reader']]);
  });

  it('fail if the connection fails with something else than an error', async () => {
    const { counts } = await createCounts(() => { throw 'NOSCRIPT'; });
    await assert.rejects(async () => counts.increment('a-reader'), (error) => error === 'NOSCRIPT');
  });
});
