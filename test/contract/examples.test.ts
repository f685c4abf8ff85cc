/** The shipped examples (`packages/bff/examples`), run as a publisher does, before the emulated service in both shapes. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '@vestibule/bff';
import type { PostCounts, PostCreated, PostList } from '@vestibule/shared';
import express, { type Router } from 'express';
import { MOUNT, startBff, type BffSettings } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { realWorldShapes, startEmulatedService, type EmulatedService, type RealWorldShape, type StoredPost } from '../service/index.ts';

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly service: EmulatedService;
  browser(): ReaderClient;
  closePage(page: string): void;
  approve(post: StoredPost): void;
}

interface StartOptions {
  readonly shapes?: readonly RealWorldShape[];
  /** Of the database. */
  readonly path?: string;
}

const examples = new URL('../../packages/bff/examples/', import.meta.url);

/** The settings of `threads-service.mjs`, before a service with threads. */
async function startThreads({ shapes = [] }: StartOptions = {}): Promise<Site> {
  const { default: settings } = await import(new URL('threads-service.mjs', examples).href) as { default: BffSettings };
  const bff = await startBff({ ...settings, rateLimits: 'off', serviceOptions: { threads: true, realWorldShapes: shapes } });
  return {
    ...bff,
    closePage: (page) => void bff.service.closedThreads.add(page),
    approve: (post) => { post.state = undefined; },
  };
}

interface Comments extends AsyncDisposable {
  readonly router: Router;
  closePage(page: string, reason: string): void;
  approve(id: string): void;
}

interface OwnDatabase {
  createComments(config: VestibuleConfig, path: string): Promise<Comments>;
}

/** `own-database.mjs` in an Express application, before a service without threads. */
async function startOwnDatabase({ shapes = [], path }: StartOptions = {}): Promise<Site> {
  const { createComments } = await import(new URL('own-database.mjs', examples).href) as OwnDatabase;
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const server = createServer();
  const origin = await listen(server);
  stack.defer(() => closeServer(server));
  const redirectUri = `${origin}${MOUNT}/sync/return`;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], realWorldShapes: shapes }));
  const comments = stack.use(await createComments({
    serviceUrl: service.url, publicKey: service.publicKey, secretKey: service.secretKey, forums: ['news'], publicUrl: origin + MOUNT,
    allowedOrigins: [origin, 'https://www.example.com'], cookieSecrets: [COOKIE_SECRET], store: 'memory:', rateLimits: 'off', logLevel: 'silent',
  }, path ?? join(directory.path, 'posts.db')));
  server.on('request', express().use(MOUNT, comments.router));
  const started = stack.move();
  return {
    origin, service,
    browser: () => new ReaderClient({ server, path: MOUNT, origin, redirectUri, service }),
    closePage: (page) => comments.closePage(page, 'Comments on this article are closed.'),
    approve: ({ id }) => comments.approve(id),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function signedIn(site: Site, reader = 0) {
  const browser = site.browser();
  await browser.signIn(site.service.readers[reader]);
  return {
    post: (message: string, page?: string, key: string = crypto.randomUUID(), parent?: string) => (
      browser.post('/posts', { forum: 'news', message, page, parent }).set('Idempotency-Key', key)
    ),
  };
}

async function listPosts(site: Site, page: string, cursor?: string, order?: string): Promise<PostList> {
  const query = new URLSearchParams({ forum: 'news', page, ...(cursor !== undefined && { cursor }), ...(order && { order }) });
  const res = await site.browser().get(`/posts?${query}`);
  expectStatus(res, 200);
  return res.body as PostList;
}

/** Shapes of a service that names the author and proves the user: without both, the author is unknown. */
const namingShapes = realWorldShapes.filter((shape) => shape !== 'author-without-username' && shape !== 'access-token-only');

const all = { 'threads-service.mjs': startThreads, 'own-database.mjs': startOwnDatabase };
const services = { 'the service of the interface': [], 'a service with real shapes': realWorldShapes };

const pairs = Object.keys(all).flatMap((name) => Object.keys(services).map((shapes) => [name, shapes] as const));

for (const [name, shapesName] of pairs) {
  describe(`examples/${name} before ${shapesName}`, () => {
    const shapes = services[shapesName as keyof typeof services];
    const shared = suiteResource(() => all[name as keyof typeof all]({ shapes }));
    let articles = 0;
    /** An article of its own. */
    const newPage = () => `${shared().origin}/article?id=${articles += 1}`;

    it('lists the posts of an article, newest first', async () => {
      const site = shared();
      const [article, other] = [newPage(), newPage()];
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
      const site = shared();
      const page = newPage();
      const ada = await signedIn(site);
      for (let i = 1; i <= 21; i += 1) expectStatus(await ada.post(`Post ${i}`, page), 201);
      const first = await listPosts(site, page);
      const second = await listPosts(site, page, first.next_cursor);
      assert.deepEqual([first.posts[0]?.message, first.posts.length], ['Post 21', 20]);
      assert.deepEqual([second.posts.map(({ message }) => message), second.next_cursor], [['Post 1'], undefined]);
      const oldest = await listPosts(site, page, undefined, 'oldest');
      const newest = await listPosts(site, page, oldest.next_cursor);
      assert.deepEqual([oldest.posts[0]?.message, newest.posts.map(({ message }) => message)], ['Post 1', ['Post 21']]);
    });

    it('takes replies, counts posts, and returns the entry of a new one', async () => {
      const site = shared();
      const [page, other] = [newPage(), newPage()];
      const ada = await signedIn(site);
      const { listed: first } = (await ada.post('First', page)).body as PostCreated;
      assert.ok(first && 'id' in first);
      const { listed: second } = (await ada.post('Second', page, undefined, first.id)).body as PostCreated;
      const { posts, total, replies, closed } = await listPosts(site, page);
      assert.deepEqual([posts.map(({ message, parent_id }) => [message, parent_id]), total, replies, closed], [
        [['Second', first.id], ['First', undefined]], 2, true, undefined,
      ]);
      assert.deepEqual([second, first].map((entry) => ({ ...entry, created_at: '' })), posts.map((post) => ({ ...post, created_at: '', state: 'published' })));
      assert.equal((await ada.post('To another article', other, undefined, first.id)).status >= 400, true);
      const counts = await site.browser().get(`/posts/counts?${new URLSearchParams([['forum', 'news'], ['page', page], ['page', other]])}`);
      assert.deepEqual((counts.body as PostCounts).counts, [2, 0]);
    });

    it('says that an article is closed, and takes no posts for it', async () => {
      const site = shared();
      const page = newPage();
      const ada = await signedIn(site);
      expectStatus(await ada.post('Before', page), 201);
      site.closePage(page);
      const { closed, posts } = await listPosts(site, page);
      assert.match(JSON.stringify(closed), /Comments on this article are closed/);
      assert.deepEqual(posts.map(({ message }) => message), ['Before']);
      assert.equal((await ada.post('After', page)).status >= 400, true);
    });

    it('lists a repeated post once, and nothing that the service did not create', async () => {
      const site = shared();
      const page = newPage();
      const ada = await signedIn(site);
      for (let i = 0; i < 2; i += 1) expectStatus(await ada.post('Once', page, 'the-same-key'), 201);
      site.service.faults.next('posts', { kind: 'status', status: 403, body: { code: 12, response: 'closed' } });
      expectProblem(await ada.post('Refused', page), 'service-refused');
      expectProblem(await ada.post('Nowhere'), 'post-rejected');
      assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Once']);
    });
  });
}

for (const [name, startSite] of Object.entries(all)) {
  for (const shapes of [[], namingShapes]) {
    it(`examples/${name} lets readers edit, remove and like, in ${shapes.length} shapes of a real service`, async () => {
      await using site = await startSite({ shapes });
      const page = `${site.origin}/article`;
      const [ada, joerg] = [site.browser(), site.browser()];
      await ada.signIn(site.service.readers[0]);
      await joerg.signIn(site.service.readers[1]);
      const post = async (message: string, parent?: string) => {
        const res = await ada.post('/posts', { forum: 'news', message, page, parent }).set('Idempotency-Key', crypto.randomUUID());
        return (res.body as { listed: { id: string } }).listed.id;
      };
      const id = await post('First');
      const article = { forum: 'news', page };
      const edit = (browser: ReaderClient, message: string) => browser.patch(`/posts/${id}`, { ...article, message });
      const remove = (browser: ReaderClient) => browser.delete(`/posts/${id}?${new URLSearchParams(article)}`);
      const like = (browser: ReaderClient, liked = true) => browser.put(`/posts/${id}/like`, { ...article, liked });

      for (const request of [edit(joerg, 'Stolen'), remove(joerg), like(ada)]) expectProblem(await request, 'post-rejected');
      for (const _ of ['first', 'repeated']) {
        const { listed } = (await edit(ada, 'Better')).body as { listed: { message: string; edited_at?: string } };
        assert.deepEqual([listed.message, listed.edited_at !== undefined], ['Better', true]);
        assert.deepEqual((await like(joerg)).body, { likes: 1 });
      }
      const [entry] = (await listPosts(site, page)).posts;
      assert.deepEqual([entry?.message, entry?.likes, entry?.author.key], ['Better', 1, (await ada.session()).user?.key]);
      assert.deepEqual((await like(joerg, false)).body, { likes: 0 });

      await post('Reply', id);
      expectStatus(await remove(ada), 204);
      for (const request of [edit(ada, 'Late'), remove(ada), like(joerg)]) assert.equal(expectProblem(await request, 'not-found').status, 410);
      // The list of the other order is not cached.
      const { posts, actions } = await listPosts(site, page, undefined, 'oldest');
      assert.deepEqual(posts.map(({ message, removed, parent_id }) => [message, removed, parent_id === id]), [['', true, false], ['Reply', undefined, true]]);
      assert.deepEqual(actions, ['edit', 'remove', 'like']);
    });
  }
}

describe('examples/own-database.mjs', () => {
  it('keeps the posts over a restart', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'posts.db');
    const page = 'https://www.example.com/article';
    {
      await using site = await startOwnDatabase({ path });
      expectStatus(await (await signedIn(site)).post('Before', page), 201);
    }
    await using site = await startOwnDatabase({ path });
    assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Before']);
  });
});

describe('a post that readers do not see', () => {
  const shapes = realWorldShapes;

  it('is not listed by threads-service.mjs: held, spam or deleted', async () => {
    await using site = await startThreads({ shapes });
    const page = `${site.origin}/article`;
    const ada = await signedIn(site);
    for (const message of ['Held', 'Spam', 'Deleted', 'Shown']) expectStatus(await ada.post(message, page), 201);
    for (const [i, state] of (['held', 'spam', 'deleted'] as const).entries()) (site.service.posts[i] as StoredPost).state = state;
    assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Shown']);
  });

  for (const [name, startSite] of Object.entries(all)) {
    it(`is pending for its writer, and listed by ${name} when it is approved`, async () => {
      await using site = await startSite({ shapes });
      const page = `${site.origin}/article`;
      const ada = await signedIn(site);
      site.service.premoderated.add(site.service.readers[0]?.user_id ?? '');
      const { listed } = (await ada.post('Held', page)).body as PostCreated;
      assert.deepEqual([listed?.state, listed && 'id' in listed && listed.message], ['pending', 'Held']);
      assert.deepEqual((await listPosts(site, page, undefined, 'oldest')).posts, []);
      site.approve(site.service.posts[0] as StoredPost);
      assert.deepEqual((await listPosts(site, page)).posts.map(({ message }) => message), ['Held']);
    });
  }
});
