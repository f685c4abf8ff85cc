/** Locks that other connections hold for long. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openLocked, until } from './_sqlite-files.ts';
import { StoreUnavailableError } from './store.ts';

describe('SqliteStore on a file that another process has locked', () => {
  it('reads, and blocks the event loop neither for reads nor for writes', async () => {
    await using locked = await openLocked({ busyTimeoutMs: 20_000, writeTimeoutMs: 20_000 });
    const { store } = locked;
    let turns = 0;
    const written = store.set('session:1', 'value', undefined);
    for (const endsAt = performance.now() + 300; performance.now() < endsAt; turns += 1) await setTimeout(5);
    assert.equal(await store.get('session:1'), undefined);
    locked.unlock();
    await written;
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.ok(turns > 3, `${turns} turns in 300 ms`);
  });

  it('rejects writes after the busy timeout, which were not carried out, and continues afterwards', async () => {
    await using locked = await openLocked({ busyTimeoutMs: 100 });
    const { store } = locked;
    await assert.rejects(store.set('session:1', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: false });
    locked.unlock();
    assert.equal(await store.get('session:1'), undefined);
    await store.set('session:1', 'value', undefined);
    assert.equal((await store.get('session:1'))?.value, 'value');
  });
});

/** The lock stands for a disk that hangs: the writer thread is blocked inside SQLite in both cases. */
describe('SqliteStore whose writer thread is blocked', () => {
  const blocked = { busyTimeoutMs: 20_000, writeTimeoutMs: 500 };

  it('reports that a write may have been carried out, rejects others at once, and recovers', async () => {
    await using locked = await openLocked(blocked);
    const { store } = locked;
    await assert.rejects(store.set('session:1', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: true });
    const startedAt = performance.now();
    await assert.rejects(store.set('session:2', 'value', undefined), { name: 'StoreUnavailableError', mayHaveApplied: false });
    assert.ok(performance.now() - startedAt < blocked.writeTimeoutMs, 'before its own time limit');
    locked.unlock();
    await until(() => store.ping().then(() => true, () => false));
    assert.equal((await store.get('session:1'))?.value, 'value');
    assert.equal(await store.get('session:2'), undefined);
    await store.set('session:2', 'value', undefined);
  });

  it('gives up a ping within seconds', async () => {
    await using locked = await openLocked({ ...blocked, writeTimeoutMs: 10_000 });
    const startedAt = performance.now();
    await assert.rejects(locked.store.ping(), StoreUnavailableError);
    assert.ok(performance.now() - startedAt < 5_000);
  });

  it('closes within seconds, rejects the writes in flight, and ends its thread afterwards', async () => {
    const listeners = process.listenerCount('exit');
    await using locked = await openLocked({ ...blocked, writeTimeoutMs: 10_000 });
    const written = assert.rejects(locked.store.set('session:1', 'value', undefined), { mayHaveApplied: true });
    const startedAt = performance.now();
    await locked.store[Symbol.asyncDispose]();
    assert.ok(performance.now() - startedAt < 5_000);
    await written;
    locked.unlock();
    await until(() => process.listenerCount('exit') === listeners);
  });
});
