/** Size of the BFF's source, and the source files that execute code for one request. */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import supertest, { type Response } from 'supertest';
import { endpoints, type SessionView } from '@vestibule/shared';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';

const root = resolve(import.meta.dirname, '../..');

export interface SourceSize {
  readonly files: number;
  readonly lines: number;
}

/** Counts the files of `packages/bff/src` and their lines, without tests and their helpers (`_*.ts`). */
export async function measureSource(): Promise<SourceSize> {
  let [files, lines] = [0, 0];
  for await (const path of glob('**/*.ts', { cwd: join(root, 'packages/bff/src') })) {
    if (/(?:^|\/)_[^/]*$|\.test\.ts$/.test(path)) continue;
    files += 1;
    lines += (await readFile(join(root, 'packages/bff/src', path), 'utf8')).split('\n').length - 1;
  }
  return { files, lines };
}

/** Source files by request. `sync`: the requests of a sign-in of the standard variant together. */
export type ExecutedFiles = Readonly<Record<'session' | 'post' | 'sync', readonly string[]>>;

/** Measures with a SQLite store, after a first round that loads what is loaded on demand. */
export async function measureRequests(): Promise<ExecutedFiles> {
  await using directory = await temporaryDirectory();
  const publicUrl = 'http://127.0.0.1/vestibule';
  const redirectUri = `${publicUrl}${endpoints.syncReturn.path}`;
  await using service = await startEmulatedService({ redirectUris: [redirectUri] });
  // Functions from the compile cache have less precise coverage.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const child = fork(join(import.meta.dirname, '_measured-process.ts'), { execArgv: ['--conditions=@vestibule/source'], env });
  child.send({
    serviceUrl: service.url, publicKey: service.publicKey, secretKey: service.secretKey, forums: ['news'], publicUrl,
    cookieSecrets: [COOKIE_SECRET], store: `sqlite:${join(directory.path, 'vestibule.db')}`,
  });
  const [{ port }] = await once(child, 'message') as [{ port: number }];
  const agent = supertest.agent(`http://127.0.0.1:${port}`);

  async function executed(work: () => Promise<void>): Promise<readonly string[]> {
    await takeFiles();
    await work();
    return takeFiles();
  }

  async function takeFiles(): Promise<readonly string[]> {
    child.send('take');
    const [{ files }] = await once(child, 'message') as [{ files: readonly string[] }];
    return files.map((file) => file.slice(root.length + 1));
  }

  async function signIn(): Promise<void> {
    const authorize = agent.get('/vestibule/sync/authorize').query({ forum: 'news' }).set('Sec-Fetch-Site', 'same-origin').redirects(0);
    expectStatus(await authorize, 302);
    const returned = { ...service.issueReturn({ redirectUri }) };
    expectStatus(await agent.get('/vestibule/sync/return').query(returned).redirects(0), 303);
    const { sync } = (await agent.get('/vestibule/session')).body as SessionView;
    const body = { sync: sync?.id, username: sync?.user.username, answers: {} };
    expectStatus(await agent.post('/vestibule/sync/validation').set('Origin', 'http://127.0.0.1').send(body), 200);
  }

  async function getSession(): Promise<void> {
    expectStatus(await agent.get('/vestibule/session'), 200);
  }

  async function createPost(): Promise<void> {
    const key = crypto.randomUUID();
    const request = agent.post('/vestibule/posts').set('Origin', 'http://127.0.0.1').set('Idempotency-Key', key);
    expectStatus(await request.send({ forum: 'news', message: `Hello ${key}` }), 201);
  }

  try {
    for (const work of [signIn, getSession, createPost]) await work();
    return { sync: await executed(signIn), session: await executed(getSession), post: await executed(createPost) };
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

function expectStatus(res: Response, status: number): void {
  assert.equal(res.status, status, res.text);
}
