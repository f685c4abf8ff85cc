import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EncryptedCollection, kindOfKey, UndecryptableRecordsError } from './encrypted-collection.ts';
import { MemoryStore } from './memory-store.ts';
import { RecordCipher } from './record-cipher.ts';
import { reencryptRecords } from './secret-rotation.ts';
import { StoreUnavailableError } from './store.ts';

interface Note {
  readonly text: string;
}

const HOUR_MS = 3_600_000;
const cipher = new RecordCipher(['a secret of the cookies that is long enough']);
const now = () => 1_000;

describe('EncryptedCollection', () => {
  it('finds a record with its expiry and stored text', async () => {
    await using store = new MemoryStore({ now });
    const notes = new EncryptedCollection<Note>('note', { store, cipher });
    await notes.put('id', { text: 'text' }, HOUR_MS);
    const [[, stored]] = await Array.fromAsync(store.entries('note:')) as [readonly [string, string]];
    assert.deepEqual(await notes.find('id'), { record: { text: 'text' }, expiresAt: 1_000 + HOUR_MS, stored });
    assert.equal(await notes.find('another'), undefined);
  });

  it('returns from putIfAbsent what find returns', async () => {
    await using store = new MemoryStore({ now });
    const notes = new EncryptedCollection<Note>('note', { store, cipher, now });
    for (const lifetimeMs of [HOUR_MS, undefined]) {
      const id = String(lifetimeMs);
      const written = await notes.putIfAbsent(id, { text: 'text' }, lifetimeMs);
      assert.ok(written);
      assert.deepEqual(written, await notes.find(id));
    }
  });

  it('stores neither the identifier nor the record in plaintext', async () => {
    await using store = new MemoryStore();
    await new EncryptedCollection<Note>('note', { store, cipher }).put('an-id-of-a-reader', { text: 'a reader\'s text' }, HOUR_MS);
    const entries = await Array.fromAsync(store.entries('note:'));
    assert.equal(entries.length, 1);
    assert.doesNotMatch(JSON.stringify(entries), /an-id-of-a-reader|reader's text/);
  });

  it('separates collections that use the same identifier', async () => {
    await using store = new MemoryStore();
    const [notes, drafts] = twoCollections(store);
    await notes.put('id', { text: 'a note' }, HOUR_MS);
    await drafts.put('id', { text: 'a draft' }, HOUR_MS);
    assert.deepEqual(await Array.fromAsync(drafts.all()), [{ text: 'a draft' }]);
    assert.deepEqual(await drafts.deleteMatching(() => true), { deleted: 1, undecryptable: 0 });
    assert.deepEqual(await notes.take('id'), { text: 'a note' });
    assert.equal(await notes.take('id'), undefined);
  });

  it('treats a record that cannot be decrypted as absent', async () => {
    await using store = new MemoryStore();
    const before = new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['another secret that was dropped since']) });
    await before.put('id', { text: 'text' }, HOUR_MS);
    const after = new EncryptedCollection<Note>('note', { store, cipher });
    assert.equal(await after.find('id'), undefined);
    assert.equal(await after.take('id'), undefined);
  });

  it('finds the records that match', async () => {
    await using store = new MemoryStore();
    const [notes] = await notesOf(store, 'one', 'two', 'three');
    assert.deepEqual(await notes.findMatching(({ text }) => text.startsWith('t')), [{ text: 'two' }, { text: 'three' }]);
  });

  it('deletes the readable records that match, and counts those that nobody can read', async () => {
    await using store = new MemoryStore();
    const [notes, dropped] = await notesOf(store, 'one', 'two', 'three');
    await dropped.put('lost', { text: 'two' }, HOUR_MS);
    assert.deepEqual(await notes.deleteMatching(({ text }) => text.startsWith('t')), { deleted: 2, undecryptable: 1 });
    assert.deepEqual(await notes.deleteMatching(({ text }) => text.startsWith('t')), { deleted: 0, undecryptable: 1 });
    assert.deepEqual((await notes.find('one'))?.record, { text: 'one' });
  });

  it('does not count a record as deleted that another process deleted first', async () => {
    await using store = new MemoryStore();
    const [notes] = await notesOf(store, 'one');
    store.delete = async () => false;
    assert.deepEqual(await notes.deleteMatching(() => true), { deleted: 0, undecryptable: 0 });
  });

  it('counts an entry once that the store lists twice', async () => {
    await using store = new MemoryStore();
    const [notes, dropped] = await notesOf(store, 'one');
    await dropped.put('lost', { text: 'two' }, HOUR_MS);
    const entries = await Array.fromAsync(store.entries('note:'));
    store.entries = async function* listTwice() { yield* [...entries, ...entries]; };
    const read: Note[] = [];
    await assert.rejects(async () => {
      for await (const note of notes.all()) read.push(note);
    }, new UndecryptableRecordsError(1));
    assert.deepEqual(read, [{ text: 'one' }]);
    assert.deepEqual(await notes.deleteMatching(() => false), { deleted: 0, undecryptable: 1 });
  });

  it('lists every readable record, then throws if others cannot be decrypted', async () => {
    await using store = new MemoryStore();
    const [notes] = twoCollections(store);
    const dropped = new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['another secret that was dropped since']) });
    await dropped.put('1', { text: 'lost' }, HOUR_MS);
    await notes.put('2', { text: 'a note' }, HOUR_MS);
    await dropped.put('3', { text: 'lost' }, HOUR_MS);
    const read: Note[] = [];
    await assert.rejects(async () => {
      for await (const note of notes.all()) read.push(note);
    }, { name: 'UndecryptableRecordsError', count: 2, message: '2 records cannot be decrypted.' });
    assert.deepEqual(read, [{ text: 'a note' }]);
  });

  it('does not decrypt a value that was moved to another key', async () => {
    await using store = new MemoryStore();
    const notes = new EncryptedCollection<Note>('note', { store, cipher });
    await notes.put('id', { text: 'text' }, HOUR_MS);
    await notes.put('another', { text: 'other text' }, HOUR_MS);
    const [[, stored], [other]] = await Array.fromAsync(store.entries('note:')) as [readonly [string, string], readonly [string, string]];
    await store.set(other, stored, HOUR_MS);
    assert.deepEqual((await notes.find('id'))?.record, { text: 'text' });
    assert.equal(await notes.find('another'), undefined);
  });

  it('passes on the results and the failures of the store', async () => {
    const store = new MemoryStore();
    const notes = new EncryptedCollection<Note>('note', { store, cipher });
    const found = await notes.putIfAbsent('id', { text: 'first' }, HOUR_MS);
    assert.equal(await notes.putIfAbsent('id', { text: 'second' }, HOUR_MS), undefined);
    assert.equal(await notes.touch('id', HOUR_MS), true);
    assert.equal((await notes.find('id'))?.stored, found?.stored);
    await notes.put('id', { text: 'second' }, HOUR_MS);
    assert.equal(await notes.delete('id', found), false);
    assert.equal(await notes.delete('id', await notes.find('id')), true);
    assert.equal(await notes.delete('id'), false);
    await store[Symbol.asyncDispose]();
    await assert.rejects(notes.find('id'), StoreUnavailableError);
  });

  describe('compareAndSet', () => {
    it('lets one of many concurrent writers win, and returns the expected value of the next compare-and-set', async () => {
      await using store = new MemoryStore({ now });
      const notes = new EncryptedCollection<Note>('note', { store, cipher, now });
      await notes.put('id', { text: 'first' }, HOUR_MS);
      const found = await notes.find('id');
      assert.ok(found);
      const written = await Promise.all(Array.from({ length: 20 }, (_, i) => notes.compareAndSet('id', found, { text: `by ${i}` })));
      const [winner, ...others] = written.filter((one) => one !== undefined);
      assert.deepEqual(others, []);
      assert.ok(winner);
      assert.deepEqual(winner, await notes.find('id'));
      const next = await notes.compareAndSet('id', winner, { text: 'next' }, 2 * HOUR_MS);
      assert.deepEqual(next, await notes.find('id'));
      assert.equal(next?.expiresAt, 1_000 + 2 * HOUR_MS);
    });

    it('writes a record that was re-encrypted since it was read, once', async () => {
      await using store = new MemoryStore();
      const rotated = new RecordCipher(['a newer secret of the cookies', 'an older secret of the cookies']);
      const underOld = new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['an older secret of the cookies']) });
      const notes = new EncryptedCollection<Note>('note', { store, cipher: rotated });
      await underOld.put('id', { text: 'first' }, HOUR_MS);
      const found = await notes.find('id');
      assert.ok(found);
      await reencryptRecords(store, rotated);
      const written = await Promise.all(['one', 'two'].map((text) => notes.compareAndSet('id', found, { text })));
      assert.equal(written.filter((one) => one !== undefined).length, 1);
      assert.equal(await notes.compareAndSet('id', found, { text: 'late' }), undefined);
    });

    it('does not restore a record under an older secret that was deleted since it was read', async () => {
      await using store = new MemoryStore();
      const underOld = new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['an older secret of the cookies']) });
      const notes = new EncryptedCollection<Note>('note', {
        store, cipher: new RecordCipher(['a newer secret of the cookies', 'an older secret of the cookies']),
      });
      await underOld.put('id', { text: 'first' }, HOUR_MS);
      const found = await notes.find('id');
      assert.ok(found);
      await notes.delete('id');
      assert.equal(await notes.compareAndSet('id', found, { text: 'late' }), undefined);
      assert.equal(await notes.find('id'), undefined);
    });

    it('does not write after another write of the same record', async () => {
      await using store = new MemoryStore();
      const notes = new EncryptedCollection<Note>('note', { store, cipher });
      await notes.put('id', { text: 'same' }, HOUR_MS);
      const found = await notes.find('id');
      assert.ok(found);
      await notes.put('id', { text: 'same' }, HOUR_MS);
      assert.equal(await notes.compareAndSet('id', found, { text: 'late' }), undefined);
    });
  });

  describe('delete of a record that was found', () => {
    it('deletes it, also if it was re-encrypted since', async () => {
      await using store = new MemoryStore();
      const rotated = new RecordCipher(['a newer secret of the cookies', 'an older secret of the cookies']);
      const underOld = new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['an older secret of the cookies']) });
      const notes = new EncryptedCollection<Note>('note', { store, cipher: rotated });
      for (const reencrypt of [false, true]) {
        await underOld.put('id', { text: 'first' }, HOUR_MS);
        const found = await notes.find('id');
        if (reencrypt) await reencryptRecords(store, rotated);
        assert.deepEqual([await notes.delete('id', found), await notes.find('id')], [true, undefined]);
      }
    });

    it('deletes nothing after another write', async () => {
      await using store = new MemoryStore();
      const [notes] = twoCollections(store);
      await notes.put('id', { text: 'same' }, HOUR_MS);
      const found = await notes.find('id');
      await notes.put('id', { text: 'same' }, HOUR_MS);
      assert.equal(await notes.delete('id', found), false);
      assert.deepEqual((await notes.find('id'))?.record, { text: 'same' });
    });
  });
});

describe('UndecryptableRecordsError', () => {
  it('says how many records cannot be decrypted', () => {
    assert.equal(new UndecryptableRecordsError(1).message, '1 record cannot be decrypted.');
    assert.equal(new UndecryptableRecordsError(12).message, '12 records cannot be decrypted.');
  });
});

describe('kindOfKey', () => {
  const hash = 'x-_0'.repeat(11).slice(0, 43);

  it('names the kind of a record', () => { assert.equal(kindOfKey(`profile:${hash}`), 'profile'); });

  for (const key of ['ping', 'check:1', `limit:profile:${hash}`, `profile:${hash}x`, `profile:${hash.slice(1)}`, `:${hash}`, `7:${hash}`]) {
    it(`takes ${key} for no record`, () => { assert.equal(kindOfKey(key), undefined); });
  }
});

/** Notes with these texts, and a collection under a secret that was dropped. */
async function notesOf(store: MemoryStore, ...texts: readonly string[]) {
  const [notes] = twoCollections(store);
  for (const text of texts) await notes.put(text, { text }, HOUR_MS);
  return [notes, new EncryptedCollection<Note>('note', { store, cipher: new RecordCipher(['another secret that was dropped since']) })] as const;
}

function twoCollections(store: MemoryStore) {
  const create = (kind: string) => new EncryptedCollection<Note>(kind, { store, cipher });
  return [create('note'), create('draft')] as const;
}
