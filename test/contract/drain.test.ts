/** `drain()` and the documented shutdown: `await drain()`, close the server, `await close()` (contract, section 4). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startBff, type Bff } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until as waitUntil } from '../lib/until.ts';

/** The shutdown of docs/extend.md. */
async function shutDown({ vestibule, server }: Bff): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await vestibule.drain();
  setTimeout(() => { server.closeAllConnections(); }, 1_000).unref();
  await closed;
  await vestibule.close();
}

/** The service answers the next request to each endpoint after `release`. */
function hold({ service }: Bff, ...endpoints: readonly ('posts' | 'token')[]) {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  for (const endpoint of endpoints) service.faults.next(endpoint, { kind: 'held', until });
  return { received: Promise.all(endpoints.map((endpoint) => service.whenReceived(endpoint))), release };
}

describe('drain', () => {
  it('refuses posts and sign-ins with Retry-After, and still ends sessions', async () => {
    await using bff = await startBff();
    const [reader, other] = [bff.browser(), bff.browser()];
    await reader.signIn();
    expectStatus(await other.start(), 201);
    expectStatus(await reader.get('/readyz'), 200);
    await bff.vestibule.drain();
    const ready = await reader.get('/readyz');
    expectStatus(ready, 503);
    assert.deepEqual(ready.body, { status: 'unavailable', checks: { store: 'ok', process: 'draining' } });
    expectStatus(await reader.get('/healthz'), 200);
    const refused = [
      await reader.createPost('Hello'), await bff.browser().start(), await other.validate(), await other.cancel(),
      await bff.browser().get('/sync/authorize').query({ forum: 'news' }),
    ];
    for (const res of refused) {
      assert.equal(expectProblem(res, 'service-unavailable').retryable, true);
      assert.match(res.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    }
    assert.equal(await reader.state(), 'signed-in');
    expectStatus(await reader.delete('/session'), 204);
    assert.deepEqual(bff.service.posts, []);
  });

  it('waits for a post whose reader has disconnected', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    const service = hold(bff, 'posts');
    const key = crypto.randomUUID();
    const request = reader.createPost('Hello', { key });
    request.end(() => undefined);
    await service.received;
    request.abort();
    const drained = bff.vestibule.drain().then(() => 'drained');
    assert.equal(await Promise.race([drained, reader.get('/healthz').then(() => 'in flight')]), 'in flight');
    service.release();
    await drained;
    assert.equal(bff.service.posts.length, 1);
  });

  it('waits for the lists that are open, not for those that begin meanwhile', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    await using bff = await startBff({ posts: { replies: false, async list({ page }) {
      if (!page.endsWith('/held')) return { posts: [] };
      called.resolve();
      await until;
      return { posts: [] };
    } } });
    const reader = bff.browser();
    const list = (page: string) => reader.get('/posts').query({ forum: 'news', page: `${bff.origin}/${page}` }).then(({ status }) => status);
    const held = list('held');
    await called.promise;
    const drained = bff.vestibule.drain().then(() => 'drained');
    assert.equal(await Promise.race([drained, list('other')]), 200);
    release();
    assert.deepEqual([await held, await drained], [200, 'drained']);
  });

  it('ends after a reader who left before the request failed', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    await using bff = await startBff({ posts: { async list() {
      called.resolve();
      await until;
      throw new Error('away');
    } } });
    const request = bff.browser().get('/posts').query({ forum: 'news', page: `${bff.origin}/` });
    request.end(() => undefined);
    await called.promise;
    const ended = () => bff.log.filter(({ msg, route }) => msg === 'request' && route === '/posts');
    request.abort();
    await waitUntil('the request counts as aborted', () => ended().length === 1);
    assert.equal(ended()[0]?.['aborted'], true);
    release();
    await waitUntil('the failure is logged', () => bff.log.some(({ msg }) => msg === 'request failed'));
    assert.equal(await drainsOf(bff), 'drained');
  });

  it('ends after a reader who left before the host application handed the request over', async () => {
    await using bff = await startBff();
    const host = createServer();
    const url = await listen(host);
    const request = httpRequest(`${url}${bff.path}/session`).on('error', () => undefined);
    request.end();
    const [req, res] = await once(host, 'request') as [IncomingMessage, ServerResponse];
    request.destroy();
    await once(res, 'close');
    bff.vestibule.router(req, res);
    assert.equal(await drainsOf(bff), 'drained');
    await closeServer(host);
  });
});

/** Waits with a deadline: otherwise a drain that does not end hangs the test. */
async function drainsOf({ vestibule }: Bff): Promise<string | undefined> {
  let result: string | undefined;
  void vestibule.drain().then(() => { result = 'drained'; });
  return waitUntil('the drain ends', () => result);
}

describe('the documented shutdown', () => {
  it('loses neither a post nor a sign-in in flight, and waits for no connection without a request', async () => {
    await using directory = await temporaryDirectory();
    const store = `sqlite:${join(directory.path, 'vestibule.db')}`;
    const key = crypto.randomUUID();
    await using bff = await startBff({ store });
    const [poster, reader] = [bff.browser(), bff.browser()];
    await (await fetch(`${bff.url}/session`)).text();
    const silent = connect((bff.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    await poster.signIn();
    expectStatus(await reader.start(), 201);
    const service = hold(bff, 'posts', 'token');
    const responses = Promise.all([poster.createPost('Hello', { key }), reader.validate()]);
    await service.received;
    const closed = once(bff.server, 'close');
    const stopped = shutDown(bff);
    service.release();
    await stopped;
    await closed;
    const [posted, validated] = await responses;
    expectStatus(posted, 201);
    assert.equal(validated.body.outcome, 'accepted');

    await using next = await startBff({ store });
    assert.equal(await next.browser().keepCookies(reader.cookies()).state(), 'signed-in');
    const replayed = await next.browser().keepCookies(poster.cookies()).createPost('Hello', { key });
    assert.equal(replayed.headers['idempotency-replayed'], 'true');
  });
});
