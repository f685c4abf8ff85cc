/** Promises of the contract about calls to the service that were broken once. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ProblemError } from '@vestibule/bff';
import type { PostCreated } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { startBff } from '../lib/bff.ts';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { exchangesOf, expectProblem, expectStatus } from '../lib/reader.ts';
import { startRelay } from '../lib/tcp-relay.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';

describe('VESTIBULE_SERVICE_MAX_IN_FLIGHT', () => {
  it('limits posts and exchanges apart; a call beyond it is service-unavailable and is not sent', async () => {
    await using bff = await startBff({ serviceMaxInFlight: 4 });
    const readers = await Promise.all(Array.from({ length: 6 }, async (_, i) => {
      const browser = bff.browser();
      await browser.signIn({ user_id: String(i), username: `reader ${i}` });
      return browser;
    }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.always('posts', { kind: 'held', until: released });
    const exchanges = exchangesOf(bff);
    let refused = 0;
    const posts = readers.map(async (browser) => {
      const res = await browser.createPost('Hello');
      if (res.status === 503) {
        expectProblem(res, 'service-unavailable');
        refused += 1;
      }
      return res;
    });
    await until('two posts are refused', () => refused === 2);
    await bff.browser().signIn();
    assert.equal(exchangesOf(bff) - exchanges, 1);
    release();
    const statuses = (await Promise.all(posts)).map(({ status }) => status).toSorted();
    assert.deepEqual([statuses, bff.service.posts.length], [[201, 201, 201, 201, 503, 503], 4]);
  });

  it('leaves posts their places while calls of hooks hang', async () => {
    await using bff = await startBff({
      serviceMaxInFlight: 4,
      serviceOptions: { threads: true },
      posts: {
        list: async ({ service }) => {
          await service.request('GET', '/api/3.0/threads/listPosts.json', { thread: '42' });
          return { posts: [] };
        },
      },
    });
    const browser = bff.browser();
    await browser.signIn();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.always('postList', { kind: 'held', until: released });
    const received = bff.service.whenReceived('postList');
    const lists = Array.from({ length: 20 }, async (_, i) => bff.browser().get(`/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/${i}`)}`));
    await received;
    expectStatus(await browser.createPost('Hello'), 201);
    release();
    await Promise.all(lists);
  });

  it('gives acts the places of posts: calls of other hooks that hang do not stop a like', async () => {
    await using bff = await startBff({
      serviceMaxInFlight: 1,
      serviceOptions: { threads: true },
      posts: {
        list: async ({ service }) => {
          await service.request('GET', '/api/3.0/threads/listPosts.json', { forum: 'news', thread: '42' });
          return { posts: [] };
        },
        like: async ({ id, service }) => {
          await service.request('POST', '/api/3.0/posts/vote.json', { post: id, vote: 1 }, { asReader: true });
          return { ok: true };
        },
      },
    });
    const browser = bff.browser();
    await browser.signIn();
    const other = bff.browser();
    await other.signIn(bff.service.readers[1]);
    const { post: { id } } = (await browser.createPost('Hello')).body as PostCreated;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.always('postList', { kind: 'held', until: released });
    const received = bff.service.whenReceived('postList');
    const list = bff.browser().get(`/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/`)}`).then((res) => res);
    await received;
    const liked = await other.put(`/posts/${String(id)}/like`, { forum: 'news', page: `${bff.origin}/`, liked: true });
    expectStatus(liked, 200);
    release();
    expectStatus(await list, 200);
  });

  it('lets the calls of a hook beyond it wait for their turn: counts of ten articles, with a call for each', async () => {
    await using bff = await startBff({
      serviceMaxInFlight: 4,
      serviceOptions: { threads: true },
      posts: {
        count: ({ pages, service }) => Promise.all(pages.map(async (page) => {
          await service.request('GET', '/api/3.0/threads/details.json', { forum: 'news', thread: page });
          return 0;
        })),
      },
    });
    const pages = Array.from({ length: 10 }, (_, i) => `page=${encodeURIComponent(`${bff.origin}/${i}`)}`);
    const res = await bff.browser().get(`/posts/counts?forum=news&${pages.join('&')}`);
    expectStatus(res, 200);
    assert.deepEqual(res.body, { counts: pages.map(() => 0) });
  });

  it('lets no call of a hook wait when a drain begins: it fails, is not sent, and the drain ends', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    await using bff = await startBff({
      serviceMaxInFlight: 1,
      serviceOptions: { threads: true },
      posts: {
        list: async ({ page, service }) => {
          const call = service.request('GET', '/api/3.0/threads/listPosts.json', { forum: 'news', thread: page });
          if (page.endsWith('/second')) waits.resolve();
          await call;
          return { posts: [] };
        },
      },
    });
    bff.service.faults.always('postList', { kind: 'held', until: released });
    const list = (name: string) => bff.browser().get(`/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/${name}`)}`).then((res) => res);
    const received = bff.service.whenReceived('postList');
    const first = list('first');
    await received;
    const second = list('second');
    await waits.promise;
    const drained = bff.vestibule.drain();
    expectProblem(await second, 'service-unavailable');
    assert.match(String(bff.log.findLast(({ level }) => Number(level) >= 40)?.['reason']), /^as many calls to the service are in flight/);
    release();
    expectStatus(await first, 200);
    await drained;
    assert.equal(bff.service.requests.filter(({ endpoint }) => endpoint === 'postList').length, 1);
  });

  it('lets a call of a hook wait until the time of its hook is over: it is service-unavailable and is not sent', async () => {
    await using bff = await startBff({
      serviceMaxInFlight: 1,
      serviceOptions: { threads: true },
      hookTimeoutMs: 1_000,
      posts: {
        list: async ({ page, service }) => {
          const [, second] = await Promise.allSettled([1, 2].map((limit) => service.request('GET', '/api/3.0/threads/listPosts.json', { forum: 'news', thread: page, limit })));
          if (second?.status === 'rejected') throw second.reason;
          return { posts: [] };
        },
      },
    });
    bff.service.faults.always('postList', { kind: 'hang' });
    expectProblem(await bff.browser().get(`/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/`)}`), 'service-unavailable');
    const line = bff.log.findLast(({ level }) => Number(level) >= 40);
    assert.deepEqual([line?.['hook'], line?.['setting']], ['posts.list', 'VESTIBULE_SERVICE_MAX_IN_FLIGHT']);
    assert.equal(bff.service.requests.filter(({ endpoint }) => endpoint === 'postList').length, 1);
  });
});

describe('a service that carries out what a hook asks for and does not answer', () => {
  for (const [what, limits] of [
    ['the limit of the hook', { hookTimeoutMs: 2_000 }], ['the limit of the service', { serviceTimeoutMs: 2_000 }],
    ['both limits', { hookTimeoutMs: 2_000, serviceTimeoutMs: 2_000 }],
  ] as const) {
    it(`makes an edit outcome-unknown at ${what}, and the log names the service`, async () => {
      await using bff = await startBff({
        ...limits,
        serviceOptions: { threads: true },
        posts: {
          list: () => ({ posts: [] }),
          edit: async ({ id, message, service }) => {
            await service.request('POST', '/api/3.0/posts/update.json', { post: id, message }, { asReader: true });
            return { ok: false };
          },
        },
      });
      const browser = bff.browser();
      await browser.signIn();
      const { post } = (await browser.createPost('Hello')).body as PostCreated;
      bff.service.faults.always('postUpdate', { kind: 'hang-after-commit' });
      const edited = await browser.patch(`/posts/${String(post['id'])}`, { forum: 'news', page: `${bff.origin}/`, message: 'Hello again' });
      expectProblem(edited, 'outcome-unknown');
      const line = bff.log.findLast(({ level }) => Number(level) >= 40);
      assert.deepEqual([line?.['reason'], line?.['hook']], ['the service did not answer in time', 'posts.edit']);
      assert.match(String(line?.['setting']), /VESTIBULE_SERVICE_TIMEOUT_MS/);
    });
  }
});

describe('a connection to the service', () => {
  it('is used again by calls that follow each other', async () => {
    await using service = await startIdleService();
    await using bff = await startBff({ serviceUrl: service.url });
    for (let call = 0; call < 10; call += 1) await bff.vestibule.service.request('GET', '/');
    // At the end of a response, undici may not have its connection free yet.
    assert.ok(service.connections() <= 2);
  });

  for (const announced of [undefined, 'timeout=600']) {
    it(`is closed by the BFF before a service that announces ${announced ?? 'nothing'} closes it`, async () => {
      await using service = await startIdleService(announced);
      await using bff = await startBff({ serviceUrl: service.url });
      await bff.vestibule.service.request('GET', '/');
      await service.closedByClient;
    });
  }

  it('that died while the machine slept carries no request, also where the monotonic clock stood still', async (context) => {
    await using service = await startIdleService();
    await using relay = await startRelay(Number(new URL(service.url).port));
    await using bff = await startBff({ serviceUrl: `http://${relay.host}`, redirectUri: 'http://127.0.0.1/vestibule/sync/return' });
    await bff.vestibule.service.request('GET', '/');
    relay.swallow();
    // undici frees the connection.
    await setTimeout(10);
    const { now } = Date;
    context.mock.method(Date, 'now', () => now() + 3_600_000);
    await bff.vestibule.service.request('GET', '/');
    assert.equal(service.connections(), 2);
  });

  it('that died while the process was frozen carries no request', async () => {
    const port = await freePort();
    await using relay = await startRelay(port);
    await using service = await startEmulatedService({ port, publicUrl: `http://${relay.host}`, redirectUris: [`${PUBLIC_URL}/sync/return`] });
    await using bff = await startProcess(bffEnvironment({ ...service, url: `http://${relay.host}` }, PUBLIC_URL, { VESTIBULE_STORE: 'memory:' }));
    const reader = bff.browser(service);
    await reader.signIn();
    for (const message of ['first', 'second', 'third']) {
      const posting = reader.createPost(message);
      bff.process.child.kill('SIGCONT');
      expectStatus(await posting, 201);
      bff.process.child.kill('SIGSTOP');
      relay.swallow();
      // Longer than an idle connection is used again.
      await setTimeout(1_000);
    }
    assert.deepEqual(service.posts.map(({ message }) => message), ['first', 'second', 'third']);
  });
});

/** A service that keeps its connections. @param announced its `Keep-Alive` */
async function startIdleService(announced?: string) {
  const closedByClient = Promise.withResolvers<void>();
  let connections = 0;
  const server = createServer((_req, res) => {
    // Named by hand, it comes without Node.js' hint about the time.
    res.setHeader('Connection', 'keep-alive');
    if (announced !== undefined) res.setHeader('Keep-Alive', announced);
    res.end('{"code":0,"response":{}}');
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('end', closedByClient.resolve);
  });
  return {
    url: await listen(server),
    connections: () => connections,
    closedByClient: closedByClient.promise,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

describe('the certificate of the service', () => {
  it('that is not trusted is named in the log', async () => {
    const tls = (name: string) => readFileSync(new URL(`../deploy/tls.${name}`, import.meta.url));
    const server = createTlsServer({ key: tls('key'), cert: tls('crt') });
    const serviceUrl = (await listen(server)).replace('http:', 'https:');
    try {
      await using bff = await startBff({ serviceUrl, redirectUri: 'http://127.0.0.1/vestibule/sync/return' });
      const error: unknown = await bff.vestibule.service.request('GET', '/').catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ProblemError);
      assert.deepEqual([error.type, error.diagnosis['reason'], error.diagnosis['setting']], [
        'service-unavailable', 'the service cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)',
        'the certificate of VESTIBULE_SERVICE_URL, or NODE_EXTRA_CA_CERTS',
      ]);
    } finally {
      await closeServer(server);
    }
  });
});
