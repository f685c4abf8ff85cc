import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '@vestibule/bff';
import express, { type Router } from 'express';
import { Browser, expectProblem, expectStatus, type Bff } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';
import { importExample, listPosts, signedIn } from './_example.ts';

interface Example {
  createComments(config: VestibuleConfig, path: string): Promise<AsyncDisposable & { readonly router: Router }>;
}

/** The example in front of a service without threads. */
async function start(directory: TemporaryDirectory, port = 0): Promise<Bff> {
  const { createComments } = await importExample<Example>('own-database.mjs');
  await using stack = new AsyncDisposableStack();
  const server = createServer();
  const origin = await listen(server, { port });
  stack.defer(() => closeServer(server));
  const redirectUri = `${origin}/vestibule/sync/return`;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri] }));
  const comments = stack.use(await createComments({
    serviceUrl: service.url, publicKey: service.publicKey, secretKey: service.secretKey, forums: ['news'],
    publicUrl: `${origin}/vestibule`, cookieSecrets: [COOKIE_SECRET], store: 'memory:', rateLimits: 'off', logLevel: 'silent',
  }, join(directory.path, 'posts.db')));
  server.on('request', express().use('/vestibule', comments.router));
  const started = stack.move();
  const bff = {
    server, origin, service, redirectUri,
    browser: () => new Browser(bff),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  } as unknown as Bff;
  return bff;
}

const post = (browser: Browser, body: object, key: string = crypto.randomUUID()) => (
  browser.post('/posts', { forum: 'news', ...body }).set('Idempotency-Key', key)
);

describe('examples/own-database.mjs', () => {
  it('lists the created posts by article, also after a restart', async () => {
    await using directory = await temporaryDirectory();
    const port = await freePort();
    {
      await using bff = await start(directory, port);
      const [ada, jorg] = [await signedIn(bff), await signedIn(bff, 1)];
      expectStatus(await post(ada, { message: 'First', page: `${bff.origin}/a` }), 201);
      expectStatus(await post(jorg, { message: 'Second', page: `${bff.origin}/a` }), 201);
      expectStatus(await post(ada, { message: 'Elsewhere', page: `${bff.origin}/b` }), 201);
    }
    await using bff = await start(directory, port);
    const { posts } = await listPosts(bff, `${bff.origin}/a`);
    assert.deepEqual(posts.map(({ author, message }) => [author.username, message]), [['Jörg Ünterwald', 'Second'], ['Ada Quill', 'First']]);
  });

  it('writes a post once that is repeated under its key', async () => {
    await using directory = await temporaryDirectory();
    await using bff = await start(directory);
    const ada = await signedIn(bff);
    const body = { message: 'Once', page: `${bff.origin}/a` };
    for (const replayed of [undefined, 'true']) {
      const res = await post(ada, body, 'the-same-key');
      expectStatus(res, 201);
      assert.equal(res.headers['idempotency-replayed'], replayed);
    }
    assert.equal((await listPosts(bff, body.page)).posts.length, 1);
  });

  it('lists nothing that the service has not created', async () => {
    await using directory = await temporaryDirectory();
    await using bff = await start(directory);
    const ada = await signedIn(bff);
    const page = `${bff.origin}/a`;
    bff.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'closed' } });
    expectProblem(await post(ada, { message: 'Refused', page }), 'service-refused');
    expectProblem(await post(bff.browser(), { message: 'Not signed in', page }), 'not-signed-in');
    expectProblem(await post(ada, { message: 'Nowhere' }), 'post-rejected');
    assert.deepEqual(await listPosts(bff, page), { posts: [] });
  });

  it('lists a long thread in pages of 20', async () => {
    await using directory = await temporaryDirectory();
    await using bff = await start(directory);
    const ada = await signedIn(bff);
    const page = `${bff.origin}/a`;
    for (let i = 1; i <= 21; i += 1) expectStatus(await post(ada, { message: `Post ${i}`, page }), 201);
    const first = await listPosts(bff, page);
    const second = await listPosts(bff, page, first.next_cursor);
    assert.deepEqual([first.posts[0]?.message, first.posts.length], ['Post 21', 20]);
    assert.deepEqual([second.posts.map(({ message }) => message), second.next_cursor], [['Post 1'], undefined]);
  });
});
