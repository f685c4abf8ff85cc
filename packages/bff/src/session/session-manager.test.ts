import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomId } from '../lib/identifiers.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { SessionManager, type Session } from './session-manager.ts';

const session = { user: { user_id: '7', username: 'Ada' }, accessToken: 'token' };
const lifetimes = { sessionIdleSeconds: 100, sessionAbsoluteSeconds: 1_000 };

/** Counts the calls that move an expiry. */
class CountingCollection extends EncryptedCollection<Session> {
  touches = 0;

  override touch(id: string, lifetimeMs: number): Promise<boolean> {
    this.touches += 1;
    return super.touch(id, lifetimeMs);
  }
}

interface Tools {
  readonly passTime: (seconds: number) => void;
  readonly now: () => number;
  readonly records: CountingCollection;
  /** Creates a session under a new id. */
  readonly create: () => Promise<string>;
}

type Test = (sessions: SessionManager, tools: Tools) => Promise<void>;

async function withSessions(test: Test): Promise<void> {
  let at = 1_000_000;
  const now = () => at;
  await using store = new MemoryStore({ now });
  const records = new CountingCollection('session', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']), now });
  const sessions = new SessionManager(records, lifetimes, now);
  const create = async () => {
    const id = randomId();
    await sessions.create(id, session);
    return id;
  };
  await test(sessions, { passTime: (seconds) => { at += seconds * 1000; }, now, records, create });
}

describe('SessionManager', () => {
  it('finds a session with the time of its sign-in', () => withSessions(async (sessions, { now, create }) => {
    assert.deepEqual(await sessions.find(await create()), { ...session, signedInAt: now() });
  }));

  it('finds nothing under another id', () => withSessions(async (sessions, { create }) => {
    const id = await create();
    for (const other of ['', 'x', `${id}x`, id.slice(1)]) assert.equal(await sessions.find(other), undefined);
  }));

  it('creates one session when the creation is repeated', () => withSessions(async (sessions, { create, records }) => {
    const id = await create();
    await sessions.create(id, session);
    assert.equal((await Array.fromAsync(records.all())).length, 1);
    await sessions.end(id);
    assert.equal(await sessions.find(id), undefined);
  }));

  it('expires after the idle lifetime', () => withSessions(async (sessions, { passTime, create }) => {
    const id = await create();
    passTime(99.9);
    assert.ok(await sessions.find(id));
    passTime(100);
    assert.equal(await sessions.find(id), undefined);
  }));

  it('is extended by requests up to the absolute lifetime', () => withSessions(async (sessions, { passTime, create }) => {
    const id = await create();
    for (let second = 0; second < 990; second += 90) {
      assert.ok(await sessions.find(id), String(second));
      passTime(90);
    }
    assert.ok(await sessions.find(id));
    passTime(9.9);
    assert.ok(await sessions.find(id));
    passTime(0.1);
    assert.equal(await sessions.find(id), undefined);
  }));

  it('ends at the absolute lifetime when the idle lifetime is longer', () => withSessions(async (_, { passTime, now, records }) => {
    const sessions = new SessionManager(records, { ...lifetimes, sessionAbsoluteSeconds: 50 }, now);
    await sessions.create('id', session);
    passTime(49.9);
    assert.ok(await sessions.find('id'));
    passTime(0.1);
    assert.equal(await sessions.find('id'), undefined);
  }));

  it('never sets an expiry after the absolute lifetime', () => withSessions(async (sessions, { passTime, now, records, create }) => {
    const id = await create();
    const end = now() + 1_000_000;
    for (let second = 0; second < 1_000; second += 90) {
      await sessions.find(id);
      assert.ok(((await records.find(id))?.expiresAt ?? Infinity) <= end, String(second));
      passTime(90);
    }
  }));

  it('applies a shortened absolute lifetime to sessions that exist', () => withSessions(async (_, { passTime, now, records, create }) => {
    const id = await create();
    const shortened = new SessionManager(records, { ...lifetimes, sessionAbsoluteSeconds: 50 }, now);
    passTime(49);
    assert.ok(await shortened.find(id));
    passTime(1);
    assert.equal(await shortened.find(id), undefined);
  }));

  it('moves the expiry once for many requests', () => withSessions(async (sessions, { passTime, records, create }) => {
    const id = await create();
    for (const seconds of [0, 5]) {
      passTime(seconds);
      for (let i = 0; i < 50; i += 1) await sessions.find(id);
      assert.equal(records.touches, 0);
    }
    passTime(0.1);
    for (let i = 0; i < 50; i += 1) await sessions.find(id);
    assert.equal(records.touches, 1);
  }));

  it('finds a session also if the store reads but does not take the extension', () => withSessions(async (sessions, { passTime, records, create }) => {
    const id = await create();
    passTime(50);
    records.touch = async () => { throw new StoreUnavailableError(new Error('READONLY')); };
    assert.deepEqual((await sessions.find(id))?.user, session.user);
    records.touch = async () => { throw new TypeError('a fault of ours'); };
    await assert.rejects(sessions.find(id), TypeError);
  }));

  it('ends one session and no other', () => withSessions(async (sessions, { create }) => {
    const [one, other] = [await create(), await create()];
    await sessions.end(one);
    await sessions.end(one);
    assert.deepEqual([await sessions.find(one), (await sessions.find(other))?.user], [undefined, session.user]);
  }));

  it('does not revive a session that ends between the read and the extension', () => withSessions(async (sessions, { passTime, records, create }) => {
    const id = await create();
    passTime(50);
    const find = records.find.bind(records);
    records.find = async (key) => {
      const found = await find(key);
      await sessions.end(key);
      return found;
    };
    await sessions.find(id);
    assert.equal(records.touches, 1);
    assert.equal(await find(id), undefined);
  }));
});
