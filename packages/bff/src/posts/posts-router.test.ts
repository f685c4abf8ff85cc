import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import type { Post } from '@vestibule/shared';
import type { PostHooks } from '../config/hooks.ts';
import { ProblemError } from '../http/problem-error.ts';
import { serveApp, type Served } from '../http/_serve.ts';
import { endTimersAtOnce } from '../lib/_immediate-timers.ts';
import { sha256 } from '../lib/identifiers.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Readers } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { Idempotency, type IdempotencyRecord } from './idempotency.ts';
import type { PostLists } from './post-list.ts';
import { createPostsRouter, type PostsRouterDeps } from './posts-router.ts';

const PAGE = 'https://www.example.com/a';
const user = { user_id: '7', username: 'Ada' };
const draft = { forum: 'news', message: 'Hello' };

interface Created {
  readonly draft: object;
  readonly accessToken: string;
  readonly options: object;
}

interface Fixture extends Served {
  readonly created: Created[];
  readonly ended: string[];
  readonly expired: object[];
  readonly reported: string[];
  readonly counts: string[];
  readonly partitions: string[];
  readonly records: EncryptedCollection<IdempotencyRecord>;
  create: () => Promise<Post>;
  refusal: ProblemError | undefined;
  isStalled: boolean;
  isStoreDown: boolean;
}

async function servePosts(prepare?: PostHooks['prepare'], deps: Partial<PostsRouterDeps> = {}): Promise<Fixture> {
  const store = new MemoryStore();
  const cipher = new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']);
  const records = new EncryptedCollection<IdempotencyRecord>('post', { store, cipher });
  const state = {
    records,
    created: [] as Created[],
    ended: [] as string[],
    expired: [] as object[],
    reported: [] as string[],
    counts: [] as string[],
    partitions: [] as string[],
    create: async (): Promise<Post> => ({ id: '1' }),
    refusal: undefined as ProblemError | undefined,
    isStalled: false,
    isStoreDown: false,
  };
  const all: PostsRouterDeps = {
    config: {
      forums: ['news'], messageMaxLength: 20, origins: ['https://www.example.com', 'https://bff.example.com'],
      posts: prepare ? { prepare } : {}, hookTimeoutMs: 50,
    },
    service: {
      createPost: (post: object, accessToken: string, options: object) => {
        state.created.push({ draft: post, accessToken, options });
        return state.create();
      },
      refusalOf: (operation: string, { partition }: { partition: string }) => {
        state.partitions.push(`${operation} ${partition}`);
        return state.refusal;
      },
      isStalled: (operation: string) => operation === 'create-post' && state.isStalled,
      request: () => Promise.reject(new Error('not expected')),
    } as unknown as PostsRouterDeps['service'],
    idempotency: new Idempotency(records, { lifetimeMs: 100_000, workMs: 10_000 }),
    postLists: { expire: (post: object) => { state.expired.push(post); } } as unknown as PostLists,
    readers: { require: async () => ({ user, accessToken: 'token', sessionId: 'session', signedInAt: 0 }) } as unknown as Readers,
    sessions: {
      end: async (id: string) => {
        state.ended.push(id);
        if (state.isStoreDown) throw new Error('the store is down');
      },
    } as unknown as SessionManager,
    metrics: { posts: Object.assign(new Metrics().posts, { count: (outcome: string) => { state.counts.push(outcome); } }) },
    reportFailure: ({ type }) => { state.reported.push(type); },
  };
  const served = await serveApp((app) => {
    app.use(express.json());
    app.use(createPostsRouter({ ...all, ...deps }));
  });
  return Object.assign(state, served, {
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  });
}

const post = ({ request }: Served, body: object = draft, key = 'key-of-a-post') => request.post('/posts').set('Idempotency-Key', key).send(body);
const typeOf = ({ body }: { body: unknown }) => (body as { type: string }).type.replace(/^.*:/, '');

describe('POST /posts', () => {
  it('creates a post with the reader\'s token, in the reader\'s partition', async () => {
    await using served = await servePosts();
    const { status, body, headers } = await post(served);
    assert.deepEqual([status, body, headers['idempotency-replayed']], [201, { post: { id: '1' } }, undefined]);
    const partition = sha256('user', '7');
    assert.deepEqual(served.created, [{ draft, accessToken: 'token', options: { partition, params: undefined } }]);
    assert.deepEqual([served.partitions, served.counts, served.expired], [[`create-post ${partition}`], ['created'], []]);
  });

  it('creates nothing for another account than the one that the box shows, and keeps the key free', async () => {
    await using served = await servePosts();
    const refused = await post(served, { ...draft, expected_user_id: '8' });
    assert.deepEqual([refused.status, typeOf(refused), (refused.body as { user: object }).user], [409, 'user-changed', user]);
    assert.equal((refused.body as { detail: string }).detail, 'Another account is signed in now. The comment was not posted.');
    assert.equal(served.created.length, 0);
    assert.equal((await post(served, { ...draft, expected_user_id: '7' })).status, 201);
    assert.deepEqual(served.created.map((created) => created.draft), [draft]);
  });

  it('replays the response of a key, and marks it', async () => {
    await using served = await servePosts();
    await post(served);
    const { status, body, headers } = await post(served);
    assert.deepEqual([status, body, headers['idempotency-replayed']], [201, { post: { id: '1' } }, 'true']);
    assert.equal(served.created.length, 1);
    assert.deepEqual(served.counts, ['created', 'replayed']);
  });

  it('refuses another forum, message or page under the same key', async () => {
    await using served = await servePosts();
    await post(served, { ...draft, page: PAGE });
    for (const body of [draft, { ...draft, page: `${PAGE}b` }, { ...draft, message: 'Bye', page: PAGE }]) {
      assert.equal(typeOf(await post(served, body)), 'idempotency-key-reused');
    }
    assert.equal((await post(served, { ...draft, page: PAGE })).status, 201);
    assert.equal(served.created.length, 1);
  });

  it('stores a hash of the text with the key, under the reader\'s id', async () => {
    await using served = await servePosts();
    await post(served);
    const [record] = await Array.fromAsync(served.records.all());
    assert.deepEqual([record?.body, record?.user_id], [sha256('news', 'Hello', '', 'key-of-a-post'), '7']);
  });

  it('expires the list of the page after the response, and when the post is settled, also by a failure', async (t) => {
    await using served = await servePosts();
    const expected = { forum: 'news', page: PAGE };
    await post(served, { ...draft, page: PAGE });
    await t.waitFor(() => { assert.deepEqual(served.expired, [expected, expected]); });
    served.expired.length = 0;
    const gate = Promise.withResolvers<Post>();
    served.create = () => gate.promise;
    served.isStalled = true;
    endTimersAtOnce(t);
    await post(served, { ...draft, page: PAGE }, 'another-key');
    t.mock.reset();
    await t.waitFor(() => { assert.deepEqual(served.expired, [expected]); });
    gate.reject(new ProblemError('service-unavailable'));
    await t.waitFor(() => { assert.deepEqual(served.expired, [expected, expected]); });
    assert.deepEqual(served.reported, ['service-unavailable']);
  });

  it('accepts a page without a hook that lists its posts', async () => {
    await using served = await servePosts(undefined, { postLists: undefined });
    assert.equal((await post(served, { ...draft, page: PAGE })).status, 201);
  });

  it('refuses what the contract does not allow, and calls no service', async () => {
    await using served = await servePosts();
    assert.equal(typeOf(await post(served, { ...draft, forum: 'other' })), 'forum-not-allowed');
    assert.equal(typeOf(await post(served, { ...draft, message: 'x'.repeat(21) })), 'message-too-long');
    assert.equal(typeOf(await post(served, { ...draft, page: 'https://elsewhere.example/a' })), 'invalid-request');
    assert.equal(typeOf(await post(served, draft, 'short')), 'invalid-request');
    assert.equal((await post(served, draft).set('Accept', 'text/html')).status, 406);
    const { status, headers } = await served.request.put('/posts');
    assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, POST']);
    assert.equal((await served.request.post('/Posts').set('Idempotency-Key', 'key-of-a-post').send(draft)).status, 404);
    assert.deepEqual(served.created, []);
    assert.equal((await post(served, { ...draft, page: 'https://bff.example.com/a' })).status, 201);
  });

  it('refuses new keys while the service refuses, and counts it', async () => {
    await using served = await servePosts();
    await post(served);
    served.refusal = new ProblemError('service-unavailable');
    assert.equal(typeOf(await post(served, draft, 'another-key')), 'service-unavailable');
    assert.equal((await post(served)).headers['idempotency-replayed'], 'true');
    assert.deepEqual(served.counts, ['created', 'service-unavailable', 'replayed']);
  });

  it('ends the session when the service refuses the token, even if the store is down, and for no other refusal', async () => {
    await using served = await servePosts();
    for (const error of [new ProblemError('service-refused'), new TypeError('a bug')]) {
      served.create = () => Promise.reject(error);
      await post(served, draft, `key-of-${error.message}`);
    }
    assert.deepEqual(served.ended, []);
    served.create = () => Promise.reject(new ProblemError('not-signed-in'));
    assert.equal(typeOf(await post(served, draft, 'a-refused-key')), 'not-signed-in');
    assert.deepEqual(served.ended, ['session']);
    served.isStoreDown = true;
    assert.equal(typeOf(await post(served, draft, 'a-second-refused-key')), 'not-signed-in');
    assert.deepEqual(served.ended, ['session', 'session']);
  });

  it('responds early while the service stalls, and counts the post when it is created', async (t) => {
    endTimersAtOnce(t);
    await using served = await servePosts();
    const gate = Promise.withResolvers<Post>();
    served.create = () => gate.promise;
    served.isStalled = true;
    assert.equal(typeOf(await post(served)), 'post-in-progress');
    assert.deepEqual(served.counts, []);
    gate.resolve({ id: '1' });
    assert.equal((await post(served)).headers['idempotency-replayed'], 'true');
    assert.deepEqual(served.counts, ['created', 'replayed']);
  });

  it('adds the parameters of the prepare hook, which sees draft and user', async () => {
    const contexts: object[] = [];
    await using served = await servePosts(({ signal: _, service, ...context }) => {
      contexts.push({ ...context, hasService: typeof service.request === 'function' });
      return { ok: true, params: { thread: '9' } };
    });
    assert.equal((await post(served)).status, 201);
    assert.deepEqual(contexts, [{ ...draft, user, hasService: true }]);
    assert.deepEqual((served.created[0]?.options as { params: unknown }).params, [['thread', '9']]);
  });

  it('passes the refusal of the prepare hook on, and waits for the hook no longer than its timeout', async () => {
    await using served = await servePosts(({ message }) => (message === 'hang' ? new Promise(() => undefined) : { ok: false, reason: 'Closed.' }));
    const refused = await post(served);
    assert.deepEqual([typeOf(refused), (refused.body as { detail: string }).detail], ['post-rejected', 'Closed.']);
    assert.equal(typeOf(await post(served, { ...draft, message: 'hang' }, 'another-key')), 'internal-error');
    assert.deepEqual(served.created, []);
  });
});
