import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cookies } from '../http/cookies.ts';
import { ProblemError } from '../http/problem-error.ts';
import { contextOf } from '../http/request-context.ts';
import { serve, type Served } from '../http/_serve.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { BrowserCookies } from './browser-cookies.ts';
import { Readers } from './reader.ts';
import { SessionManager, type Session } from './session-manager.ts';

const SECRETS = ['a-cookie-secret-of-at-least-32-bytes'];
const ID = 'session-of-ada';
const user = { user_id: '7', username: 'Ada' };

interface Found {
  readonly reader?: object;
  readonly userId?: string;
  readonly lookups: number;
  readonly problem?: string;
  readonly diagnosis?: object;
}

class CountingSessions extends SessionManager {
  lookups = 0;

  override find(id: string): Promise<Session | undefined> {
    this.lookups += 1;
    return super.find(id);
  }
}

/** `/sign-in` sets the cookie, `/require` requires a reader, other paths find it twice. */
async function serveReaders(): Promise<Served & { readonly sessions: SessionManager }> {
  const store = new MemoryStore();
  const signed = new Cookies({ cookieSecrets: SECRETS, publicUrl: 'https://bff.example' });
  const cookies = new BrowserCookies(signed, { sessionAbsoluteSeconds: 100, syncSeconds: 10 });
  const records = new EncryptedCollection<Session>('session', { store, cipher: new RecordCipher(SECRETS) });
  const sessions = new CountingSessions(records, { sessionIdleSeconds: 100, sessionAbsoluteSeconds: 100 });
  const readers = new Readers(cookies, sessions);
  const served = await serve(async (req, res) => {
    sessions.lookups = 0;
    if (req.path === '/sign-in') cookies.setSessionId(res, ID);
    try {
      const found = req.path === '/require' ? [await readers.require(req)] : await Promise.all([readers.find(req), readers.find(req)]);
      res.json({ reader: found[0], userId: contextOf(req).userId, lookups: sessions.lookups });
    } catch (error) {
      assert.ok(error instanceof ProblemError);
      res.json({ problem: error.type, diagnosis: error.diagnosis, lookups: sessions.lookups });
    }
  });
  return {
    ...served,
    sessions,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function ask({ request }: Served, path: string, cookie = ''): Promise<Found> {
  return (await request.get(path).set('Cookie', cookie)).body as Found;
}

async function cookieOf({ request }: Served): Promise<string> {
  return ((await request.get('/sign-in')).headers['set-cookie'] as unknown as string[])[0]?.split(';')[0] ?? '';
}

describe('Readers', () => {
  it('finds the session of the cookie with its id, once per request, and records the user', async () => {
    await using served = await serveReaders();
    const cookie = await cookieOf(served);
    await served.sessions.create(ID, { user, accessToken: 'token' });
    const { reader, userId, lookups } = await ask(served, '/find', cookie);
    const { signedInAt: _, ...rest } = reader as Session;
    assert.deepEqual([rest, userId, lookups], [{ user, accessToken: 'token', sessionId: ID }, '7', 1]);
    assert.deepEqual((await ask(served, '/require', cookie)).reader, reader);
  });

  it('finds none without a cookie, without a lookup', async () => {
    await using served = await serveReaders();
    assert.deepEqual(await ask(served, '/find'), { lookups: 0 });
    const setting = 'VESTIBULE_PUBLIC_URL: its site is that of the pages, and the proxy passes cookies on';
    const diagnosis = { reason: 'no session cookie arrived', setting };
    assert.deepEqual(await ask(served, '/require'), { problem: 'not-signed-in', diagnosis, lookups: 0 });
  });

  it('finds none after the session has ended', async () => {
    await using served = await serveReaders();
    const cookie = await cookieOf(served);
    assert.deepEqual(await ask(served, '/find', cookie), { lookups: 1 });
    const diagnosis = { reason: 'the session expired or was ended', setting: 'nothing: the reader signs in again' };
    assert.deepEqual(await ask(served, '/require', cookie), { problem: 'not-signed-in', diagnosis, lookups: 1 });
  });
});
