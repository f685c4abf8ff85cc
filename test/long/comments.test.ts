/** The published command is killed at write n of its SQLite files, for every n of a reply, an edit, a like and a removal, while a
 *  second process uses the files, and started again (contract, section 4: `VESTIBULE_THREADS`). Then the disk is full. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'supertest';
import type { PostCreated, Problem } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';
import { commentsOf } from '../lib/comments-of.ts';
import { freePort } from '../lib/free-port.ts';
import { expectStatus, ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';

const PAGE = `${new URL(PUBLIC_URL).origin}/article`;
const article = { forum: 'news', page: PAGE };

async function startWorld() {
  await using stack = new AsyncDisposableStack();
  const redirectUri = `${PUBLIC_URL}/sync/return`;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], threads: true }));
  const { path } = stack.use(await temporaryDirectory());
  const [plan, file, port] = [join(path, 'plan.json'), join(path, 'comments.db'), await freePort()];
  const env = bffEnvironment(service, PUBLIC_URL, {
    VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_THREADS: `sqlite:${file}`, KILL_AT: plan, VESTIBULE_RATE_LIMITS: 'off',
    NODE_COMPILE_CACHE: join(tmpdir(), 'vestibule-compile-cache'), VESTIBULE_SERVICE_TIMEOUT_MS: '1000',
  });
  const start = () => startProcess({ ...env, PORT: String(port) }, [], { nodeArgs: ['--import', import.meta.resolve('./_kill-sqlite.ts')] });
  let running: Running = await start();
  stack.defer(() => running[Symbol.asyncDispose]());
  const other = stack.use(await startProcess(env));
  const started = stack.move();
  return {
    service, file, other,
    browser: () => new ReaderClient({ server: `http://127.0.0.1:${port}`, path: '/vestibule', origin: new URL(PUBLIC_URL).origin, redirectUri, service }),
    isKilled: () => running.process.child.signalCode !== null,
    /** Plans the kill; `n` 0: none. */
    async arm(n: number, applied: boolean): Promise<void> {
      await writeFile(plan, JSON.stringify({ n, applied }));
      running.process.child.kill('SIGUSR2');
      await running.process.logged(`armed ${n}`).catch(() => undefined);
    },
    async restart(): Promise<void> {
      await running.process.end();
      running = await start();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

for (const applied of [false, true]) {
  it(`a process that is killed ${applied ? 'after' : 'before'} each write loses and doubles nothing in the thread`, async (t) => {
    await using world = await startWorld();
    const { service, file, other } = world;
    const joerg = other.browser(service);
    await joerg.signIn(service.readers[1]);
    const ada = world.browser();
    await ada.signIn();
    const parent = await created(joerg.post('/posts', { ...article, message: 'Parent' }).set('Idempotency-Key', randomUUID()));
    const outcomes: Record<string, number> = {};

    /** Repeats the identical request until its answer is final. @returns whether the process was killed, and the answer */
    const send = async (n: number, request: () => PromiseLike<Response>) => {
      await world.arm(n, applied);
      let res = await Promise.resolve(request()).catch(() => undefined);
      // A write after the answer may have ended it, too.
      if (res) await world.arm(0, applied);
      const isKilled = res === undefined || world.isKilled();
      if (isKilled) await world.restart();
      for (let i = 0; !res || (!res.ok && (JSON.parse(res.text) as Problem).retryable); i += 1) {
        assert.ok(i < 40, res?.text);
        if (res) await pause(Number(res.headers['retry-after'] ?? 1) * 1_000);
        res = await request();
      }
      return { isKilled, res };
    };
    const flows: Readonly<Record<string, (n: number, message: string) => Promise<boolean>>> = {
      async post(n, message) {
        const key = randomUUID();
        const { isKilled, res } = await send(n, () => ada.post('/posts', { ...article, message, parent }).set('Idempotency-Key', key));
        const outcome = res.status === 201 ? 'acknowledged' : 'unknown';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (res.status === 201) await until('the thread has it', () => commentsOf(file).some(({ text }) => text === message));
        else assert.equal(res.status, 504, res.text);
        return isKilled;
      },
      async edit(n, message) {
        const id = await created(ada.post('/posts', { ...article, message: `${message}, before` }).set('Idempotency-Key', randomUUID()));
        const { isKilled, res } = await send(n, () => ada.patch(`/posts/${id}`, { ...article, message }));
        expectStatus(res, 200);
        assert.equal(commentsOf(file).find((one) => one.id === id)?.text, message);
        return isKilled;
      },
      async like(n) {
        const { isKilled, res } = await send(n, () => ada.put(`/posts/${parent}/like`, { ...article, liked: n % 2 === 0 }));
        expectStatus(res, 200);
        assert.deepEqual(res.body, { likes: n % 2 === 0 ? 1 : 0 });
        return isKilled;
      },
      async remove(n, message) {
        const id = await created(ada.post('/posts', { ...article, message }).set('Idempotency-Key', randomUUID()));
        const { isKilled, res } = await send(n, () => ada.delete(`/posts/${id}?${new URLSearchParams(article)}`));
        assert.ok(res.status === 204 || (isKilled && res.status === 410), res.text);
        assert.equal(commentsOf(file).find((one) => one.id === id)?.state, 'removed');
        return isKilled;
      },
    };
    for (const [name, play] of Object.entries(flows)) {
      for (let n = 1; await play(n, `${name} ${n}`); n += 1) expectStatus(await joerg.get(`/posts?${new URLSearchParams(article)}`), 200);
    }
    const texts = commentsOf(file).flatMap(({ state, text }) => (state === 'removed' ? [] : [text]));
    assert.equal(new Set(texts).size, texts.length);
    const missing = service.posts.filter(({ id }) => !commentsOf(file).some((one) => one.id === id));
    t.diagnostic(JSON.stringify({ ...outcomes, missing: missing.length }));
    // The process ended between the service's answer and the record of it: the response is `outcome-unknown`.
    assert.ok(missing.length <= (outcomes['unknown'] ?? 0));
  });
}

describe('a file of comments on a full disk', () => {
  it('gets every acknowledged comment when there is room again', async () => {
    await using world = await startWorld();
    const { service, file, other } = world;
    const reader = other.browser(service);
    await reader.signIn();
    using db = new DatabaseSync(file);
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
    const acknowledged: string[] = [];
    const write = async (message: string) => {
      const res = await reader.post('/posts', { ...article, message: message.padEnd(9_000, '.') }).set('Idempotency-Key', randomUUID());
      expectStatus(res, 201);
      acknowledged.push(message);
    };
    await write('Before');
    // SQLite stops as on a full disk where a trigger says so: no connection but this one could set `max_page_count`.
    db.exec("CREATE TRIGGER full BEFORE INSERT ON comment BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END");
    for (let i = 0; i < 5; i += 1) await write(`Full ${i}`);
    assert.equal(commentsOf(file).length, 1);
    db.exec('DROP TRIGGER full');
    await until('the thread has them', () => commentsOf(file).length === acknowledged.length);
    assert.ok(Number(db.prepare('PRAGMA page_count').get()?.['page_count']) > pages);
  });
});

async function created(request: PromiseLike<Response>): Promise<string> {
  const res = await request;
  expectStatus(res, 201);
  return ((res.body as PostCreated).listed as { readonly id: string }).id;
}
