import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EncryptedCollection } from './encrypted-collection.ts';
import { MemoryStore } from './memory-store.ts';
import { RecordCipher } from './record-cipher.ts';
import { StoreUnavailableError, withStoreRetries } from './store.ts';

const cipher = new RecordCipher(['a secret of the cookies that is long enough']);

/** Applies `setIfAbsent` and loses the reply of the first call. */
class LossyStore extends MemoryStore {
  #isLost = false;

  override async setIfAbsent(...args: Parameters<MemoryStore['setIfAbsent']>): Promise<boolean> {
    const wrote = await super.setIfAbsent(...args);
    if (this.#isLost) return wrote;
    this.#isLost = true;
    throw new StoreUnavailableError(new Error('The reply was lost.'));
  }
}

describe('withStoreRetries', () => {
  it('lets only the owner of a write with a lost reply recognize it', async () => {
    await using store = new LossyStore();
    const claims = new EncryptedCollection<string>('claim', { store, cipher });
    const claim = (owner: string) => withStoreRetries(async (earlierAttempts) => (
      await claims.putIfAbsent('code', owner, undefined)
      || (earlierAttempts > 0 && (await claims.find('code'))?.record === owner)
    ));
    assert.deepEqual(await Promise.all([claim('one'), claim('two')]), [true, false]);
    assert.equal(await claim('two'), false);
    assert.equal((await claims.find('code'))?.record, 'one');
  });

  it('throws the failure of the fourth attempt, and other errors at once', async () => {
    const attempts: number[] = [];
    await assert.rejects(withStoreRetries(async (earlierAttempts) => {
      attempts.push(earlierAttempts);
      throw new StoreUnavailableError(new Error(`attempt ${earlierAttempts}`));
    }), { name: 'StoreUnavailableError', cause: new Error('attempt 3') });
    assert.deepEqual(attempts, [0, 1, 2, 3]);
    let calls = 0;
    await assert.rejects(withStoreRetries(async () => {
      calls += 1;
      throw new TypeError('a mistake');
    }), TypeError);
    assert.equal(calls, 1);
  });
});
