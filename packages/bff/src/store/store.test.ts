import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
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
  it('lets only the owner of a write with a lost reply recognize it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await using store = new LossyStore();
    const claims = new EncryptedCollection<string>('claim', { store, cipher });
    const claim = (owner: string) => withStoreRetries(async (earlierAttempts) => (
      await claims.putIfAbsent('code', owner, undefined) !== undefined
      || (earlierAttempts > 0 && (await claims.find('code'))?.record === owner)
    ));
    const claimed = Promise.all([claim('one'), claim('two')]);
    await setImmediate();
    t.mock.timers.tick(100);
    assert.deepEqual(await claimed, [true, false]);
    assert.equal(await claim('two'), false);
    assert.equal((await claims.find('code'))?.record, 'one');
  });

  it('waits a little longer before each of four attempts, and throws the failure of the last', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const attempts: number[] = [];
    const failed = assert.rejects(withStoreRetries(async (earlierAttempts) => {
      attempts.push(earlierAttempts);
      throw new StoreUnavailableError(new Error(`attempt ${earlierAttempts}`));
    }), { name: 'StoreUnavailableError', cause: new Error('attempt 3') });
    for (const [earlierAttempts, ms] of [100, 400, 1_000].entries()) {
      await setImmediate();
      t.mock.timers.tick(ms - 1);
      await setImmediate();
      assert.equal(attempts.at(-1), earlierAttempts);
      t.mock.timers.tick(1);
    }
    await failed;
    assert.deepEqual(attempts, [0, 1, 2, 3]);
  });

  it('throws other errors at once', async () => {
    let calls = 0;
    await assert.rejects(withStoreRetries(async () => {
      calls += 1;
      throw new TypeError('a mistake');
    }), TypeError);
    assert.equal(calls, 1);
  });
});

describe('StoreUnavailableError', () => {
  it('leaves open whether the write is in the store, unless that is known', () => {
    const cause = new Error('The disk is full.');
    const error = new StoreUnavailableError(cause);
    assert.deepEqual([error.name, error.message, error.cause], ['StoreUnavailableError', 'The store is not available.', cause]);
    assert.equal(error.mayHaveApplied, true);
    assert.equal(new StoreUnavailableError(cause, { mayHaveApplied: false }).mayHaveApplied, false);
    assert.equal(new StoreUnavailableError(cause, { mayHaveApplied: undefined }).mayHaveApplied, true);
  });
});
