import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { MemoryStore } from '../store/memory-store.ts';
import { StoreUnavailableError, type Store } from '../store/store.ts';
import { StoreMetrics } from './metrics.ts';

function measuredStore(store: Store) {
  const registry = new Registry();
  const count = async (operation: string, result: string) => {
    const series = `vestibule_store_operation_duration_seconds_count{operation="${operation}",result="${result}"} `;
    return Number((await registry.metrics()).split('\n').find((line) => line.startsWith(series))?.slice(series.length) ?? 0);
  };
  return { measured: new StoreMetrics(registry).measure(store), count };
}

describe('StoreMetrics', () => {
  it('measures operations without changing their results', async () => {
    await using store = new MemoryStore();
    const { measured, count } = measuredStore(store);
    await measured.set('a', '1', undefined);
    assert.equal(await measured.setIfAbsent('a', '2', 1_000), false);
    assert.equal(await measured.compareAndSet('a', '2', '4', 'keep'), false);
    assert.equal(await measured.compareAndSet('a', '1', '3', 'keep'), true);
    assert.equal((await measured.get('a'))?.value, '3');
    assert.equal((await measured.get('b')), undefined);
    assert.deepEqual(await Array.fromAsync(measured.entries('')), [['a', '3']]);
    assert.equal(await measured.delete('a', '1'), false);
    assert.equal(await measured.take('a'), '3');
    assert.equal(measured.kind, 'memory');
    const operations = ['set', 'setIfAbsent', 'compareAndSet', 'get', 'delete', 'take'];
    assert.deepEqual(await Promise.all(operations.map((name) => count(name, 'ok'))), [1, 1, 2, 2, 1, 1]);
  });

  it('measures operations that fail as unavailable', async () => {
    await using store = new MemoryStore();
    store.get = () => Promise.reject(new StoreUnavailableError(undefined));
    const { measured, count } = measuredStore(store);
    await assert.rejects(measured.get('a'), { name: 'StoreUnavailableError' });
    assert.equal(await count('get', 'unavailable'), 1);
  });
});
