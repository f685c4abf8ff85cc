import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Post, ProblemType } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import { endTimersAtOnce } from '../lib/_immediate-timers.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { StoreUnavailableError } from '../store/store.ts';
import {
  EARLY_RESPONSE_AFTER_MS, Idempotency, respondEarly, STALLED_RETRY_SECONDS, type IdempotencyRecord, type Work,
} from './idempotency.ts';

const intent = { scope: 'reader and key', body: 'hash of the body', userId: '31007', requestId: 'request' };
const settings = { lifetimeMs: 100_000, workMs: 10_000 };

const settle = () => new Promise<void>((resolve) => { setImmediate(resolve); });

type Failure = 'fails' | 'fails after it was applied';

/** A store whose writes fail as often as `failures` says, from the next call on. */
class FailingStore extends MemoryStore {
  failures: readonly Failure[] = [];
  /** Reads and deletions fail too. */
  isDown = false;
  readonly #lookedUp = Promise.withResolvers<void>();

  override set(...args: Parameters<MemoryStore['set']>): Promise<void> {
    return this.#run(() => super.set(...args));
  }

  override setIfAbsent(...args: Parameters<MemoryStore['setIfAbsent']>): Promise<boolean> {
    return this.#run(() => super.setIfAbsent(...args));
  }

  override compareAndSet(...args: Parameters<MemoryStore['compareAndSet']>): Promise<boolean> {
    return this.#run(() => super.compareAndSet(...args));
  }

  override delete(...args: Parameters<MemoryStore['delete']>): Promise<boolean> {
    return this.isDown ? Promise.reject(lost()) : super.delete(...args);
  }

  override get(...args: Parameters<MemoryStore['get']>): ReturnType<MemoryStore['get']> {
    if (this.isDown) return Promise.reject(lost());
    this.#lookedUp.resolve();
    return super.get(...args);
  }

  /** Resolves after the first read that succeeded, and the steps that follow from it. */
  async lookedUp(): Promise<void> {
    await this.#lookedUp.promise;
    await settle();
  }

  async #run<T>(write: () => Promise<T>): Promise<T> {
    const [failure, ...later] = this.failures;
    this.failures = later;
    if (failure === undefined) return write();
    if (failure === 'fails after it was applied') await write();
    throw lost();
  }
}

/** Resolves after the attempts that follow a response, if each timer ends at once. */
async function lateAttempts(): Promise<void> {
  for (let round = 0; round < 80; round += 1) await settle();
}

function lost(): StoreUnavailableError {
  return new StoreUnavailableError(new Error('the connection is lost'));
}

interface World {
  readonly idempotency: Idempotency;
  /** A second process on the same store. */
  readonly other: Idempotency;
  readonly store: FailingStore;
  readonly records: EncryptedCollection<IdempotencyRecord>;
  readonly passTime: (ms: number) => void;
}

async function withIdempotency(test: (world: World) => Promise<void>): Promise<void> {
  let at = 1_000_000;
  const now = () => at;
  await using store = new FailingStore({ now });
  const cipher = new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']);
  const records = new EncryptedCollection<IdempotencyRecord>('post', { store, cipher, now });
  const [idempotency, other] = [0, 1].map(() => new Idempotency(records, settings, now));
  if (!idempotency || !other) throw new Error('unreachable');
  await test({ idempotency, other, store, records, passTime: (ms) => { at += ms; } });
}

interface CountedWork extends Work<unknown> {
  created: number;
}

/** Work that counts how often the service was called. */
function workOf(result: Post | Error | (() => Promise<Post>) = { id: '1' }): CountedWork {
  const work: CountedWork = {
    created: 0,
    refusal: () => undefined,
    create: async () => {
      work.created += 1;
      if (typeof result === 'function') return (result as () => Promise<Post>)();
      if (result instanceof Error) throw result;
      return result;
    },
  };
  return work;
}

describe('Idempotency.once', () => {
  it('creates one post and returns it again', () => withIdempotency(async ({ idempotency, other }) => {
    const work = workOf();
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: false });
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: true });
    assert.deepEqual(await other.once(intent, work), { post: { id: '1' }, replayed: true });
    assert.equal(work.created, 1);
  }));

  it('tells intents apart by their scope', () => withIdempotency(async ({ idempotency }) => {
    const work = workOf();
    await idempotency.once(intent, work);
    await idempotency.once({ ...intent, scope: 'another' }, work);
    assert.equal(work.created, 2);
  }));

  it('stores the intent before the work begins', () => withIdempotency(async ({ idempotency, other }) => {
    await idempotency.once(intent, workOf(async () => {
      await assert.rejects(other.once(intent, workOf()), { type: 'post-in-progress' });
      return {};
    }));
  }));

  it('runs the work of one of twenty concurrent requests; the others are post-in-progress', () => withIdempotency(async ({ idempotency }) => {
    const gate = Promise.withResolvers<Post>();
    const work = workOf(() => gate.promise);
    const [first, ...others] = Array.from({ length: 20 }, () => idempotency.once(intent, work));
    for (const other of others) await assert.rejects(other, { type: 'post-in-progress', retryAfterSeconds: 1 });
    gate.resolve({ id: '7' });
    assert.deepEqual(await first, { post: { id: '7' }, replayed: false });
    assert.equal(work.created, 1);
  }));

  it('refuses another body under the same key during and after the work', () => withIdempotency(async ({ idempotency }) => {
    const other = { ...intent, body: 'another' };
    await idempotency.once(intent, workOf(async () => {
      await assert.rejects(idempotency.once(other, workOf()), { type: 'idempotency-key-reused' });
      return {};
    }));
    await assert.rejects(idempotency.once(other, workOf()), { type: 'idempotency-key-reused' });
  }));

  for (const type of ['service-refused', 'bad-service-response', 'outcome-unknown', 'post-rejected'] as const satisfies ProblemType[]) {
    it(`returns ${type} again without another call`, () => withIdempotency(async ({ idempotency }) => {
      const work = workOf(new ProblemError(type, { detail: 'Words.' }));
      await assert.rejects(idempotency.once(intent, work), { type, detail: 'Words.', replayed: false });
      await assert.rejects(idempotency.once(intent, work), { type, detail: 'Words.', replayed: true });
      assert.equal(work.created, 1);
    }));
  }

  for (const type of ['service-unavailable', 'not-signed-in'] as const satisfies ProblemType[]) {
    it(`lets the same key try again after ${type}`, () => withIdempotency(async ({ idempotency }) => {
      await assert.rejects(idempotency.once(intent, workOf(new ProblemError(type))), { type });
      assert.deepEqual(await idempotency.once(intent, workOf()), { post: { id: '1' }, replayed: false });
    }));
  }

  it('keeps an unexpected error as outcome-unknown', () => withIdempotency(async ({ idempotency }) => {
    await assert.rejects(idempotency.once(intent, workOf(new TypeError('a bug'))), TypeError);
    await assert.rejects(idempotency.once(intent, workOf()), { type: 'outcome-unknown', replayed: true });
  }));

  it('is outcome-unknown when no process can be working on the post any more', () => withIdempotency(async ({ idempotency, other, passTime }) => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    void idempotency.once(intent, workOf(() => { resolve(); return new Promise<never>(() => undefined); }));
    await sent;
    passTime(settings.workMs);
    await assert.rejects(other.once(intent, workOf()), { type: 'post-in-progress' });
    passTime(1);
    const work = workOf();
    await assert.rejects(other.once(intent, work), { type: 'outcome-unknown' });
    assert.equal(work.created, 0);
  }));

  it('lets a repeated request wait longer when the post has been in flight for two seconds', () => withIdempotency(async ({ idempotency, other, passTime }) => {
    const gate = Promise.withResolvers<Post>();
    const first = idempotency.once(intent, workOf(() => gate.promise));
    await assert.rejects(other.once(intent, workOf()), { retryAfterSeconds: 1 });
    passTime(EARLY_RESPONSE_AFTER_MS - 1);
    await assert.rejects(other.once(intent, workOf()), { retryAfterSeconds: 1 });
    passTime(1);
    await assert.rejects(other.once(intent, workOf()), { type: 'post-in-progress', retryAfterSeconds: STALLED_RETRY_SECONDS });
    gate.resolve({});
    await first;
  }));

  it('names the request that began a post of unknown outcome, if its record does', () => withIdempotency(async ({ idempotency, records, passTime }) => {
    const diagnosis = { reason: 'the BFF ended, or lost its store, while it worked on the post', setting: 'log lines of first_request_id' };
    for (const [scope, first] of [['new', { request_id: 'request' }], ['of an earlier release', {}]] as const) {
      await records.put(scope, { state: 'started', attempt: 'a', body: intent.body, ...first }, settings.lifetimeMs);
    }
    passTime(settings.workMs + 1);
    const expected = { ...diagnosis, first_request_id: 'request' };
    await assert.rejects(idempotency.once({ ...intent, scope: 'new' }, workOf()), { type: 'outcome-unknown', diagnosis: expected });
    await assert.rejects(idempotency.once({ ...intent, scope: 'of an earlier release' }, workOf()), { type: 'outcome-unknown', diagnosis });
  }));

  it('stores each result as done, for other releases', () => withIdempotency(async ({ idempotency, records }) => {
    const rejection = new ProblemError('post-rejected', { detail: 'Closed.' });
    await idempotency.once({ ...intent, scope: 'created' }, workOf());
    await assert.rejects(idempotency.once({ ...intent, scope: 'refused' }, workOf(new ProblemError('service-refused'))));
    await assert.rejects(idempotency.once({ ...intent, scope: 'rejected' }, { ...workOf(), prepare: () => Promise.reject(rejection) }));
    for (const scope of ['created', 'refused', 'rejected']) assert.equal((await records.find(scope))?.record.state, 'done', scope);
  }));

  it('passes on a failure of the work also when its intent is gone', () => withIdempotency(async ({ idempotency, records }) => {
    const work = workOf(async () => {
      await records.delete(intent.scope);
      throw new ProblemError('service-unavailable');
    });
    await assert.rejects(idempotency.once(intent, work), { type: 'service-unavailable' });
  }));

  it('asks for a repeated request when another intent is removed at the same moment', () => withIdempotency(async ({ idempotency, store }) => {
    store.setIfAbsent = async () => false;
    await assert.rejects(idempotency.once(intent, workOf()), { type: 'post-in-progress', retryAfterSeconds: 1 });
  }));

  it('keeps a started post longer than it is in flight, whatever the lifetime of results', () => withIdempotency(async ({ records, passTime }) => {
    const brief = new Idempotency(records, { ...settings, lifetimeMs: 1_000 }, () => now);
    let now = 1_000_000;
    await brief.once(intent, workOf(async () => {
      for (const [ms, type] of [[settings.workMs, 'post-in-progress'], [1, 'outcome-unknown']] as const) {
        passTime(ms);
        now += ms;
        await assert.rejects(brief.once(intent, workOf()), { type });
      }
      return {};
    }));
  }));

  it('knows the age of a started post after the lifetime was changed', () => withIdempotency(async (world) => {
    const { idempotency, records, passTime } = world;
    const now = () => at;
    let at = 1_000_000;
    const lifetimes = [10 * settings.lifetimeMs, settings.lifetimeMs / 10];
    const others = lifetimes.map((lifetimeMs) => new Idempotency(records, { ...settings, lifetimeMs }, now));
    await idempotency.once(intent, workOf(async () => {
      for (const [ms, type] of [[settings.workMs, 'post-in-progress'], [1, 'outcome-unknown']] as const) {
        passTime(ms);
        at += ms;
        for (const other of others) await assert.rejects(other.once(intent, workOf()), { type });
      }
      return {};
    }));
  }));

  it('forgets the result after the lifetime', () => withIdempotency(async ({ idempotency, passTime }) => {
    await idempotency.once(intent, workOf());
    passTime(settings.lifetimeMs);
    assert.equal((await idempotency.once(intent, workOf())).replayed, false);
  }));
});

describe('Idempotency.once with a refusal', () => {
  const refusing = (): CountedWork => ({ ...workOf(), refusal: () => new ProblemError('service-unavailable') });

  it('stores and sends nothing', () => withIdempotency(async ({ idempotency, store }) => {
    const work = refusing();
    await assert.rejects(idempotency.once(intent, work), { type: 'service-unavailable' });
    assert.equal(work.created, 0);
    assert.deepEqual(await Array.fromAsync(store.entries('')), []);
  }));

  it('returns the result of a key that is done', () => withIdempotency(async ({ idempotency }) => {
    await idempotency.once(intent, workOf());
    assert.deepEqual(await idempotency.once(intent, refusing()), { post: { id: '1' }, replayed: true });
  }));
});

describe('Idempotency.once with prepare', () => {
  it('hands its result to the call', () => withIdempotency(async ({ idempotency }) => {
    const { post } = await idempotency.once(intent, {
      refusal: () => undefined,
      prepare: async () => ({ thread: '42' }),
      create: async (params) => ({ id: '1', ...params }),
    });
    assert.deepEqual(post, { id: '1', thread: '42' });
  }));

  it('does not run for a key that is done', () => withIdempotency(async ({ idempotency }) => {
    await idempotency.once(intent, workOf());
    const repeated = { ...workOf(), prepare: () => assert.fail('prepare ran') };
    assert.equal((await idempotency.once(intent, repeated)).replayed, true);
  }));

  it('runs again after it failed', () => withIdempotency(async ({ idempotency }) => {
    const failing = { ...workOf(), prepare: () => Promise.reject(new ProblemError('internal-error')) };
    await assert.rejects(idempotency.once(intent, failing), { type: 'internal-error' });
    assert.equal((await idempotency.once(intent, { ...workOf(), prepare: async () => ({}) })).replayed, false);
  }));

  it('refuses the post for good, without a call', () => withIdempotency(async ({ idempotency }) => {
    const rejecting = { ...workOf(), prepare: () => Promise.reject(new ProblemError('post-rejected', { detail: 'Closed.' })) };
    await assert.rejects(idempotency.once(intent, rejecting), { type: 'post-rejected', detail: 'Closed.', replayed: false });
    const again = { ...workOf(), prepare: async () => ({}) };
    await assert.rejects(idempotency.once(intent, again), { type: 'post-rejected', detail: 'Closed.', replayed: true });
    assert.deepEqual([rejecting.created, again.created], [0, 0]);
  }));
});

describe('Idempotency.once with two requests in prepare', () => {
  it('reports the post of the one that passed to the one that was rejected', () => withIdempotency(async ({ idempotency, other }) => {
    const passed = Promise.withResolvers<void>();
    const rejected = other.once(intent, {
      ...workOf(), prepare: async () => {
        await passed.promise;
        throw new ProblemError('post-rejected');
      },
    });
    await idempotency.once(intent, { ...workOf(), prepare: async () => ({}) });
    passed.resolve();
    assert.deepEqual(await rejected, { post: { id: '1' }, replayed: true });
  }));
});

describe('Idempotency.once on a store that fails', () => {
  it('removes an intent that the store writes after it was reported as failed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await withIdempotency(async ({ idempotency, records, store }) => {
      let lateWrite = async () => {};
      store.setIfAbsent = async (...args) => {
        lateWrite = async () => { await MemoryStore.prototype.setIfAbsent.apply(store, args); };
        throw lost();
      };
      await assert.rejects(idempotency.once(intent, workOf()), StoreUnavailableError);
      await settle();
      t.mock.timers.tick(500);
      await settle();
      await lateWrite();
      assert.equal((await records.find(intent.scope))?.record.state, 'started');
      for (let round = 0; round < 4; round += 1) {
        t.mock.timers.tick(500);
        await settle();
      }
      assert.equal(await records.find(intent.scope), undefined);
    });
  });

  it('looks once for an intent that was certainly not stored', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    store.setIfAbsent = () => Promise.reject(new StoreUnavailableError(undefined, { mayHaveApplied: false }));
    const get = t.mock.method(store, 'get');
    await assert.rejects(idempotency.once(intent, workOf()), StoreUnavailableError);
    const reads = get.mock.callCount();
    for (let round = 0; round < 4; round += 1) await settle();
    assert.equal(get.mock.callCount(), reads);
  }));

  it('sends nothing when the intent cannot be stored, and lets the same key try again', () => withIdempotency(async ({ idempotency, store }) => {
    const work = workOf();
    store.failures = ['fails'];
    await assert.rejects(idempotency.once(intent, work), StoreUnavailableError);
    assert.equal(work.created, 0);
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: false });
  }));

  it('goes on when only the reply to the stored intent was lost', () => withIdempotency(async ({ idempotency, store }) => {
    const work = workOf();
    store.failures = ['fails after it was applied'];
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: false });
    assert.equal(work.created, 1);
  }));

  it('sends nothing while replicas do not acknowledge the intent, and lets the same key try again', () => withIdempotency(async ({ idempotency, store }) => {
    const work = workOf();
    store.failures = new Array<Failure>(4).fill('fails after it was applied');
    await assert.rejects(idempotency.once(intent, work), StoreUnavailableError);
    assert.equal(work.created, 0);
    while ((await Array.fromAsync(store.entries(''))).length > 0) await new Promise((resolve) => { setImmediate(resolve); });
    assert.equal((await idempotency.once(intent, work)).replayed, false);
  }));

  it('does not take over the intent of a concurrent request when its own write fails', () => withIdempotency(async ({ idempotency, other, store }) => {
    const gate = Promise.withResolvers<Post>();
    const first = idempotency.once(intent, workOf(() => gate.promise));
    await assert.rejects(other.once(intent, workOf()), { type: 'post-in-progress' });
    store.failures = ['fails'];
    const work = workOf();
    await assert.rejects(other.once(intent, work), StoreUnavailableError);
    assert.equal(work.created, 0);
    gate.resolve({ id: '1' });
    assert.equal((await first).replayed, false);
  }));

  it('removes an intent that was stored before the store went down, and lets the same key try again', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    const work = workOf();
    store.failures = ['fails after it was applied'];
    store.isDown = true;
    await assert.rejects(idempotency.once(intent, work), StoreUnavailableError);
    assert.equal(work.created, 0);
    store.isDown = false;
    while ((await Array.fromAsync(store.entries(''))).length > 0) await new Promise((resolve) => { setImmediate(resolve); });
    assert.equal((await idempotency.once(intent, work)).replayed, false);
  }));

  it('leaves the intent of another request alone when the store is back', (t) => withIdempotency(async ({ idempotency, other, store }) => {
    endTimersAtOnce(t);
    store.failures = ['fails'];
    store.isDown = true;
    await assert.rejects(idempotency.once(intent, workOf()), StoreUnavailableError);
    const gate = Promise.withResolvers<Post>();
    store.isDown = false;
    const posting = other.once(intent, workOf(() => gate.promise));
    await store.lookedUp();
    assert.equal((await Array.fromAsync(store.entries(''))).length, 1);
    gate.resolve({ id: '1' });
    await posting;
    assert.equal((await idempotency.once(intent, workOf())).replayed, true);
  }));

  it('leaves an intent alone that another request stores while it removes its own', () => withIdempotency(async ({ idempotency, store, records }) => {
    const another: IdempotencyRecord = { body: intent.body, state: 'started', attempt: 'of another request' };
    const get = store.get.bind(store);
    store.get = async (key) => {
      const found = await get(key);
      await records.put(intent.scope, another, 60_000);
      return found;
    };
    await assert.rejects(idempotency.once(intent, workOf(new ProblemError('service-unavailable'))), { type: 'service-unavailable' });
    store.get = get;
    assert.deepEqual((await records.find(intent.scope))?.record, another);
  }));

  it('passes on an error that is not about the store being unavailable', () => withIdempotency(async ({ idempotency, store }) => {
    const work = workOf();
    store.setIfAbsent = async (...args) => {
      await MemoryStore.prototype.setIfAbsent.apply(store, args);
      throw new TypeError('a bug');
    };
    await assert.rejects(idempotency.once(intent, work), TypeError);
    assert.equal(work.created, 0);
  }));

  it('passes on such an error also when the result is stored', () => withIdempotency(async ({ idempotency, store }) => {
    const work = workOf(async () => {
      store.set = () => Promise.reject(new TypeError('a bug'));
      return { id: '1' };
    });
    await assert.rejects(idempotency.once(intent, work), TypeError);
    assert.equal(work.created, 1);
  }));

  it('returns the post when its record cannot be kept; the key then ends as outcome-unknown', (t) => withIdempotency(async ({ idempotency, store, passTime }) => {
    endTimersAtOnce(t);
    const work = workOf(async () => {
      store.failures = new Array<Failure>(100).fill('fails');
      return { id: '1' };
    });
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: false });
    await lateAttempts();
    store.failures = [];
    passTime(settings.workMs + 1);
    await assert.rejects(idempotency.once(intent, work), { type: 'outcome-unknown' });
    assert.equal(work.created, 1);
  }));

  it('keeps the post when the store is back after the response', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    const work = workOf(async () => {
      store.failures = new Array<Failure>(6).fill('fails');
      return { id: '1' };
    });
    await idempotency.once(intent, work);
    const set = t.mock.method(store, 'set');
    await lateAttempts();
    assert.deepEqual(await idempotency.once(intent, work), { post: { id: '1' }, replayed: true });
    assert.equal(set.mock.callCount(), 3);
  }));

  it('keeps a final problem when the store is back after the response', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    const rejected = { type: 'post-rejected', detail: 'No.' };
    const work = workOf(async () => {
      store.failures = new Array<Failure>(4).fill('fails');
      throw new ProblemError('post-rejected', { detail: 'No.' });
    });
    await assert.rejects(idempotency.once(intent, work), rejected);
    await lateAttempts();
    await assert.rejects(idempotency.once(intent, work), rejected);
    assert.equal(work.created, 1);
  }));

  it('lets the same key try again when nothing was posted and the store is back after the response', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    const down = workOf(async () => {
      store.isDown = true;
      throw new ProblemError('service-unavailable');
    });
    await assert.rejects(idempotency.once(intent, down), { type: 'service-unavailable' });
    store.isDown = false;
    await lateAttempts();
    assert.deepEqual(await idempotency.once(intent, workOf()), { post: { id: '1' }, replayed: false });
  }));

  it('tries to keep a result for a minute, with pauses that double from 500 ms', (t) => withIdempotency(async ({ idempotency, store }) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let ms = 0;
    const pass = async () => {
      ms += 100;
      t.mock.timers.tick(100);
      for (let step = 0; step < 3; step += 1) await settle();
    };
    const posting = idempotency.once(intent, workOf(async () => {
      store.failures = new Array<Failure>(100).fill('fails');
      return { id: '1' };
    }));
    let hasResponse = false;
    void posting.then(() => { hasResponse = true; });
    while (!hasResponse && ms < 10_000) await pass();

    ms = 0;
    const times: number[] = [];
    t.mock.method(store, 'set', () => {
      times.push(ms);
      return Promise.reject(lost());
    });
    while (ms < 150_000) await pass();
    assert.deepEqual(times, [500, 1_500, 3_500, 7_500, 15_500, 31_500, 63_500]);
  }));

  it('leaves what another request with the key has stored when the store had lost the record', (t) => withIdempotency(async ({ idempotency, other, store }) => {
    endTimersAtOnce(t);
    await assert.rejects(idempotency.once(intent, workOf(async () => {
      for await (const [key] of store.entries('')) await store.delete(key);
      await other.once(intent, workOf({ id: '2' }));
      throw new ProblemError('outcome-unknown');
    })), { type: 'outcome-unknown' });
    assert.deepEqual(await idempotency.once(intent, workOf()), { post: { id: '2' }, replayed: true });
  }));

  it('does not repeat a write of a result that fails for another reason', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    await idempotency.once(intent, workOf(async () => {
      store.failures = new Array<Failure>(4).fill('fails');
      return { id: '1' };
    }));
    const set = t.mock.method(store, 'set', () => Promise.reject(new TypeError('a bug')));
    await lateAttempts();
    assert.equal(set.mock.callCount(), 1);
  }));

  it('keeps the result when the store recovers in time', (t) => withIdempotency(async ({ idempotency, store }) => {
    endTimersAtOnce(t);
    const work = workOf(async () => {
      store.failures = ['fails', 'fails after it was applied'];
      return { id: '1' };
    });
    await idempotency.once(intent, work);
    assert.equal((await idempotency.once(intent, work)).replayed, true);
  }));
});

describe('Idempotency.idle', () => {
  it('resolves when no post is in flight', () => withIdempotency(async ({ idempotency }) => {
    const gate = Promise.withResolvers<Post>();
    const posting = idempotency.once(intent, workOf(() => gate.promise));
    let isIdle = false;
    const idle = idempotency.idle().then(() => { isIdle = true; });
    await new Promise((resolve) => { setImmediate(resolve); });
    assert.equal(isIdle, false);
    gate.resolve({});
    await Promise.all([idle, posting]);
  }));
});

describe('respondEarly', { concurrency: false }, () => {
  const timed = (name: string, test: () => Promise<void>) => it(name, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      await test();
    } finally {
      mock.timers.reset();
    }
  });

  timed('returns the result however long it takes, unless the service stalls', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const response = respondEarly(promise, () => false, () => assert.fail());
    mock.timers.tick(60_000);
    resolve('done');
    assert.equal(await response, 'done');
  });

  timed('waits two seconds in any case, then rejects as soon as the service stalls', async () => {
    let isStalled = true;
    const problems: ProblemError[] = [];
    const response = respondEarly(new Promise(() => undefined), () => isStalled, () => assert.fail());
    response.catch((error: ProblemError) => problems.push(error));
    mock.timers.tick(EARLY_RESPONSE_AFTER_MS - 1);
    await settle();
    isStalled = false;
    mock.timers.tick(500);
    await settle();
    assert.deepEqual(problems, []);
    isStalled = true;
    mock.timers.tick(100);
    await settle();
    assert.deepEqual(problems.map(({ type, retryAfterSeconds }) => [type, retryAfterSeconds]), [['post-in-progress', STALLED_RETRY_SECONDS]]);
  });

  timed('reports a failure after the early response', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const failures: unknown[] = [];
    const response = assert.rejects(respondEarly(promise, () => true, (error) => failures.push(error)), { type: 'post-in-progress' });
    mock.timers.tick(EARLY_RESPONSE_AFTER_MS);
    await response;
    reject('late');
    await settle();
    assert.deepEqual(failures, ['late']);
  });

  timed('passes on a failure of the work and stops checking', async () => {
    let checks = 0;
    await assert.rejects(respondEarly(Promise.reject(new Error('no')), () => { checks += 1; return true; }, () => assert.fail()), /no/);
    mock.timers.tick(10_000);
    assert.equal(checks, 0);
  });
});
