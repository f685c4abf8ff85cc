/** Two processes on one file of comments (contract, section 4: `VESTIBULE_THREADS`): kills, and a lock of another program. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import type { PostCreated } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { commentsOf } from '../lib/comments-of.ts';
import { expectStatus, type ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';

const PAGE = `${new URL(PUBLIC_URL).origin}/article`;

async function startFleet() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], threads: true }));
  const { path } = stack.use(await temporaryDirectory());
  const file = join(path, 'comments.db');
  const env = bffEnvironment(service, PUBLIC_URL, {
    VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_THREADS: `sqlite:${file}`, VESTIBULE_RATE_LIMITS: 'off',
  });
  // Both create the files.
  const [one, two] = await Promise.all([startProcess(env), startProcess(env)]);
  stack.use(one);
  stack.use(two);
  const started = stack.move();
  return { service, env, file, one, two, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

function post(reader: ReaderClient, message: string, key: string = randomUUID()) {
  return reader.post('/posts', { forum: 'news', message, page: PAGE }).set('Idempotency-Key', key);
}

it('two processes on one file of comments have every acknowledged comment once, also where one is killed', async () => {
  await using fleet = await startFleet();
  const { service, env, file, one, two } = fleet;
  const readers = [one, one, two, two].map((running) => running.browser(service));
  for (const [i, reader] of readers.entries()) await reader.signIn(service.readers[i]);
  const acknowledged: string[] = [];
  const write = async (reader: ReaderClient, from: number, count: number) => {
    for (let i = 0; i < count; i += 1) {
      const message = `Comment ${from + i}`;
      const res = await Promise.resolve(post(reader, message)).catch(() => undefined);
      if (res?.status === 201) acknowledged.push(message);
    }
  };
  const writing = readers.map((reader, i) => write(reader, i * 100, 15));
  await until('comments are acknowledged', () => acknowledged.length >= 20);
  await one.process.kill('SIGKILL');
  await Promise.all(writing);
  await using again = await startProcess(env);
  const reader = again.browser(service);
  await reader.signIn();
  await write(reader, 900, 2);
  const messages = commentsOf(file).map(({ text }) => text);
  assert.deepEqual(acknowledged.filter((message) => !messages.includes(message)), []);
  assert.equal(new Set(messages).size, messages.length);
  assert.deepEqual(messages.filter((message) => !service.posts.some((one) => one.message === message)), []);
});

it('a file of comments that another program locks for longer than a request waits gets the comment later', async () => {
  await using fleet = await startFleet();
  const { service, file, one } = fleet;
  const reader = one.browser(service);
  await reader.signIn();
  expectStatus(await post(reader, 'Before'), 201);
  using other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  const res = await post(reader, 'Locked out');
  assert.deepEqual([res.status, (res.body as PostCreated).listed], [201, undefined]);
  assert.equal((await one.process.logged('SQLite: database is locked', 'reason'))['setting'], 'VESTIBULE_THREADS');
  other.exec('COMMIT');
  await until('the thread has the comment', () => commentsOf(file).some(({ text }) => text === 'Locked out'));
  assert.deepEqual(commentsOf(file).map(({ text }) => text), ['Before', 'Locked out']);
});
