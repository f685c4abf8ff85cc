import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Request, Response } from 'express';
import type { BrowserCookies } from '../session/browser-cookies.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { AuthorizationAttempts, type AuthorizationAttempt } from './authorization-attempts.ts';

const LIFETIME_MS = 60_000;
const attempt = { forum: 'news', returnTo: 'https://www.example.com/a', display: 'page', syncKeys: [] } as const;

interface World {
  /** Starts an attempt. @returns the suffix of its cookie */
  start(): Promise<string>;
  readonly attempts: AuthorizationAttempts;
  readonly records: EncryptedCollection<AuthorizationAttempt>;
  /** The browser's attempts: ids by suffix, the oldest first. */
  readonly jar: Map<string, string>;
  passTime(ms: number): void;
}

const req = {} as Request;
const res = {} as Response;

async function withAttempts(test: (world: World) => Promise<void>): Promise<void> {
  let at = 1_000_000;
  const now = () => at;
  await using store = new MemoryStore({ now });
  const records = new EncryptedCollection<AuthorizationAttempt>('attempt', {
    store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']), now,
  });
  const jar = new Map<string, string>();
  let created = 0;
  const cookies = {
    attempts: () => new Map(jar),
    setAttempt: (_: Response, id: string) => { created += 1; jar.set(String(created), id); },
    clearAttempt: (_: Response, suffix: string) => { jar.delete(suffix); },
  } as unknown as BrowserCookies;
  const attempts = new AuthorizationAttempts({ cookies, attempts: records, lifetimeMs: LIFETIME_MS });
  await test({
    attempts, records, jar,
    start: async () => { await attempts.start(req, res, attempt); return String(created); },
    passTime: (ms) => { at += ms; },
  });
}

describe('AuthorizationAttempts.start', () => {
  it('keeps the attempt for its lifetime, under the id of the cookie', () => withAttempts(async ({ start, records, jar, passTime }) => {
    const suffix = await start();
    const id = jar.get(suffix) ?? '';
    assert.deepEqual((await records.find(id))?.record, { ...attempt, sequence: 1 });
    passTime(LIFETIME_MS - 1);
    assert.notEqual(await records.find(id), undefined);
    passTime(1);
    assert.equal(await records.find(id), undefined);
  }));

  it('numbers the attempts of a browser', () => withAttempts(async ({ start, records, jar }) => {
    const sequenceOf = async (suffix: string) => (await records.find(jar.get(suffix) ?? ''))?.record.sequence;
    const [first, second] = [await start(), await start()];
    assert.deepEqual([await sequenceOf(first), await sequenceOf(second)], [1, 2]);
    jar.delete(first);
    assert.equal(await sequenceOf(await start()), 3);
  }));

  // A browser may send its cookies in any order.
  for (const order of ['the oldest first', 'the newest first']) {
    it(`replaces the oldest of five, ${order}`, () => withAttempts(async ({ start, jar, records }) => {
      for (let i = 0; i < 5; i += 1) await start();
      const [first = '', second = ''] = jar.values();
      const cookies = order === 'the oldest first' ? [...jar] : [...jar].toReversed();
      jar.clear();
      for (const [suffix, id] of cookies) jar.set(suffix, id);
      await start();
      assert.deepEqual([...jar.keys()].toSorted(), ['2', '3', '4', '5', '6']);
      assert.equal(await records.find(first), undefined);
      assert.notEqual(await records.find(second), undefined);
    }));
  }
});

describe('AuthorizationAttempts.endWithCode', () => {
  it('gives the newest open attempt to a code, and the same one again', () => withAttempts(async ({ start, attempts, jar }) => {
    const [, second] = [await start(), await start()];
    jar.set('x', 'the id of an expired attempt');
    assert.equal((await attempts.endWithCode(req, 'code'))?.suffix, second);
    assert.equal((await attempts.endWithCode(req, 'code'))?.suffix, second);
  }));

  it('gives another attempt to another code, and none to a third', () => withAttempts(async ({ start, attempts }) => {
    const [first, second] = [await start(), await start()];
    assert.equal((await attempts.endWithCode(req, 'one'))?.suffix, second);
    assert.equal((await attempts.endWithCode(req, 'two'))?.suffix, first);
    assert.equal(await attempts.endWithCode(req, 'three'), undefined);
  }));

  it('keeps a hash of the code, not the code', () => withAttempts(async ({ start, attempts, records, jar }) => {
    const suffix = await start();
    await attempts.endWithCode(req, 'a-secret-code');
    const record = (await records.find(jar.get(suffix) ?? ''))?.record;
    assert.match(record?.returnedCode ?? '', /^[\w-]{43}$/);
    assert.equal(record?.forum, 'news');
  }));

  it('gives an attempt to one of two concurrent codes', () => withAttempts(async ({ start, attempts }) => {
    await start();
    const found = await Promise.all([attempts.endWithCode(req, 'one'), attempts.endWithCode(req, 'two')]);
    assert.equal(found.filter((one) => one !== undefined).length, 1);
  }));
});

describe('AuthorizationAttempts.noteSync', () => {
  it('notes a sign-in once with each open attempt, the newest eight', () => withAttempts(async ({ start, attempts, records, jar }) => {
    const [ended, open] = [await start(), await start()];
    const syncKeysOf = async (suffix: string) => (await records.find(jar.get(suffix) ?? ''))?.record.syncKeys;
    await attempts.noteSync(req, 'key 0');
    await attempts.noteSync(req, 'key 0');
    assert.deepEqual([await syncKeysOf(ended), await syncKeysOf(open)], [['key 0'], ['key 0']]);
    await attempts.endWithCode(req, 'code');
    for (let i = 1; i <= 8; i += 1) await attempts.noteSync(req, `key ${i}`);
    assert.deepEqual(await syncKeysOf(open), ['key 0']);
    assert.deepEqual(await syncKeysOf(ended), Array.from({ length: 8 }, (_, i) => `key ${i + 1}`));
    assert.equal((await records.find(jar.get(ended) ?? ''))?.record.forum, 'news');
  }));
});

describe('AuthorizationAttempts.takeNotice', () => {
  it('delivers the notice of the newest ended attempt once, and leaves open attempts alone', () => withAttempts(async (world) => {
    const { start, attempts, records, jar } = world;
    const open = await start();
    for (const instance of ['older', 'newer']) {
      await start();
      assert.notEqual(await attempts.endWithNotice(req, { notice: 'rejected', instance }), undefined);
    }
    const cookies = [...jar].toReversed();
    jar.clear();
    for (const [suffix, id] of cookies) jar.set(suffix, id);
    const { notice, instance } = await attempts.takeNotice(req, res);
    assert.deepEqual([notice, instance], ['rejected', 'newer']);
    assert.deepEqual([...jar.keys()], [open]);
    assert.deepEqual((await Array.fromAsync(records.all())).length, 1);
    assert.deepEqual(await attempts.takeNotice(req, res), {});
  }));

  it('delivers the newest one also if its cookie comes last', () => withAttempts(async ({ start, attempts }) => {
    for (const instance of ['older', 'newer']) {
      await start();
      await attempts.endWithNotice(req, { notice: 'declined', instance });
    }
    assert.equal((await attempts.takeNotice(req, res)).instance, 'newer');
  }));

  it('finds none after another request took it', () => withAttempts(async ({ start, attempts, jar }) => {
    await start();
    await attempts.endWithNotice(req, { notice: 'declined' });
    const cookies = [...jar];
    const both = await Promise.all([attempts.takeNotice(req, res), attempts.takeNotice(req, res)]);
    assert.deepEqual(both.map(({ notice }) => notice).toSorted(), ['declined', undefined]);
    for (const [suffix, id] of cookies) jar.set(suffix, id);
    assert.deepEqual(await attempts.takeNotice(req, res), {});
  }));

  it('gives an ended attempt to no code and no second notice', () => withAttempts(async ({ start, attempts }) => {
    await start();
    await attempts.endWithNotice(req, { notice: 'declined' });
    assert.equal(await attempts.endWithCode(req, 'code'), undefined);
    assert.equal(await attempts.endWithNotice(req, { notice: 'rejected' }), undefined);
  }));
});

describe('AuthorizationAttempts.forget', () => {
  it('ends every attempt of the browser', () => withAttempts(async ({ start, attempts, records, jar }) => {
    await start();
    await start();
    await attempts.forget(req, res);
    assert.deepEqual([jar.size, (await Array.fromAsync(records.all())).length], [0, 0]);
  }));
});
