import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Notice } from '@vestibule/shared';
import { Cookies } from '../http/cookies.ts';
import { serveApp, type Served } from '../http/_serve.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { AuthorizationAttempts, type AuthorizationAttempt } from '../sync/authorization-attempts.ts';
import { ada, createSignInProcess, grantOf, returnOf, type SignInProcess } from '../sync/_sign-in-world.ts';
import { syncIdOf, type FoundSync } from '../sync/sync-transaction.ts';
import { BrowserCookies } from './browser-cookies.ts';
import { Readers } from './reader.ts';
import { createSessionRouter } from './session-router.ts';

const SECRETS = ['a-cookie-secret-of-at-least-32-bytes'];
const fields = [{ name: 'age', type: 'number', label: { en: 'Your age', de: 'Ihr Alter' } }];
const config = { messageMaxLength: 280, validation: { fields } } as unknown as Parameters<typeof createSessionRouter>[0]['config'];
const limits = { message_max_length: 280 };

interface Fixture extends Served {
  readonly process: SignInProcess;
  readonly attempts: EncryptedCollection<AuthorizationAttempt>;
  /** Starts a sign-in. @returns its key */
  startSync(sequence: number): Promise<string>;
  /** Ends a sign-in as declined, with a notice or without. */
  end(key: string, notice?: Notice): Promise<void>;
  /** @returns the `Cookie` header with a session, sign-ins and an attempt */
  cookieFor(given: { readonly session?: string; readonly syncs?: readonly string[]; readonly attempt?: string }): Promise<string>;
}

async function serveSession(): Promise<Fixture> {
  const store = new MemoryStore();
  const process = createSignInProcess({ store, exchange: async () => grantOf(ada) });
  const { transactions, sessions, signIn } = process;
  const signed = new Cookies({ cookieSecrets: SECRETS, publicUrl: 'http://bff.example' });
  const cookies = new BrowserCookies(signed, { sessionAbsoluteSeconds: 100, syncSeconds: 10 });
  const records = new EncryptedCollection<AuthorizationAttempt>('attempt', { store, cipher: new RecordCipher(SECRETS) });
  const attempts = new AuthorizationAttempts({ cookies, attempts: records, lifetimeMs: 10_000 });
  const readers = new Readers(cookies, sessions);
  const served = await serveApp((app) => {
    app.use('/cookie/:kind/:id', (req, res) => {
      const { kind, id } = req.params as { kind: string; id: string };
      if (kind === 'session') cookies.setSessionId(res, id);
      else if (kind === 'sync') cookies.setSyncKey(res, id, cookies.syncKeys(req));
      else cookies.setAttempt(res, id);
      res.end();
    });
    app.use(createSessionRouter({ config, cookies, readers, sessions, transactions, attempts, signIn }));
  });
  const cookieOf = async (kind: string, id: string) => linesOf(await served.request.get(`/cookie/${kind}/${id}`)).map((line) => line.split(';')[0] ?? '');
  return {
    ...served,
    process,
    attempts: records,
    startSync: (sequence) => transactions.start({ ...returnOf(`code-${sequence}`), forum: 'news', sequence }),
    async end(key, notice) {
      const found = await transactions.find(key) as FoundSync;
      const result = { problem: 'outcome-unknown', detail: 'detail' } as const;
      const { sequence } = found.record;
      assert.ok(await transactions.move(found, { state: 'done', sequence, result, ...(notice && { notice }) }));
    },
    async cookieFor({ session, syncs = [], attempt }) {
      const pairs = await Promise.all([
        ...(session === undefined ? [] : [cookieOf('session', session)]),
        ...syncs.map((key) => cookieOf('sync', key)),
        ...(attempt === undefined ? [] : [cookieOf('attempt', attempt)]),
      ]);
      return pairs.flat().join('; ');
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const linesOf = ({ headers }: { headers: unknown }) => (headers as { 'set-cookie'?: string[] })['set-cookie'] ?? [];

const get = ({ request }: Served, cookie = '', query = '') => request.get(`/session${query}`).set('Cookie', cookie);

describe('GET /session', () => {
  it('describes an anonymous reader, and sets no cookie', async () => {
    await using served = await serveSession();
    const response = await get(served);
    assert.deepEqual([response.status, response.body, linesOf(response)], [200, { state: 'anonymous', limits }, []]);
  });

  it('describes the session and the newest sign-in of the cookies; ignores cookies without a record', async () => {
    await using served = await serveSession();
    await served.process.sessions.create('session', { user: { ...ada, proven: true } as never, accessToken: 'token' });
    const keys = [await served.startSync(2), await served.startSync(1)];
    const cookie = await served.cookieFor({ session: 'session', syncs: [...keys, 'a-key-without-a-record'] });
    const { body } = await get(served, cookie) as { body: { state: string; user: object; sync: { id: string } } };
    assert.deepEqual([body.state, body.user, body.sync.id], ['signed-in', ada, syncIdOf(keys[0] ?? '')]);
  });

  it('has the questions in the language of the request', async () => {
    await using served = await serveSession();
    const cookie = await served.cookieFor({ syncs: [await served.startSync(1)] });
    const { body } = await get(served, cookie).set('Accept-Language', 'de-AT') as { body: { sync: { form: { fields: { label: string }[] } } } };
    assert.equal(body.sync.form.fields[0]?.label, 'Ihr Alter');
  });

  it('delivers the notice of a sign-in once, and keeps the rest of its record', async () => {
    await using served = await serveSession();
    const [noticed, without, unfinished] = [await served.startSync(1), await served.startSync(2), await served.startSync(3)];
    await served.end(noticed, 'declined');
    await served.end(without);
    const cookie = await served.cookieFor({ syncs: [noticed, without, unfinished] });
    const untouched = (await served.process.transactions.find(without))?.record.revision;
    assert.equal((await get(served, cookie)).body.notice, 'declined');
    assert.equal((await get(served, cookie)).body.notice, undefined);
    const { revision: _, ...record } = (await served.process.transactions.find(noticed))?.record ?? assert.fail();
    assert.deepEqual(record, { state: 'done', sequence: 1, result: { problem: 'outcome-unknown', detail: 'detail' } });
    assert.equal((await served.process.transactions.find(without))?.record.revision, untouched);
    assert.equal((await served.process.transactions.find(unfinished))?.record.state, 'validating');
  });

  it('delivers the notice of an attempt rather than that of a sign-in, and that of the first sign-in rather than a later one', async () => {
    await using served = await serveSession();
    const keys = [await served.startSync(1), await served.startSync(2)];
    await served.end(keys[0] ?? '', 'rejected');
    await served.end(keys[1] ?? '', 'declined');
    await served.attempts.put('attempt-of-ada', { syncKeys: [], sequence: 1, notice: 'already-granted' } as unknown as AuthorizationAttempt, 10_000);
    assert.equal((await get(served, await served.cookieFor({ syncs: keys, attempt: 'attempt-of-ada' }))).body.notice, 'already-granted');

    const others = [await served.startSync(1), await served.startSync(2)];
    await served.end(others[0] ?? '', 'rejected');
    await served.end(others[1] ?? '', 'declined');
    const cookie = await served.cookieFor({ syncs: others });
    assert.equal((await get(served, cookie)).body.notice, 'rejected');
  });

  it('delivers no notice that another request takes at the same time', async () => {
    await using served = await serveSession();
    const key = await served.startSync(1);
    await served.end(key, 'declined');
    served.process.transactions.move = async () => undefined;
    assert.equal((await get(served, await served.cookieFor({ syncs: [key] }))).body.notice, undefined);
  });

  it('leaves a notice where a box waits for the window that shows it', async () => {
    await using served = await serveSession();
    const key = await served.startSync(1);
    await served.end(key, 'declined');
    const cookie = await served.cookieFor({ syncs: [key] });
    for (const query of ['?watch', '?watch=1']) assert.equal((await get(served, cookie, query)).body.notice, undefined);
    assert.equal((await get(served, cookie)).body.notice, 'declined');
  });

  it('takes no notice for HEAD', async () => {
    await using served = await serveSession();
    const key = await served.startSync(1);
    await served.end(key, 'declined');
    const cookie = await served.cookieFor({ syncs: [key] });
    assert.equal((await served.request.head('/session').set('Cookie', cookie)).status, 200);
    assert.equal((await get(served, cookie)).body.notice, 'declined');
  });
});

describe('DELETE /session', () => {
  it('ends the session, the sign-ins and the attempts of the browser, and clears their cookies', async () => {
    await using served = await serveSession();
    const { sessions, transactions } = served.process;
    await sessions.create('session', { user: ada as never, accessToken: 'token' });
    await served.attempts.put('attempt-of-ada', { syncKeys: [], sequence: 1 } as unknown as AuthorizationAttempt, 10_000);
    const [key, other] = [await served.startSync(1), await served.startSync(2)];
    const cookie = await served.cookieFor({ session: 'session', syncs: [key], attempt: 'attempt-of-ada' });
    const response = await served.request.delete('/session').set('Cookie', cookie);
    assert.deepEqual([response.status, response.text], [204, '']);
    assert.deepEqual([await sessions.find('session'), await transactions.find(key), await served.attempts.find('attempt-of-ada')], [undefined, undefined, undefined]);
    assert.ok(await transactions.find(other));
    const cleared = linesOf(response);
    assert.ok(cleared.every((line) => line.includes('Expires=Thu, 01 Jan 1970')));
    assert.deepEqual(cleared.map((line) => line.split('=')[0]).toSorted(), cookie.split('; ').map((pair) => pair.split('=')[0]).toSorted());
  });

  it('ends and clears nothing for a browser without a cookie', async () => {
    await using served = await serveSession();
    served.process.sessions.end = () => Promise.reject(new Error('not expected'));
    const response = await served.request.delete('/session');
    assert.deepEqual([response.status, linesOf(response)], [204, []]);
  });

  it('has one path in one spelling, JSON, and no other method', async () => {
    await using served = await serveSession();
    assert.equal((await served.request.get('/Session')).status, 404);
    assert.equal((await get(served).set('Accept', 'text/html')).status, 406);
    const { status, headers } = await served.request.put('/session');
    assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, DELETE']);
  });
});
