/** Promises of the contract about calls to the service that reviews found broken. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { describe, it } from 'node:test';
import { ProblemError } from '@vestibule/bff';
import { startBff } from '../lib/bff.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { exchangesOf, expectProblem, expectStatus } from '../lib/reader.ts';
import { until } from '../lib/until.ts';

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
      serviceMaxInFlight: 8,
      serviceOptions: { threads: true },
      posts: {
        list: async ({ service }) => {
          await service.request('GET', '/api/3.0/posts/list.json', { thread: '42' });
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
});

describe('an idle connection to a service', () => {
  it('that announces nothing is closed by the BFF before a service that keeps it for a few seconds does', async () => {
    const ended = Promise.withResolvers<'the BFF' | 'the service'>();
    const server = createServer((_req, res) => {
      // Named by hand, it comes without Node.js' hint about the time.
      res.setHeader('Connection', 'keep-alive').end('{"code":0,"response":{}}');
    });
    server.on('connection', (socket) => {
      socket.setTimeout(3_000, () => { ended.resolve('the service'); });
      socket.once('end', () => { ended.resolve('the BFF'); });
    });
    server.keepAliveTimeout = 0;
    const serviceUrl = await listen(server);
    try {
      await using bff = await startBff({ serviceUrl });
      await bff.vestibule.service.request('GET', '/');
      assert.equal(await ended.promise, 'the BFF');
    } finally {
      await closeServer(server);
    }
  });
});

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
