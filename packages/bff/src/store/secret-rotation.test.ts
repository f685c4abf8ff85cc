import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EncryptedCollection } from './encrypted-collection.ts';
import { MemoryStore } from './memory-store.ts';
import { RecordCipher } from './record-cipher.ts';
import { countBySecret, reencryptRecords, SecretRotation } from './secret-rotation.ts';
import { StoreUnavailableError, type Store } from './store.ts';

const OLD = 'an older secret of thirty-two bytes or more';
const NEW = 'a newer secret of thirty-two bytes or more';
const HOUR_MS = 3_600_000;

interface Profile {
  readonly name: string;
}

const profilesOf = (store: Store, ...secrets: readonly string[]) => (
  new EncryptedCollection<Profile>('profile', { store, cipher: new RecordCipher(secrets) })
);

async function fill(store: Store, secret: string, ids: readonly string[]): Promise<void> {
  const profiles = profilesOf(store, secret);
  await Promise.all(ids.map((id) => profiles.put(id, { name: `reader ${id}` }, undefined)));
}

async function namesIn(profiles: EncryptedCollection<Profile>): Promise<readonly string[]> {
  return (await Array.fromAsync(profiles.all())).map(({ name }) => name).sort();
}

describe('reencryptRecords', () => {
  it('lets an older secret be dropped without losing a record', async () => {
    await using store = new MemoryStore();
    const ids = Array.from({ length: 130 }, (_, i) => String(i));
    await fill(store, OLD, ids);
    const before = await namesIn(profilesOf(store, OLD));
    const rotated = new RecordCipher([NEW, OLD]);
    assert.deepEqual((await countBySecret(store, rotated)).bySecret, [0, 130]);
    assert.deepEqual(await reencryptRecords(store, rotated, { pauseMs: 0 }), { reencrypted: 130, undecryptable: new Map() });
    assert.deepEqual((await countBySecret(store, rotated)).bySecret, [130, 0]);
    assert.deepEqual(await namesIn(profilesOf(store, NEW)), before);
    assert.equal((await reencryptRecords(store, rotated)).reencrypted, 0);
  });

  it('leaves entries alone that are not records', async () => {
    await using store = new MemoryStore();
    await store.set('check:1', 'check', HOUR_MS);
    assert.deepEqual(await reencryptRecords(store, new RecordCipher([NEW, OLD])), { reencrypted: 0, undecryptable: new Map() });
    assert.equal((await store.get('check:1'))?.value, 'check');
  });

  it('keeps the expiry of a record', async () => {
    await using store = new MemoryStore({ now: () => 1_000 });
    const [before, after] = [profilesOf(store, OLD), profilesOf(store, NEW)];
    await before.put('1', { name: 'reader' }, HOUR_MS);
    await reencryptRecords(store, new RecordCipher([NEW, OLD]));
    assert.equal((await after.find('1'))?.expiresAt, 1_000 + HOUR_MS);
  });

  it('does not overwrite or restore a record that changes at the same time', async () => {
    await using store = new MemoryStore();
    await fill(store, OLD, ['changed', 'deleted']);
    const cipher = new RecordCipher([NEW, OLD]);
    const profiles = profilesOf(store, NEW, OLD);
    const { compareAndSet } = store;
    store.compareAndSet = async (...args) => {
      await profiles.put('changed', { name: 'new name' }, undefined);
      await profiles.delete('deleted');
      return compareAndSet.apply(store, args);
    };
    assert.equal((await reencryptRecords(store, cipher)).reencrypted, 0);
    assert.deepEqual(await namesIn(profiles), ['new name']);
  });

  it('stops at a signal', async () => {
    await using store = new MemoryStore();
    await fill(store, OLD, Array.from({ length: 200 }, (_, i) => String(i)));
    const controller = new AbortController();
    const cipher = new RecordCipher([NEW, OLD]);
    const running = reencryptRecords(store, cipher, { signal: controller.signal, pauseMs: HOUR_MS });
    while ((await countBySecret(store, cipher)).bySecret[0] === 0) await setTimeout(1);
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.deepEqual((await countBySecret(store, cipher)).bySecret, [50, 150]);
  });
});

describe('countBySecret', () => {
  it('counts what no secret decrypts by kind, and ignores entries that are not records', async () => {
    await using store = new MemoryStore();
    await fill(store, 'a secret that was dropped', ['1', '2']);
    await fill(store, NEW, ['3', '4']);
    const [altered, text] = (await Array.fromAsync(store.entries('profile:'))).at(-1) as readonly [string, string];
    await store.set(altered, text.slice(0, -4), undefined);
    await store.set('check:1', 'check', HOUR_MS);
    const { bySecret, undecryptable } = await countBySecret(store, new RecordCipher([NEW, OLD]));
    assert.deepEqual(bySecret, [1, 0]);
    assert.deepEqual([...undecryptable], [['profile', 3]]);
  });
});

const push = (lines: string[]) => (...line: unknown[]) => { lines.push(String(line.at(-1))); };

describe('SecretRotation', () => {
  const start = (store: Store, secrets: readonly string[], lines: string[], startAfterMs = 0, repeatAfterMs = 5) => {
    const log = { info: push(lines), warn: push(lines) } as unknown as Logger;
    return new SecretRotation({ store, cipher: new RecordCipher(secrets), log, startAfterMs, repeatAfterMs });
  };

  const countRuns = (store: Store) => {
    const { entries } = store;
    const runs = { count: 0 };
    store.entries = (prefix) => {
      runs.count += 1;
      return entries.call(store, prefix);
    };
    return runs;
  };

  it('re-encrypts in the background, again for records that an older instance writes later, through an outage', async () => {
    await using store = new MemoryStore();
    const cipher = new RecordCipher([NEW, OLD]);
    await fill(store, OLD, ['1']);
    const { entries } = store;
    let failures = 0;
    store.entries = () => {
      failures += 1;
      throw new StoreUnavailableError(new Error('away'));
    };
    const lines: string[] = [];
    await using _rotation = start(store, [NEW, OLD], lines);
    await until(() => failures > 0);
    store.entries = entries;
    await until(async () => (await countBySecret(store, cipher)).bySecret[0] === 1);
    await fill(store, OLD, ['2']);
    await until(async () => (await countBySecret(store, cipher)).bySecret[0] === 2);
    await until(() => lines.at(-2)?.endsWith(': 1.') === true);
    assert.equal(lines[0], 'records cannot be re-encrypted: keep the older cookie secrets');
    assert.equal(lines.at(-1), 'Records re-encrypted under the newest cookie secret: 1.');
  });

  it('logs once what cannot be decrypted, also with a single secret', async () => {
    await using store = new MemoryStore();
    await fill(store, 'a secret that was dropped', ['1', '2']);
    const runs = countRuns(store);
    for (const [secrets, expected] of [[[NEW], 1], [[NEW, OLD], 3]] as const) {
      runs.count = 0;
      const lines: string[] = [];
      await using _rotation = start(store, secrets, lines);
      await until(() => lines.length > 0 && runs.count >= expected);
      assert.deepEqual(lines, [
        'Some records cannot be decrypted by any of VESTIBULE_COOKIE_SECRETS (profile: 2). Add the missing secret at the end of the list.',
      ]);
    }
  });

  it('names each kind of record that cannot be decrypted', async () => {
    await using store = new MemoryStore();
    await fill(store, 'a secret that was dropped', ['1', '2']);
    const sessions = new EncryptedCollection('session', { store, cipher: new RecordCipher(['a secret that was dropped']) });
    await sessions.put('1', {}, HOUR_MS);
    const lines: string[] = [];
    await using _rotation = start(store, [NEW], lines);
    await until(() => lines.length > 0);
    assert.match(lines[0] ?? '', / \(profile: 2, session: 1\)\. /);
  });

  it('runs once while there is a single secret, and repeatedly while there are several', async () => {
    await using single = new MemoryStore();
    await using several = new MemoryStore();
    const [runsOfSingle, runsOfSeveral] = [countRuns(single), countRuns(several)];
    await using _ended = start(single, [NEW], []);
    await until(() => runsOfSingle.count > 0);
    await using _repeating = start(several, [NEW, OLD], []);
    await until(() => runsOfSeveral.count > 3);
    assert.equal(runsOfSingle.count, 1);
  });

  it('reports the failure of the store with its cause and the setting', async () => {
    await using store = new MemoryStore();
    const failure = new StoreUnavailableError(new Error('away'));
    store.entries = () => { throw failure; };
    const lines: unknown[] = [];
    const log = { info: () => undefined, warn: (...line: unknown[]) => { lines.push(line); } } as unknown as Logger;
    const cipher = new RecordCipher([NEW, OLD]);
    await using _rotation = new SecretRotation({ store, cipher, log, startAfterMs: 0, repeatAfterMs: HOUR_MS });
    await until(() => lines.length > 0);
    assert.deepEqual(lines, [
      [{ err: failure, setting: 'VESTIBULE_STORE' }, 'records cannot be re-encrypted: keep the older cookie secrets'],
    ]);
  });

  it('finishes the batch in flight when it is disposed, starts no other and warns of nothing', async () => {
    await using store = new MemoryStore();
    await fill(store, OLD, Array.from({ length: 130 }, (_, i) => String(i)));
    const { compareAndSet } = store;
    const [writing, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    store.compareAndSet = async (...args) => {
      writing.resolve();
      await released.promise;
      return compareAndSet.apply(store, args);
    };
    const lines: string[] = [];
    const rotation = start(store, [NEW, OLD], lines);
    await writing.promise;
    let isDisposed = false;
    const disposed = rotation[Symbol.asyncDispose]().then(() => { isDisposed = true; });
    await setImmediate();
    assert.equal(isDisposed, false);
    released.resolve();
    await disposed;
    assert.deepEqual((await countBySecret(store, new RecordCipher([NEW, OLD]))).bySecret, [50, 80]);
    assert.deepEqual(lines, []);
  });

  it('does not keep an idle process running', async () => {
    await using store = new MemoryStore();
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    const before = timers();
    await using _waiting = start(store, [NEW, OLD], [], HOUR_MS);
    assert.equal(timers(), before);
    await fill(store, OLD, ['1']);
    const lines: string[] = [];
    await using _repeating = start(store, [NEW, OLD], lines, 0, HOUR_MS);
    await until(() => lines.length > 0);
    assert.equal(timers(), before);
  });

  it('stops when it is disposed', async () => {
    await using store = new MemoryStore();
    await fill(store, OLD, ['1']);
    const rotation = start(store, [NEW, OLD], [], HOUR_MS);
    await rotation[Symbol.asyncDispose]();
    assert.deepEqual((await countBySecret(store, new RecordCipher([NEW, OLD]))).bySecret, [0, 1]);
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(1);
}
