import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { sha256 } from '../lib/identifiers.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { isNewer, syncIdOf, SyncTransactions, type FoundSync, type SyncRecord, type SyncState } from './sync-transaction.ts';

const base = {
  code: 'c', username: 'Ada', user_id: '7', audiencesync_uri: 'https://service.example/audiencesync/complete/', forum: 'news', sequence: 0,
};

/** Lifetime of a lease. */
const LEASE_MS = 5_000;

interface World {
  readonly store: MemoryStore;
  readonly leases: EncryptedCollection<string>;
  readonly transactions: SyncTransactions;
}

async function withTransactions(test: (world: World) => Promise<void>): Promise<void> {
  await using store = new MemoryStore();
  const options = { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) };
  const leases = new EncryptedCollection<string>('lease', options);
  const records = new EncryptedCollection<SyncRecord>('sync', options);
  await test({ store, leases, transactions: new SyncTransactions({ records, leases, lifetimeMs: 60_000 }) });
}

const next: { readonly [S in SyncState]: Omit<Extract<SyncRecord, { state: S }>, 'revision'> } = {
  validating: { ...base, state: 'validating' },
  exchanging: { ...base, state: 'exchanging' },
  granted: { ...base, state: 'granted', grant: { accessToken: 't', user: { user_id: '7', username: 'Ada' } }, sessionId: 's' },
  done: { state: 'done', sequence: 0, result: { problem: 'outcome-unknown', detail: '' } },
};

/** Moves on the way to each state. */
const ways: Readonly<Record<SyncState, readonly SyncState[]>> = {
  validating: [], exchanging: ['exchanging'], granted: ['exchanging', 'granted'], done: ['exchanging', 'granted', 'done'],
};

async function startIn(transactions: SyncTransactions, state: SyncState): Promise<FoundSync> {
  const key = await transactions.start(base);
  for (const step of ways[state]) await transactions.move(await transactions.find(key) as FoundSync, next[step]);
  return await transactions.find(key) as FoundSync;
}

describe('syncIdOf', () => {
  it('is a hash of the key, the same in every release', () => {
    assert.equal(syncIdOf('key'), sha256('sync id', 'key').slice(0, 22));
    assert.match(syncIdOf('key'), /^[\w-]{22}$/);
  });
});

describe('isNewer', () => {
  const sync = (sequence: number, key: string) => ({ key, record: { sequence } }) as FoundSync;

  it('compares the numbers, and the keys of two that started at the same time', () => {
    const byAge = [sync(1, 'z'), sync(2, 'a'), sync(2, 'b'), sync(10, 'a')];
    for (const [i, one] of byAge.entries()) {
      assert.deepEqual(byAge.map((other) => isNewer(one, other)), byAge.map((_, j) => j < i), `${i}`);
    }
  });
});

describe('SyncTransactions.move', () => {
  const allowed = [
    'validating exchanging', 'validating done', 'exchanging validating', 'exchanging granted', 'exchanging done', 'granted done', 'done done',
  ];
  for (const from of Object.keys(next) as SyncState[]) {
    for (const to of Object.keys(next) as SyncState[]) {
      const isAllowed = allowed.includes(`${from} ${to}`);
      it(`${isAllowed ? 'moves' : 'throws for a move'} from ${from} to ${to}`, () => withTransactions(async ({ transactions }) => {
        const found = await startIn(transactions, from);
        if (isAllowed) assert.equal((await transactions.move(found, next[to]))?.record.state, to);
        else await assert.rejects(transactions.move(found, next[to]), new Error(`A sign-in cannot move from ${from} to ${to}.`));
      }));
    }
  }

  it('is undefined for the second of two writers', () => withTransactions(async ({ transactions }) => {
    const found = await startIn(transactions, 'validating');
    assert.notEqual(await transactions.move(found, next.exchanging), undefined);
    assert.equal(await transactions.move(found, next.exchanging), undefined);
  }));
});

describe('SyncTransactions.supersede', () => {
  it('ends what is in progress, and leaves what waits for the reader or is over', () => withTransactions(async ({ transactions, leases }) => {
    const superseded = async (state: SyncState) => {
      const { key, record } = await startIn(transactions, state);
      assert.equal((await transactions.supersede(key))?.revision, record.revision);
      return await transactions.find(key) === undefined;
    };
    const results = { validating: await superseded('validating'), exchanging: await superseded('exchanging'), granted: await superseded('granted'), done: await superseded('done') };
    assert.deepEqual(results, { validating: false, exchanging: true, granted: true, done: false });
    const { key } = await startIn(transactions, 'validating');
    await leases.put(key, 'of the request at work', 60_000);
    await transactions.supersede(key);
    assert.equal(await transactions.find(key), undefined);
    assert.equal(await transactions.supersede(key), undefined);
  }));

  it('returns the end of a sign-in that a request completes meanwhile', () => withTransactions(async ({ transactions, leases }) => {
    const found = await startIn(transactions, 'validating');
    const find = leases.find.bind(leases);
    leases.find = async (...args) => { await transactions.move(found, next.done); return find(...args); };
    assert.equal((await transactions.supersede(found.key))?.state, 'done');
  }));

  it('keeps the outcome of a sign-in that becomes done after it was read', () => withTransactions(async ({ transactions }) => {
    const found = await startIn(transactions, 'granted');
    const find = transactions.find.bind(transactions);
    let reads = 0;
    transactions.find = async (key) => {
      const read = await find(key);
      if (++reads === 1) await transactions.move(found, next.done);
      return read;
    };
    assert.equal((await transactions.supersede(found.key))?.state, 'done');
    assert.equal((await find(found.key))?.record.state, 'done');
  }));
});

describe('SyncTransactions.exclusively', () => {
  it('is no-sync-in-progress without a transaction, also when it ends while the lease is taken', () => withTransactions(async (world) => {
    const { transactions, leases } = world;
    await assert.rejects(transactions.exclusively('unknown', () => assert.fail()), { type: 'no-sync-in-progress' });
    const { key } = await startIn(transactions, 'validating');
    const putIfAbsent = leases.putIfAbsent.bind(leases);
    leases.putIfAbsent = async (...args) => { await transactions.remove(key); return putIfAbsent(...args); };
    await assert.rejects(transactions.exclusively(key, () => assert.fail()), { type: 'no-sync-in-progress' });
  }));

  it('needs no lease for a transaction that is done', () => withTransactions(async ({ transactions, leases }) => {
    const { key } = await startIn(transactions, 'done');
    await leases.put(key, 'of another request', 60_000);
    assert.equal(await transactions.exclusively(key, async ({ record }) => record.state), 'done');
  }));

  it('is service-unavailable, which may be repeated, when another request is still at work after twelve seconds', (t) => withTransactions(async ({ transactions, leases }) => {
    const { key } = await startIn(transactions, 'validating');
    await leases.put(key, 'of another request', 60_000);
    const times = [0, 11_999, 12_000];
    t.mock.method(performance, 'now', () => times.shift());
    await assert.rejects(transactions.exclusively(key, () => assert.fail()), {
      type: 'service-unavailable',
      detail: 'Your answers are being checked already. Please try again in a moment.',
      retryAfterSeconds: 2,
      diagnosis: { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS, VESTIBULE_SERVICE_TIMEOUT_MS' },
    });
    assert.deepEqual(times, []);
  }));

  it('takes a lease whose reply was lost, and no lease of another request', () => withTransactions(async ({ store, transactions, leases }) => {
    const { key } = await startIn(transactions, 'validating');
    const setIfAbsent = store.setIfAbsent.bind(store);
    let losses = 1;
    store.setIfAbsent = async (...args) => {
      const isSet = await setIfAbsent(...args);
      losses -= 1;
      if (losses >= 0) throw new StoreUnavailableError(new Error('lost'));
      return isSet;
    };
    const startedAt = performance.now();
    assert.equal(await transactions.exclusively(key, async () => 'worked'), 'worked');
    assert.ok(performance.now() - startedAt < LEASE_MS, 'the lease expired first');
    assert.equal(await leases.find(key), undefined);
    await leases.put(key, 'of another request', 60_000);
    losses = 1;
    let worked = false;
    const waiting = transactions.exclusively(key, async () => { worked = true; });
    await new Promise((resolve) => { setTimeout(resolve, 150); });
    assert.equal(worked, false);
    await leases.delete(key);
    await waiting;
  }));

  it('renews the lease while it works, also after a renewal that failed, and gives it back', () => withTransactions(async ({ transactions, leases }) => {
    const { key } = await startIn(transactions, 'validating');
    const touched: unknown[] = [];
    leases.touch = async (...args) => { touched.push(args); throw new Error('lost'); };
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      await transactions.exclusively(key, async () => {
        mock.timers.tick(1_499);
        assert.deepEqual(touched, []);
        mock.timers.tick(1_501);
        assert.deepEqual(touched, [[key, LEASE_MS], [key, LEASE_MS]]);
      });
      mock.timers.tick(10_000);
    } finally {
      mock.timers.reset();
    }
    assert.equal(touched.length, 2);
    assert.equal(await leases.find(key), undefined);
  }));

  it('keeps the lease of another request, whose own has expired', () => withTransactions(async ({ transactions, leases }) => {
    const { key } = await startIn(transactions, 'validating');
    await transactions.exclusively(key, () => leases.put(key, 'of another request', 60_000));
    assert.equal((await leases.find(key))?.record, 'of another request');
  }));

  it('returns the result although the store fails when the lease is given back', () => withTransactions(async ({ transactions, leases }) => {
    const { key } = await startIn(transactions, 'validating');
    const remove = mock.method(leases, 'delete', async () => { throw new StoreUnavailableError(new Error('lost')); });
    assert.equal(await transactions.exclusively(key, async () => 'worked'), 'worked');
    assert.equal(remove.mock.callCount(), 1);
  }));
});
