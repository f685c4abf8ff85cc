/** `POST /posts` and its `Idempotency-Key` (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fault } from '../service/index.ts';
import { expectProblem, expectStatus, startBff, type Bff, type BffSettings, type Browser } from '../lib/bff.ts';

const KEY = 'idempotency-key-1';

async function startSignedIn(settings: BffSettings = {}): Promise<{ bff: Bff; browser: Browser }> {
  const bff = await startBff(settings);
  const browser = bff.browser();
  await browser.signIn();
  return { bff, browser };
}

const sentPosts = ({ service }: Bff): number => service.requests.filter(({ endpoint }) => endpoint === 'posts').length;

describe('POST /posts', () => {
  it('returns the JSON of the service', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    bff.service.faults.next('posts', { kind: 'rewrite', change: () => ({ code: 0, response: { id: 7, any: { thing: ['at', 'all'] } } }) });
    const res = await browser.createPost('Hello');
    expectStatus(res, 201);
    assert.deepEqual(res.body, { post: { id: 7, any: { thing: ['at', 'all'] } } });
  });

  it('accepts every success whose body is no failure', async () => {
    for (const [fault, post] of [
      [{ kind: 'status', status: 200, body: { id: '1' } }, { id: '1' }],
      [{ kind: 'status', status: 201, body: { code: 0, response: { id: '2' } } }, { id: '2' }],
      [{ kind: 'status', status: 204 }, {}],
    ] as readonly [Fault, object][]) {
      const { bff, browser } = await startSignedIn();
      await using _ = bff;
      bff.service.faults.next('posts', fault);
      const res = await browser.createPost('Hello');
      expectStatus(res, 201);
      assert.deepEqual(res.body, { post });
    }
  });

  it('posts in configured forums only', async () => {
    const { bff, browser } = await startSignedIn({ forums: ['news', 'sport'], serviceOptions: { forums: ['news', 'sport', 'other'] } });
    await using _ = bff;
    expectStatus(await browser.createPost('Hello', { forum: 'sport' }), 201);
    expectProblem(await browser.createPost('Hello', { forum: 'other' }), 'forum-not-allowed');
    assert.deepEqual(bff.service.posts.map(({ forum }) => forum), ['sport']);
  });

  it('limits a message by its code points', async () => {
    const { bff, browser } = await startSignedIn({ messageMaxLength: 5 });
    await using _ = bff;
    expectStatus(await browser.createPost('🦊'.repeat(5)), 201);
    expectProblem(await browser.createPost('🦊'.repeat(6)), 'message-too-long');
    assert.equal(bff.service.posts[0]?.message, '🦊'.repeat(5));
  });

  it('sends the longest message unchanged', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    const message = 'ä'.repeat(10_000);
    expectStatus(await browser.createPost(message), 201);
    assert.equal(bff.service.posts[0]?.message, message);
  });

  it('ends the session when the service refuses the token', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    bff.service.revokeTokensOf('31007');
    expectProblem(await browser.createPost('Hello', { key: KEY }), 'not-signed-in');
    assert.equal((await browser.session()).state, 'anonymous');
    await browser.signIn();
    const again = await browser.createPost('Hello', { key: KEY });
    expectStatus(again, 201);
    assert.equal(again.headers['idempotency-replayed'], undefined);
  });
});

describe('an Idempotency-Key', () => {
  it('returns the same response again, marked as replayed', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    const first = await browser.createPost('Hello', { key: KEY });
    const second = await browser.createPost('Hello', { key: KEY });
    expectStatus(second, 201);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']], [undefined, 'true']);
    assert.equal(bff.service.posts.length, 1);
  });

  it('is the same quoted and bare', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    await browser.createPost('Hello', { key: `"${KEY}"` });
    assert.equal((await browser.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('belongs to the reader: another reader can use the same', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    const other = bff.browser();
    await other.signIn(bff.service.readers[1]);
    await browser.createPost('Hello', { key: KEY });
    assert.equal((await other.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], undefined);
    assert.equal(bff.service.posts.length, 2);
  });

  it('outlives the session', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    await browser.createPost('Hello', { key: KEY });
    await browser.delete('/session');
    await browser.signIn();
    assert.equal((await browser.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('is kept for idempotencySeconds', async () => {
    const { bff, browser } = await startSignedIn({ idempotencySeconds: 60 });
    await using _ = bff;
    await browser.createPost('Hello', { key: KEY });
    bff.passTime(59);
    assert.equal((await browser.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    bff.passTime(2);
    assert.equal((await browser.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], undefined);
  });

  it('refuses another text and another forum', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    await browser.createPost('Hello', { key: KEY });
    expectProblem(await browser.createPost('Hello!', { key: KEY }), 'idempotency-key-reused');
    expectProblem(await browser.createPost('Hello', { key: KEY, forum: 'sport' }), 'idempotency-key-reused');
    assert.equal(sentPosts(bff), 1);
  });

  it('is post-in-progress while it is being worked on, and replays afterwards', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('posts', { kind: 'held', until: held });
    const received = bff.service.whenReceived('posts');
    const first = browser.createPost('Hello', { key: KEY }).then((res) => res);
    await received;
    const meanwhile = await browser.createPost('Hello', { key: KEY });
    assert.equal(expectProblem(meanwhile, 'post-in-progress').retryable, true);
    assert.ok(Number(meanwhile.headers['retry-after']) >= 1);
    expectProblem(await browser.createPost('Hello!', { key: KEY }), 'idempotency-key-reused');
    release();
    expectStatus(await first, 201);
    assert.equal((await browser.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(sentPosts(bff), 1);
  });

  it('posts once for ten concurrent requests', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.createPost('Hello', { key: KEY })));
    for (const res of answers) if (res.status !== 201) expectProblem(res, 'post-in-progress');
    assert.equal(bff.service.posts.length, 1);
  });

  for (const [type, fault, sent] of [
    ['service-refused', { kind: 'status', status: 403, body: { code: 12, response: 'You are banned.' } }, 1],
    ['bad-service-response', { kind: 'redirect', location: 'https://evil.example/' }, 1],
    ['outcome-unknown', { kind: 'html', commits: true }, 1],
    ['outcome-unknown', { kind: 'status', status: 503, commits: true }, 1],
    ['outcome-unknown', { kind: 'reset-after-commit' }, 1],
    ['outcome-unknown', { kind: 'hang-after-commit' }, 1],
    ['outcome-unknown', { kind: 'status', status: 502, commits: true }, 1],
  ] as const) {
    it(`replays ${type} after ${fault.kind}${'status' in fault ? ` ${fault.status}` : ''} without another call`, async () => {
      const { bff, browser } = await startSignedIn(fault.kind === 'hang-after-commit' ? { serviceTimeoutMs: 500 } : {});
      await using _ = bff;
      bff.service.faults.next('posts', fault);
      const first = await browser.createPost('Hello', { key: KEY });
      const problem = expectProblem(first, type);
      assert.equal(problem.retryable, false);
      assert.equal(first.headers['idempotency-replayed'], undefined);
      const second = await browser.createPost('Hello', { key: KEY });
      assert.deepEqual({ ...expectProblem(second, type), instance: problem.instance }, problem);
      assert.equal(second.headers['idempotency-replayed'], 'true');
      expectProblem(await browser.createPost('Another', { key: KEY }), 'idempotency-key-reused');
      assert.equal(sentPosts(bff), sent);
    });
  }

  it('can be sent again after service-unavailable, with a new signature', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    bff.service.faults.next('posts', { kind: 'status', status: 503, body: { code: 15, response: 'Busy' } });
    const refused = await browser.createPost('Hello', { key: KEY });
    assert.equal(expectProblem(refused, 'service-unavailable').retryable, true);
    assert.ok(Number(refused.headers['retry-after']) >= 1);

    await bff.service.down();
    const down = await browser.createPost('Hello', { key: KEY });
    expectProblem(down, 'service-unavailable');
    assert.ok(Number(down.headers['retry-after']) >= 1);
    await bff.service.up();

    const res = await browser.createPost('Hello', { key: KEY });
    expectStatus(res, 201);
    assert.equal(res.headers['idempotency-replayed'], undefined);
    const nonces = bff.service.requests.flatMap(({ headers }) => /nonce="([^"]*)"/.exec(headers['authorization']?.[0] ?? '')?.[1] ?? []);
    assert.equal(nonces.length, 2);
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('passes on Retry-After of the service, and asks it no earlier for this reader', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    bff.service.faults.next('posts', { kind: 'status', status: 503, headers: { 'Retry-After': '7' } });
    const refused = await browser.createPost('Hello', { key: KEY });
    assert.equal(expectProblem(refused, 'service-unavailable').retryable, true);
    assert.equal(refused.headers['retry-after'], '7');
    const again = await browser.createPost('Hello', { key: KEY });
    expectProblem(again, 'service-unavailable');
    assert.match(again.headers['retry-after'] ?? '', /^[67]$/);
    assert.equal(sentPosts(bff), 1);
    const other = bff.browser();
    await other.signIn({ user_id: '2', username: 'Other' });
    expectStatus(await other.createPost('Hello'), 201);
  });

  it('is not spent by a request that is refused before it', async () => {
    const { bff, browser } = await startSignedIn();
    await using _ = bff;
    expectProblem(await browser.createPost(' ', { key: KEY }), 'invalid-request');
    expectProblem(await browser.createPost('Hello', { key: KEY, forum: 'other' }), 'forum-not-allowed');
    expectProblem(await bff.browser().createPost('Hello', { key: KEY }), 'not-signed-in');
    expectStatus(await browser.createPost('Hello', { key: KEY }), 201);
  });
});
