import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
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
  const start = (store: Store, secrets: readonly string[], lines: string[], startAfterMs = 0) => new SecretRotation({
    store,
    cipher: new RecordCipher(secrets),
    log: { info: push(lines), warn: push(lines) } as unknown as Logger,
    startAfterMs,
    repeatAfterMs: 5,
  });

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
    const { entries } = store;
    for (const [secrets, runs] of [[[NEW], 1], [[NEW, OLD], 3]] as const) {
      let started = 0;
      store.entries = (prefix) => {
        started += 1;
        return entries.call(store, prefix);
      };
      const lines: string[] = [];
      await using _rotation = start(store, secrets, lines);
      await until(() => lines.length > 0 && started >= runs);
      assert.deepEqual(lines, [
        'Some records cannot be decrypted by any of VESTIBULE_COOKIE_SECRETS (profile: 2). Add the missing secret at the end of the list.',
      ]);
    }
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
