/** Typed, sealed records over a store. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprint } from '../lib/fingerprint.ts';
import { MemoryStore } from './memory-store.ts';
import { findTogether, Records } from './records.ts';
import { Sealer } from './sealed.ts';
import { StoreUnavailableError } from './store.ts';

interface Note {
  readonly text: string;
}

const HOUR_MS = 3_600_000;
const sealer = new Sealer(['a secret of the cookies that is long enough']);

describe('Records', () => {
  it('finds what it put, with its expiry', async () => {
    await using store = new MemoryStore({ now: () => 1_000 });
    const notes = new Records<Note>('note', { store, sealer });
    await notes.put('id', { text: 'text' }, HOUR_MS);
    assert.deepEqual(await notes.find('id'), { record: { text: 'text' }, expiresAt: 1_000 + HOUR_MS });
    assert.equal(await notes.find('another'), undefined);
  });

  it('keeps neither the id nor the record in the clear', async () => {
    await using store = new MemoryStore();
    await new Records<Note>('note', { store, sealer }).put('an-id-of-a-reader', { text: 'a reader\'s text' }, HOUR_MS);
    for await (const entry of store.entries('note:')) {
      assert.doesNotMatch(JSON.stringify(entry), /an-id-of-a-reader|reader's text/);
    }
  });

  it('keeps kinds apart, whose ids are the same', async () => {
    await using store = new MemoryStore();
    const [notes, drafts] = ['note', 'draft'].map((kind) => new Records<Note>(kind, { store, sealer })) as [Records<Note>, Records<Note>];
    await notes.put('id', { text: 'a note' }, HOUR_MS);
    await drafts.put('id', { text: 'a draft' }, HOUR_MS);
    assert.deepEqual(await notes.take('id'), { text: 'a note' });
    assert.deepEqual(await listOf(drafts), [{ text: 'a draft' }]);
  });

  it('takes a record that does not open for absent', async () => {
    await using store = new MemoryStore();
    const before = new Records<Note>('note', { store, sealer: new Sealer(['another secret of the cookies, gone by now']) });
    await before.put('id', { text: 'text' }, HOUR_MS);
    const after = new Records<Note>('note', { store, sealer });
    assert.equal(await after.find('id'), undefined);
    assert.deepEqual(await listOf(after), []);
    assert.equal(await after.take('id'), undefined);
  });

  it('finds the records of several places in one step', async () => {
    await using store = new MemoryStore({ now: () => 1_000 });
    const [notes, drafts] = ['note', 'draft'].map((kind) => new Records<Note>(kind, { store, sealer })) as [Records<Note>, Records<Note>];
    await notes.put('id', { text: 'a note' }, HOUR_MS);
    await drafts.put('id', { text: 'a draft' }, HOUR_MS);
    const found = await findTogether(store, [notes.at('id'), notes.at('another'), drafts.at('id')]);
    assert.deepEqual(found.map((one) => one?.record.text), ['a note', undefined, 'a draft']);
    assert.deepEqual(await findTogether(store, []), []);
  });

  it('finds by a fingerprint what it put under the identifier', async () => {
    await using store = new MemoryStore();
    const notes = new Records<Note>('note', { store, sealer });
    await notes.put('id', { text: 'text' }, HOUR_MS);
    assert.equal(notes.atFingerprint(fingerprint('id')).key, notes.at('id').key);
  });

  it('opens nothing that was moved under another key', async () => {
    await using store = new MemoryStore();
    const notes = new Records<Note>('note', { store, sealer });
    await notes.put('id', { text: 'text' }, HOUR_MS);
    const sealed = await store.get(notes.at('id').key);
    await store.set(notes.at('another').key, sealed?.value ?? '', HOUR_MS);
    assert.equal(await notes.find('another'), undefined);
    assert.deepEqual((await notes.find('id'))?.record, { text: 'text' });
  });

  it('lets the store\'s answers and its failures through', async () => {
    const store = new MemoryStore();
    const notes = new Records<Note>('note', { store, sealer });
    assert.equal(await notes.putIfAbsent('id', { text: 'first' }, HOUR_MS), true);
    assert.equal(await notes.putIfAbsent('id', { text: 'second' }, HOUR_MS), false);
    assert.equal(await notes.replace('id', { text: 'third' }, HOUR_MS), true);
    assert.equal(await notes.touch('id', HOUR_MS), true);
    assert.equal(await notes.delete('id'), true);
    assert.equal(await notes.replace('id', { text: 'late' }, HOUR_MS), false);
    await store[Symbol.asyncDispose]();
    await assert.rejects(notes.find('id'), StoreUnavailableError);
  });
});

async function listOf(records: Records<Note>): Promise<Note[]> {
  const found: Note[] = [];
  for await (const record of records.all()) found.push(record);
  return found;
}
