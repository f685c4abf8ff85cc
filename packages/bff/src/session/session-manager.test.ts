import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryStore } from '../store/memory-store.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { SessionManager } from './session-manager.ts';
import type { Session } from './session.ts';

const session = { user: { user_id: '7', username: 'Ada' }, accessToken: 'token', forum: 'news' };
const lifetimes = { sessionIdleSeconds: 100, sessionAbsoluteSeconds: 1_000 };

/** Records that count how often an expiry was moved. */
class CountingRecords extends EncryptedCollection<Session> {
  touches = 0;

  override touch(id: string, lifetimeMs: number): Promise<boolean> {
    this.touches += 1;
    return super.touch(id, lifetimeMs);
  }
}

interface Tools {
  readonly pass: (seconds: number) => void;
  readonly now: () => number;
  readonly records: CountingRecords;
}

type Test = (sessions: SessionManager, tools: Tools) => Promise<void>;

async function withSessions(test: Test, bent: Partial<typeof lifetimes> = {}): Promise<void> {
  let at = 1_000_000;
  const now = () => at;
  await using store = new MemoryStore({ now });
  const records = new CountingRecords('session', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) });
  const sessions = new SessionManager(records, { ...lifetimes, ...bent }, now);
  await test(sessions, { pass: (seconds) => { at += seconds * 1000; }, now, records });
}

describe('SessionManager', () => {
  it('finds what it created, with the time of the sign-in', () => withSessions(async (sessions, { now }) => {
    const id = await sessions.create(session);
    assert.deepEqual(await sessions.find(id), { ...session, signedInAt: now() });
  }));

  it('gives every session an id of its own, and knows no other', () => withSessions(async (sessions) => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => sessions.create(session)));
    assert.equal(new Set(ids).size, 50);
    for (const id of ['', 'x', `${ids[0]}x`]) assert.equal(await sessions.find(id), undefined);
  }));

  it('ends where nobody asked for the idle lifetime', () => withSessions(async (sessions, { pass }) => {
    const id = await sessions.create(session);
    pass(99.9);
    assert.ok(await sessions.find(id));
    pass(100);
    assert.equal(await sessions.find(id), undefined);
  }));

  it('goes on as long as somebody asks, up to the absolute lifetime', () => withSessions(async (sessions, { pass }) => {
    const id = await sessions.create(session);
    for (let second = 0; second < 990; second += 90) {
      assert.ok(await sessions.find(id), String(second));
      pass(90);
    }
    assert.ok(await sessions.find(id));
    pass(9.9);
    assert.ok(await sessions.find(id));
    pass(0.1);
    assert.equal(await sessions.find(id), undefined);
  }));

  it('never lives longer than the absolute lifetime, even where the idle one is longer', () => withSessions(async (sessions, { pass }) => {
    const id = await sessions.create(session);
    pass(49.9);
    assert.ok(await sessions.find(id));
    pass(0.1);
    assert.equal(await sessions.find(id), undefined);
  }, { sessionAbsoluteSeconds: 50 }));

  it('is kept no longer than the absolute lifetime, whatever extends it', () => withSessions(async (sessions, { pass, now, records }) => {
    const id = await sessions.create(session);
    const end = now() + 1_000_000;
    for (let second = 0; second < 1_000; second += 90) {
      await sessions.find(id);
      assert.ok(((await records.find(id))?.expiresAt ?? Infinity) <= end, String(second));
      pass(90);
    }
  }));

  it('ends by the absolute lifetime that is set now, also where a longer one was at the sign-in', () => (
    withSessions(async (sessions, { pass, now, records }) => {
      const id = await sessions.create(session);
      const shortened = new SessionManager(records, { ...lifetimes, sessionAbsoluteSeconds: 50 }, now);
      pass(49);
      assert.ok(await shortened.find(id));
      pass(1);
      assert.equal(await shortened.find(id), undefined);
    })
  ));

  it('writes once for many requests', () => withSessions(async (sessions, { pass, records }) => {
    const id = await sessions.create(session);
    for (let i = 0; i < 50; i += 1) await sessions.find(id);
    assert.equal(records.touches, 0);
    pass(6);
    for (let i = 0; i < 50; i += 1) await sessions.find(id);
    assert.equal(records.touches, 1);
  }));

  it('ends one session and no other', () => withSessions(async (sessions) => {
    const [one, other] = await Promise.all([sessions.create(session), sessions.create(session)]);
    await sessions.end(one);
    await sessions.end(one);
    assert.deepEqual([await sessions.find(one), (await sessions.find(other))?.forum], [undefined, 'news']);
  }));

  it('does not bring an ended session back by a request that was under way', () => withSessions(async (sessions, { pass, records }) => {
    const id = await sessions.create(session);
    pass(50);
    const found = await records.find(id);
    await sessions.end(id);
    assert.ok(found);
    assert.equal(await records.touch(id, 1_000), false);
    assert.equal(await sessions.find(id), undefined);
  }));
});
