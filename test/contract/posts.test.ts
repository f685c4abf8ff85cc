/** `POST /posts` and its `Idempotency-Key` (contract, section 2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { expectProblem, expectStatus, type ReaderClient } from '../lib/reader.ts';

const KEY = 'idempotency-key-1';

type SignedIn = Bff & { readonly reader: ReaderClient };

/** A BFF, and a reader who is signed in. */
async function startSignedIn(settings: BffSettings = {}): Promise<SignedIn> {
  const bff = await startBff(settings);
  const reader = bff.browser();
  await reader.signIn();
  return { ...bff, reader };
}

const sentPosts = ({ service }: Bff): number => service.requests.filter(({ endpoint }) => endpoint === 'posts').length;

describe('POST /posts', () => {
  it('returns the JSON of the service', async () => {
    await using bff = await startSignedIn();
    bff.service.faults.next('posts', { kind: 'rewrite', change: () => ({ code: 0, response: { id: 7, any: { thing: ['at', 'all'] } } }) });
    const res = await bff.reader.createPost('Hello');
    expectStatus(res, 201);
    assert.deepEqual(res.body, { post: { id: 7, any: { thing: ['at', 'all'] } } });
  });

  it('limits a message by its code points', async () => {
    await using bff = await startSignedIn({ messageMaxLength: 5 });
    expectStatus(await bff.reader.createPost('🦊'.repeat(5)), 201);
    expectProblem(await bff.reader.createPost('🦊'.repeat(6)), 'message-too-long');
    assert.equal(bff.service.posts[0]?.message, '🦊'.repeat(5));
  });

  it('ends the session when the service refuses the token', async () => {
    await using bff = await startSignedIn();
    bff.service.revokeTokensOf('31007');
    expectProblem(await bff.reader.createPost('Hello', { key: KEY }), 'not-signed-in');
    assert.equal((await bff.reader.session()).state, 'anonymous');
    await bff.reader.signIn();
    const again = await bff.reader.createPost('Hello', { key: KEY });
    expectStatus(again, 201);
    assert.equal(again.headers['idempotency-replayed'], undefined);
  });
});

describe('posts in flight', () => {
  /** Four posts of the reader are at the service, which answers after `release`. */
  async function holdFour(bff: SignedIn) {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('posts', ...Array.from({ length: 4 }, () => ({ kind: 'held', until }) as const));
    const held = Promise.all(Array.from({ length: 4 }, (_, i) => bff.reader.createPost(`held ${i}`)));
    while (sentPosts(bff) < 4) await bff.service.whenReceived('posts');
    return { held, release };
  }

  it('are four of one reader at most, so that others get through to a service that hangs; a fifth is refused at once', async () => {
    await using bff = await startSignedIn();
    const other = bff.browser();
    await other.signIn(bff.service.readers[1]);
    const { held, release } = await holdFour(bff);
    const fifth = await bff.reader.createPost('one more');
    assert.equal(expectProblem(fifth, 'service-unavailable').retryable, true);
    assert.equal(fifth.headers['retry-after'], '2');
    expectStatus(await other.createPost('Hello'), 201);
    assert.equal(sentPosts(bff), 5);
    release();
    for (const res of await held) expectStatus(res, 201);
    expectStatus(await bff.reader.createPost('one more'), 201);
  });
});

describe('page of POST /posts', () => {
  it('is an http or https URL on an allowed origin, without credentials or fragment, of at most 2,048 characters', async () => {
    await using bff = await startSignedIn();
    const { origin } = bff;
    const post = (page: unknown) => (
      bff.reader.post('/posts', { forum: 'news', message: 'Hello', page }).set('Idempotency-Key', crypto.randomUUID())
    );
    const longest = `${origin}/${'a'.repeat(2_047 - origin.length)}`;
    for (const page of [`${origin}/article?id=1`, longest]) expectStatus(await post(page), 201);
    for (const page of [
      '', '/article', 'https://evil.example/', `${origin}.evil.example/`, 'javascript:alert(1)', 'ftp://127.0.0.1/', `${origin}/#comments`,
      `${origin}/#`, origin.replace('://', '://user:password@'), ` ${origin}/`, `${origin}/a b`, origin.replace('://', ':\\\\'),
      `${longest}a`, 5, null,
    ]) {
      expectProblem(await post(page), 'invalid-request');
    }
    assert.equal(bff.service.posts.length, 2);
  });
});

describe('expected_user_id of POST /posts', () => {
  it('refuses to post as another account', async () => {
    await using bff = await startSignedIn();
    const post = (expected_user_id: string) => (
      bff.reader.post('/posts', { forum: 'news', message: 'Hello', expected_user_id }).set('Idempotency-Key', crypto.randomUUID())
    );
    assert.deepEqual(expectProblem(await post('31018'), 'user-changed').user, { user_id: '31007', username: 'Ada Quill' });
    assert.deepEqual(bff.service.posts, []);
    expectStatus(await post('31007'), 201);
  });
});

describe('an Idempotency-Key', () => {
  it('returns the same response again, marked as replayed', async () => {
    await using bff = await startSignedIn();
    const first = await bff.reader.createPost('Hello', { key: KEY });
    const second = await bff.reader.createPost('Hello', { key: KEY });
    expectStatus(second, 201);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']], [undefined, 'true']);
    assert.equal(bff.service.posts.length, 1);
  });

  it('is the same quoted and bare', async () => {
    await using bff = await startSignedIn();
    await bff.reader.createPost('Hello', { key: `"${KEY}"` });
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('belongs to the reader: another reader can use the same', async () => {
    await using bff = await startSignedIn();
    const other = bff.browser();
    await other.signIn(bff.service.readers[1]);
    await bff.reader.createPost('Hello', { key: KEY });
    assert.equal((await other.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], undefined);
    assert.equal(bff.service.posts.length, 2);
  });

  it('outlives the session', async () => {
    await using bff = await startSignedIn();
    await bff.reader.createPost('Hello', { key: KEY });
    await bff.reader.delete('/session');
    await bff.reader.signIn();
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('is kept for 24 hours', async () => {
    await using bff = await startSignedIn();
    await bff.reader.createPost('Hello', { key: KEY });
    bff.passTime(86_399);
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    bff.passTime(2);
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], undefined);
  });

  it('refuses another text and another forum', async () => {
    await using bff = await startSignedIn();
    await bff.reader.createPost('Hello', { key: KEY });
    expectProblem(await bff.reader.createPost('Hello!', { key: KEY }), 'idempotency-key-reused');
    expectProblem(await bff.reader.createPost('Hello', { key: KEY, forum: 'sport' }), 'idempotency-key-reused');
    const page = { forum: 'news', message: 'Hello', page: `${bff.origin}/a` };
    expectProblem(await bff.reader.post('/posts', page).set('Idempotency-Key', KEY), 'idempotency-key-reused');
    assert.equal(sentPosts(bff), 1);
  });

  it('is not post-in-progress where the clock was set back by more than a request takes: its outcome is unknown', async () => {
    await using bff = await startSignedIn();
    const { post: first, release } = await bff.reader.holdPost('Hello', { key: KEY });
    bff.passTime(-60);
    expectProblem(await bff.reader.createPost('Hello', { key: KEY }), 'outcome-unknown');
    release();
    expectStatus(await first, 201);
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('is post-in-progress while it is being worked on, and replays afterwards', async () => {
    await using bff = await startSignedIn();
    const { post: first, release } = await bff.reader.holdPost('Hello', { key: KEY });
    const meanwhile = await bff.reader.createPost('Hello', { key: KEY });
    assert.equal(expectProblem(meanwhile, 'post-in-progress').retryable, true);
    assert.ok(Number(meanwhile.headers['retry-after']) >= 1);
    expectProblem(await bff.reader.createPost('Hello!', { key: KEY }), 'idempotency-key-reused');
    release();
    expectStatus(await first, 201);
    assert.equal((await bff.reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'], 'true');
    assert.equal(sentPosts(bff), 1);
  });

  it('posts once for ten concurrent requests', async () => {
    await using bff = await startSignedIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => bff.reader.createPost('Hello', { key: KEY })));
    for (const res of answers) if (res.status !== 201) expectProblem(res, 'post-in-progress');
    assert.equal(bff.service.posts.length, 1);
  });

  for (const [type, fault] of [
    ['service-refused', { kind: 'status', status: 403, body: { code: 12, response: 'You are banned.' } }],
    ['outcome-unknown', { kind: 'reset-after-commit' }],
    ['outcome-unknown', { kind: 'status', status: 502, commits: true }],
  ] as const) {
    it(`replays ${type} after ${fault.kind}${'status' in fault ? ` ${fault.status}` : ''} without another call`, async () => {
      await using bff = await startSignedIn();
      bff.service.faults.next('posts', fault);
      const first = await bff.reader.createPost('Hello', { key: KEY });
      const problem = expectProblem(first, type);
      assert.equal(problem.retryable, false);
      assert.equal(first.headers['idempotency-replayed'], undefined);
      const second = await bff.reader.createPost('Hello', { key: KEY });
      assert.deepEqual({ ...expectProblem(second, type), instance: problem.instance }, problem);
      assert.equal(second.headers['idempotency-replayed'], 'true');
      expectProblem(await bff.reader.createPost('Another', { key: KEY }), 'idempotency-key-reused');
      assert.equal(sentPosts(bff), 1);
    });
  }

  it('can be sent again after service-unavailable, with a new signature', async () => {
    await using bff = await startSignedIn();
    bff.service.faults.next('posts', { kind: 'status', status: 503, body: { code: 21, response: 'Not saved' } });
    const refused = await bff.reader.createPost('Hello', { key: KEY });
    assert.equal(expectProblem(refused, 'service-unavailable').retryable, true);
    assert.ok(Number(refused.headers['retry-after']) >= 1);

    await bff.service.down();
    const down = await bff.reader.createPost('Hello', { key: KEY });
    expectProblem(down, 'service-unavailable');
    assert.ok(Number(down.headers['retry-after']) >= 1);
    await bff.service.up();

    const res = await bff.reader.createPost('Hello', { key: KEY });
    expectStatus(res, 201);
    assert.equal(res.headers['idempotency-replayed'], undefined);
    const nonces = bff.service.requests.flatMap(({ headers }) => /nonce="([^"]*)"/.exec(headers['authorization']?.[0] ?? '')?.[1] ?? []);
    assert.equal(nonces.length, 2);
    assert.notEqual(nonces[0], nonces[1]);
  });

  it('is not spent by a request that is refused before it', async () => {
    await using bff = await startSignedIn();
    expectProblem(await bff.reader.createPost(' ', { key: KEY }), 'invalid-request');
    expectProblem(await bff.reader.createPost('Hello', { key: KEY, forum: 'other' }), 'forum-not-allowed');
    expectProblem(await bff.browser().createPost('Hello', { key: KEY }), 'not-signed-in');
    expectStatus(await bff.reader.createPost('Hello', { key: KEY }), 201);
  });
});
