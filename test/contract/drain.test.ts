/** `drain()` and the documented shutdown: `await drain()`, close the server, `await close()` (contract, section 4). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/bff/src/store/open-store.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { expectProblem, expectStatus, startBff, type Bff } from '../lib/bff.ts';

const SLOW_MS = 400;

/** The shutdown of the README. */
async function shutDown({ vestibule, server }: Bff): Promise<void> {
  await vestibule.drain();
  await new Promise((resolve) => server.close(resolve));
  await vestibule.close();
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
    assert.deepEqual((ready.body as { checks: object }).checks, { store: 'ok', process: 'draining' });
    const refused = [
      await reader.createPost('Hello'), await bff.browser().start(), await other.validate(), await other.cancel(),
      await bff.browser().get('/sync/authorize').query({ forum: 'news' }),
    ];
    for (const res of refused) {
      assert.equal(expectProblem(res, 'service-unavailable').retryable, true);
      assert.equal(res.headers['retry-after'], '2');
    }
    assert.equal((await reader.session()).state, 'signed-in');
    expectStatus(await reader.delete('/session'), 204);
    assert.deepEqual(bff.service.posts, []);
  });

  it('waits for a post whose reader has disconnected', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    bff.service.faults.next('posts', { kind: 'delay', delayMs: SLOW_MS });
    const received = bff.service.whenReceived('posts');
    const key = crypto.randomUUID();
    const request = reader.createPost('Hello', { key });
    request.end(() => undefined);
    await received;
    request.abort();
    const startedAt = performance.now();
    await bff.vestibule.drain();
    assert.ok(performance.now() - startedAt > SLOW_MS / 2, 'the service has not responded yet');
    assert.equal(bff.service.posts.length, 1);
  });
});

describe('the documented shutdown', () => {
  it('loses neither a post nor a sign-in in flight at a slow service', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'vestibule.db');
    await using bff = await startBff({ store: `sqlite:${path}` });
    const [poster, reader] = [bff.browser(), bff.browser()];
    await poster.signIn();
    expectStatus(await reader.start(), 201);
    for (const endpoint of ['posts', 'token'] as const) bff.service.faults.next(endpoint, { kind: 'delay', delayMs: SLOW_MS });
    const received = Promise.all([bff.service.whenReceived('posts'), bff.service.whenReceived('token')]);
    const responses = Promise.all([poster.createPost('Hello'), reader.validate()]);
    await received;
    await shutDown(bff);
    const [posted, validated] = await responses;
    expectStatus(posted, 201);
    expectStatus(validated, 200);
    assert.equal((validated.body as { outcome: string }).outcome, 'accepted');
    assert.equal(bff.service.posts.length, 1);
    await using store = await openStore(`sqlite:${path}`, { info: () => undefined, warn: () => undefined });
    const kinds = new Map<string, number>();
    for await (const [key] of store.entries('')) kinds.set(key.split(':')[0] as string, (kinds.get(key.split(':')[0] as string) ?? 0) + 1);
    assert.deepEqual([kinds.get('session'), kinds.get('post')], [2, 1]);
  });

  it('lets the server close although readers keep their connections open', async () => {
    await using bff = await startBff();
    const res = await fetch(`${bff.url}/session`);
    await res.text();
    const closed = once(bff.server, 'close');
    await shutDown(bff);
    await closed;
  });
});
