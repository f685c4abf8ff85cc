import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Post, ProblemType } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { Idempotency, type IdempotencyRecord } from './idempotency.ts';

const intent = { scope: 'reader and key', body: 'hash of the body' };
const settings = { lifetimeMs: 1_000, workMs: 100 };

class Clock {
  at = 1_000_000;
  readonly now = (): number => this.at;
}

/** Records of a store that is lost in the middle. */
class LosingRecords extends EncryptedCollection<IdempotencyRecord> {
  override put(): Promise<never> {
    return Promise.reject(new StoreUnavailableError(undefined));
  }
}

/** Records of a store that is lost. */
class LostRecords extends LosingRecords {
  override putIfAbsent(): Promise<never> {
    return this.put();
  }
}

type Collection = typeof EncryptedCollection<IdempotencyRecord>;

function idempotencyOver(store: MemoryStore, clock: Clock, Kind: Collection = EncryptedCollection): Idempotency {
  const cipher = new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']);
  return new Idempotency(new Kind('post', { store, cipher }), settings, clock.now);
}

type Test = (idempotency: Idempotency, clock: Clock, store: MemoryStore) => Promise<void>;

async function withIdempotency(test: Test): Promise<void> {
  const clock = new Clock();
  await using store = new MemoryStore({ now: clock.now });
  await test(idempotencyOver(store, clock), clock, store);
}

/** Work that counts how often it was done. */
function counted(result: Post | Error = { id: '1' }) {
  const work = async (): Promise<Post> => {
    work.done += 1;
    if (result instanceof Error) throw result;
    return result;
  };
  work.done = 0;
  return work;
}

describe('Idempotency.once', () => {
  it('does the work once and gives the same answer again', () => withIdempotency(async (idempotency) => {
    const work = counted();
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: false });
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: true });
    assert.equal(work.done, 1);
  }));

  it('tells intents apart by their scope', () => withIdempotency(async (idempotency) => {
    const work = counted();
    await idempotency.once(intent, work);
    await idempotency.once({ ...intent, scope: 'another' }, work);
    assert.equal(work.done, 2);
  }));

  it('keeps the intent before the work begins', () => withIdempotency(async (idempotency, clock, store) => {
    await idempotency.once(intent, async () => {
      await assert.rejects(idempotencyOver(store, clock).once(intent, counted()), { type: 'post-in-progress' });
      return {};
    });
  }));

  it('does nothing where the intent cannot be kept', () => withIdempotency(async (_, clock, store) => {
    const work = counted();
    await assert.rejects(idempotencyOver(store, clock, LostRecords).once(intent, work), StoreUnavailableError);
    assert.equal(work.done, 0);
  }));

  it('says outcome-unknown where the outcome cannot be kept, and never does the work again', () => withIdempotency(async (_, clock, store) => {
    const work = counted();
    await assert.rejects(idempotencyOver(store, clock, LosingRecords).once(intent, work), { type: 'outcome-unknown' });
    clock.at += settings.workMs + 1;
    await assert.rejects(idempotencyOver(store, clock).once(intent, work), { type: 'outcome-unknown' });
    assert.equal(work.done, 1);
  }));

  it('does one of many at once; the others are told to wait', () => withIdempotency(async (idempotency) => {
    const gate = Promise.withResolvers<Post>();
    let done = 0;
    const all = Array.from({ length: 20 }, () => idempotency.once(intent, () => { done += 1; return gate.promise; }));
    const others = Promise.allSettled(all.slice(1));
    assert.ok((await others).every((one) => one.status === 'rejected' && (one.reason as ProblemError).type === 'post-in-progress'
      && (one.reason as ProblemError).retryAfterSeconds === 1));
    gate.resolve({ id: '7' });
    assert.deepEqual(await all[0], { post: { id: '7' }, replayed: false });
    assert.equal(done, 1);
  }));

  it('refuses another body under the same key, before, while and after the work', () => withIdempotency(async (idempotency) => {
    const other = { ...intent, body: 'another' };
    await idempotency.once(intent, async () => {
      await assert.rejects(idempotency.once(other, counted()), { type: 'idempotency-key-reused' });
      return {};
    });
    await assert.rejects(idempotency.once(other, counted()), { type: 'idempotency-key-reused' });
  }));

  for (const type of ['service-refused', 'bad-service-response', 'outcome-unknown'] as const satisfies ProblemType[]) {
    it(`keeps ${type} for good`, () => withIdempotency(async (idempotency) => {
      const work = counted(new ProblemError(type, { detail: 'Words.' }));
      await assert.rejects(idempotency.once(intent, work), { type, detail: 'Words.', replayed: false });
      await assert.rejects(idempotency.once(intent, counted()), { type, detail: 'Words.', replayed: true });
      assert.equal(work.done, 1);
    }));
  }

  for (const type of ['service-unavailable', 'not-signed-in'] as const satisfies ProblemType[]) {
    it(`lets the same key try again after ${type}`, () => withIdempotency(async (idempotency) => {
      await assert.rejects(idempotency.once(intent, counted(new ProblemError(type))), { type });
      assert.deepEqual(await idempotency.once(intent, counted()), { post: { id: '1' }, replayed: false });
    }));
  }

  it('keeps what nobody expected as outcome-unknown', () => withIdempotency(async (idempotency) => {
    await assert.rejects(idempotency.once(intent, counted(new TypeError('a bug'))), TypeError);
    await assert.rejects(idempotency.once(intent, counted()), { type: 'outcome-unknown', replayed: true });
  }));

  it('says outcome-unknown of a started post that no process can be working on any more', () => withIdempotency(async (idempotency, clock) => {
    void idempotency.once(intent, () => new Promise<never>(() => undefined));
    clock.at += settings.workMs;
    await assert.rejects(idempotency.once(intent, counted()), { type: 'post-in-progress' });
    clock.at += 1;
    const work = counted();
    await assert.rejects(idempotency.once(intent, work), { type: 'outcome-unknown' });
    assert.equal(work.done, 0);
  }));

  it('forgets an answer when its time is over', () => withIdempotency(async (idempotency, clock) => {
    await idempotency.once(intent, counted());
    clock.at += settings.lifetimeMs;
    assert.equal((await idempotency.once(intent, counted())).replayed, false);
  }));
});
