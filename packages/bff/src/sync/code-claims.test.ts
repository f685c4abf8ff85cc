import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { CodeClaims } from './code-claims.ts';

/** Refuses its first compare-and-sets; applies its first writes and reports them as lost. */
class ForgetfulStore extends MemoryStore {
  refusals = 0;
  losses = 0;
  writes = 0;

  override setIfAbsent(...args: Parameters<MemoryStore['setIfAbsent']>): Promise<boolean> {
    return this.#lose(super.setIfAbsent(...args));
  }

  override compareAndSet(...args: Parameters<MemoryStore['compareAndSet']>): Promise<boolean> {
    this.refusals -= 1;
    if (this.refusals >= 0) return Promise.reject(new StoreUnavailableError(undefined));
    return this.#lose(super.compareAndSet(...args));
  }

  async #lose(write: Promise<boolean>): Promise<boolean> {
    const isWritten = await write;
    if (isWritten) this.writes += 1;
    if (this.losses === 0) return isWritten;
    this.losses -= 1;
    throw new StoreUnavailableError(undefined);
  }
}

function world() {
  const store = new ForgetfulStore();
  const claims = new CodeClaims(new EncryptedCollection('code', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) }), 60_000);
  return { store, claims };
}

describe('CodeClaims', () => {
  it('gives a code to the first claim, and lets its owner spend it once', async () => {
    const { claims } = world();
    assert.deepEqual([await claims.claim('c', { owner: 'a' }), await claims.claim('c', { owner: 'b' })], [true, false]);
    const spend = (owner: string, attempt: string) => claims.spend('c', { owner, attempt });
    assert.deepEqual([await spend('b', '1'), await spend('a', '1'), await spend('a', '2')], [false, true, false]);
    await claims.unspend('c', { owner: 'a', attempt: '2' });
    assert.equal(await spend('a', '2'), false);
    await claims.unspend('c', { owner: 'a', attempt: '1' });
    assert.equal(await spend('a', '2'), true);
  });

  it('is spent by one attempt, also if the store fails for another one of the same owner', async () => {
    const { claims, store } = world();
    await claims.claim('c', { owner: 'a' });
    store.refusals = 1;
    const delayed = claims.spend('c', { owner: 'a', attempt: '1' });
    assert.deepEqual([await claims.spend('c', { owner: 'a', attempt: '2' }), await delayed], [true, false]);
  });

  it('lets nobody spend a code that nobody claimed', async () => {
    assert.equal(await world().claims.spend('c', { owner: 'a', attempt: '1' }), false);
  });

  it('writes a claim again whose reply was lost, since replicas may lack it', async () => {
    const { claims, store } = world();
    store.losses = 1;
    assert.equal(await claims.claim('c', { owner: 'a' }), true);
    assert.deepEqual([store.writes, await claims.claim('c', { owner: 'b' })], [2, false]);
    assert.equal((await claims.find('c'))?.spent, false);
  });

  it('marks a code as spent again when the reply was lost', async () => {
    const { claims, store } = world();
    await claims.claim('c', { owner: 'a' });
    store.losses = 1;
    assert.equal(await claims.spend('c', { owner: 'a', attempt: '1' }), true);
    assert.deepEqual([store.writes, await claims.spend('c', { owner: 'a', attempt: '2' })], [3, false]);
  });
});
