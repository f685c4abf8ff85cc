import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPost, exchangeParams, get, obtainToken, post, startService } from './_client.ts';
import { Faults } from './faults.ts';

describe('Faults', () => {
  it('uses queued faults, then the standing fault, then none', () => {
    const faults = new Faults();
    faults.always('posts', { kind: 'hang' });
    faults.next('posts', { kind: 'reset' }, undefined);
    assert.deepEqual([1, 2, 3, 4].map(() => faults.take('posts')?.kind), ['reset', undefined, 'hang', 'hang']);
    assert.equal(faults.take('token'), undefined);
    faults.clear();
    assert.equal(faults.take('posts'), undefined);
  });
});

describe('a fault', () => {
  for (const [kind, posts] of [['hang', 0], ['hang-after-commit', 1]] as const) {
    it(`of the kind ${kind} does not answer`, async () => {
      await using service = await startService();
      const accessToken = await obtainToken(service);
      service.faults.next('posts', { kind });
      const received = service.whenReceived('posts');
      const abort = new AbortController();
      const lost = assert.rejects(createPost(service, { accessToken }, abort.signal), { name: 'AbortError' });
      await received;
      abort.abort();
      await lost;
      assert.equal(service.posts.length, posts);
    });
  }

  it('resets without or with the post being made', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.faults.next('posts', { kind: 'reset' }, { kind: 'reset-after-commit' });
    for (const posts of [0, 1]) {
      await assert.rejects(createPost(service, { accessToken }), TypeError);
      assert.equal(service.posts.length, posts);
    }
  });

  it('holds an honest answer back', async () => {
    await using service = await startService();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.faults.next('token', { kind: 'held', until: promise });
    let isOver = false;
    const exchanged = post(service, 'token', exchangeParams(service)).finally(() => { isOver = true; });
    await service.whenReceived('token');
    assert.equal((await fetch(service.url)).status, 404);
    assert.equal(isOver, false);
    resolve();
    assert.equal((await exchanged).status, 200);
  });

  it('responds with another status, headers and body, and commits only if it says so', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    for (const [commits, posts] of [[false, 0], [true, 1]] as const) {
      service.faults.next('posts', { kind: 'status', status: 502, headers: { 'Retry-After': '7' }, body: { code: 15 }, commits });
      const answer = await createPost(service, { accessToken });
      assert.deepEqual([answer.status, answer.headers.get('Retry-After'), answer.json], [502, '7', { code: 15 }]);
      assert.equal(service.posts.length, posts);
    }
  });
});

describe('startEmulatedService', () => {
  it('sends its own clock as Date with every answer, and judges nonces by it', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.clockOffsetMs = 4_000_000;
    const { headers } = await get(service, 'authorize', {});
    assert.ok(Date.parse(headers.get('Date') ?? '') - Date.now() > 3_900_000);
    assert.equal((await createPost(service, { accessToken })).json['response'], 'nonce is expired');
    assert.equal((await createPost(service, { accessToken, attributes: { nonce: `${Date.now() / 1000 + 4000}:a` } })).status, 200);
  });

  it('goes down and comes back on the same port', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    await service.down();
    await assert.rejects(createPost(service, { accessToken }), ({ cause }: Error) => (cause as NodeJS.ErrnoException).code === 'ECONNREFUSED');
    await service.up();
    assert.equal((await createPost(service, { accessToken })).status, 200);
  });
});
