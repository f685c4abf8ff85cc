/** The example modules of the BFF (`packages/bff/examples`) before the emulated service. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '@vestibule/bff';
import type { PostList } from '@vestibule/shared';
import express, { type Router } from 'express';
import { MOUNT, startBff } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly service: EmulatedService;
  browser(): ReaderClient;
}

async function importExample<Exports>(name: string): Promise<Exports> {
  return await import(new URL(`../../packages/bff/examples/${name}`, import.meta.url).href) as Exports;
}

/** `threads-service.mjs`, before a service with threads. */
async function startThreads(): Promise<Site> {
  const { default: config } = await importExample<{ default: Partial<VestibuleConfig> }>('threads-service.mjs');
  return startBff({ rateLimits: 'off', ...config, serviceOptions: { threads: true } });
}

interface OwnDatabase {
  createComments(config: VestibuleConfig, path: string): Promise<AsyncDisposable & { readonly router: Router }>;
}

/** `own-database.mjs`, before a service without threads. */
async function startOwnDatabase(path?: string): Promise<Site> {
  const { createComments } = await importExample<OwnDatabase>('own-database.mjs');
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const server = createServer();
  const origin = await listen(server);
  stack.defer(() => closeServer(server));
  const redirectUri = `${origin}${MOUNT}/sync/return`;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri] }));
  const comments = stack.use(await createComments({
    serviceUrl: service.url, publicKey: service.publicKey, secretKey: service.secretKey, forums: ['news'], publicUrl: origin + MOUNT,
    allowedOrigins: [origin, 'https://www.example.com'], cookieSecrets: [COOKIE_SECRET], store: 'memory:', rateLimits: 'off', logLevel: 'silent',
  }, path ?? join(directory.path, 'posts.db')));
  server.on('request', express().use(MOUNT, comments.router));
  const started = stack.move();
  return {
    origin, service,
    browser: () => new ReaderClient({ server, path: MOUNT, origin, redirectUri, service }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function signedIn(site: Site, reader = 0) {
  const browser = site.browser();
  await browser.signIn(site.service.readers[reader]);
  return {
    post: (message: string, page?: string, key: string = crypto.randomUUID()) => (
      browser.post('/posts', { forum: 'news', message, page }).set('Idempotency-Key', key)
    ),
  };
}

async function listPosts(site: Site, page: string, cursor?: string): Promise<PostList> {
  const query = new URLSearchParams({ forum: 'news', page, ...(cursor !== undefined && { cursor }) });
  const res = await site.browser().get(`/posts?${query}`);
  expectStatus(res, 200);
  return res.body as PostList;
}

for (const [name, start] of [['threads-service.mjs', startThreads], ['own-database.mjs', startOwnDatabase]] as const) {
  describe(`examples/${name}`, () => {
    it('lists the posts of an article, newest first', async () => {
      await using site = await start();
      const [article, other] = [`${site.origin}/article?id=1`, `${site.origin}/article?id=2`];
      const [ada, jorg] = [await signedIn(site), await signedIn(site, 1)];
      expectStatus(await ada.post('First\n<b>one</b>', article), 201);
      expectStatus(await jorg.post('Second', article), 201);
      expectStatus(await jorg.post('Elsewhere', other), 201);
      const { posts } = await listPosts(site, article);
      assert.deepEqual(posts.map(({ author, message }) => [author.username, message]), [
        ['Jörg Ünterwald', 'Second'], ['Ada Quill', 'First\n<b>one</b>'],
      ]);
      assert.deepEqual((await listPosts(site, other)).posts.map(({ message }) => message), ['Elsewhere']);
    });

    it('lists a long thread in pages of 20', async () => {
      await using site = await start();
      const page = `${site.origin}/article`;
      const ada = await signedIn(site);
      for (let i = 1; i <= 21; i += 1) expectStatus(await ada.post(`Post ${i}`, page), 201);
      const first = await listPosts(site, page);
      const second = await listPosts(site, page, first.next_cursor);
      assert.deepEqual([first.posts[0]?.message, first.posts.length], ['Post 21', 20]);
      assert.deepEqual([second.posts.map(({ message }) => message), second.next_cursor], [['Post 1'], undefined]);
    });

    it('lists a repeated post once, and nothing that the service did not create', async () => {
      await using site = await start();
      const page = `${site.origin}/article`;
      const ada = await signedIn(site);
      for (let i = 0; i < 2; i += 1) expectStatus(await ada.post('Once', page, 'the-same-key'), 201);
      site.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'closed' } });
      expectProblem(await ada.post('Refused', page), 'service-refused');
      expectProblem(await ada.post('Nowhere'), 'post-rejected');
      assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Once']);
    });
  });
}

describe('examples/own-database.mjs', () => {
  it('keeps the posts over a restart', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'posts.db');
    const page = 'https://www.example.com/article';
    {
      await using site = await startOwnDatabase(path);
      expectStatus(await (await signedIn(site)).post('Before', page), 201);
    }
    await using site = await startOwnDatabase(path);
    assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Before']);
  });
});
