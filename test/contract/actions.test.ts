/** The reader's own posts, and likes: `PATCH` and `DELETE /posts/{id}`, `PUT /posts/{id}/like` (contract, sections 2 and 4). */

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'node:test';
import { ProblemError, type ActionContext, type PostEntry } from '@vestibule/bff';
import { refusalReason, type PostList, type SessionView } from '@vestibule/shared';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { expectProblem, expectStatus, type ReaderClient } from '../lib/reader.ts';
import { until as waitUntil } from '../lib/until.ts';

const entry: PostEntry = { id: '7', author: { username: 'Ada Quill', user_id: '31007' }, message: 'Hello', created_at: '2026-01-02T03:04:05Z' };
const other: PostEntry = { ...entry, id: '8', author: { username: 'Jörg Ünterwald', user_id: 31018 } };

type Site = Pick<Bff, 'origin'>;
type Hooks = NonNullable<BffSettings['posts']>;

/** Every hook, each of which notes its context. */
function noting(seen: Partial<ActionContext>[], more: Hooks = {}): Hooks {
  return {
    list: () => ({ posts: [entry, other] }),
    edit: (context) => {
      seen.push(context);
      return { ok: true, post: { ...entry, message: context.message, edited_at: '2026-01-02 04:00:00' } };
    },
    remove: (context) => { seen.push(context); return { ok: true }; },
    like: (context) => { seen.push(context); return { ok: true, likes: context.liked ? 3 : 2 }; },
    ...more,
  };
}

async function start(posts: Hooks, settings: BffSettings = {}) {
  const bff = await startBff({ posts: { list: () => ({ posts: [entry, other] }), ...posts }, ...settings });
  const browser = bff.browser();
  await browser.signIn();
  const dispose = () => bff[Symbol.asyncDispose]();
  return { ...bff, browser, browserOf: () => bff.browser(), ...requestsOf(bff, browser), [Symbol.asyncDispose]: dispose };
}

function requestsOf({ origin }: Site, browser: ReaderClient, id = '7') {
  const article = { forum: 'news', page: `${origin}/a` };
  return {
    edit: (more: object = {}) => browser.patch(`/posts/${id}`, { ...article, message: 'Changed', ...more }),
    remove: (more: object = {}) => browser.delete(`/posts/${id}?${new URLSearchParams({ ...article, ...more })}`),
    like: (more: object = {}) => browser.put(`/posts/${id}/like`, { ...article, liked: true, ...more }),
    list: async () => (await browser.get(`/posts?${new URLSearchParams(article)}`)).body as PostList,
  };
}

const actions = ['edit', 'remove', 'like'] as const;

describe('an action', () => {
  it('runs its hook with who acts on what, and responds with what became of it', async () => {
    const seen: Partial<ActionContext & { message: string; liked: boolean }>[] = [];
    await using site = await start(noting(seen));
    const edited = await site.edit();
    expectStatus(edited, 200);
    const author = { username: 'Ada Quill', key: (await site.browser.session()).user?.key };
    assert.deepEqual(edited.body, { listed: {
      id: '7', author, message: 'Changed', created_at: entry.created_at, edited_at: '2026-01-02T04:00:00Z', state: 'published',
    } });
    const removed = await site.remove();
    expectStatus(removed, 204);
    assert.equal(removed.text, '');
    assert.deepEqual((await site.like()).body, { likes: 3 });
    assert.deepEqual((await site.like({ liked: false })).body, { likes: 2 });
    const of = { id: '7', user: { user_id: '31007', username: 'Ada Quill' }, forum: 'news', page: `${site.origin}/a` };
    assert.deepEqual(seen.map(({ service: _, signal: __, client: ___, ...rest }) => rest), [
      { message: 'Changed', ...of }, of, { liked: true, ...of }, { liked: false, ...of },
    ]);
    assert.ok(seen.every((context) => context.client?.address.endsWith('127.0.0.1')));
  });

  it('is not-found without its hook, and is not offered', async () => {
    await using site = await start({ list: () => ({ posts: [entry] }), like: () => ({ ok: true }) });
    for (const action of ['edit', 'remove'] as const) expectProblem(await site[action](), 'not-found');
    assert.deepEqual((await site.like()).body, {});
    assert.deepEqual((await site.list()).actions, ['like']);
    await using plain = await start({ list: () => ({ posts: [entry] }) });
    for (const action of actions) assert.equal(expectProblem(await plain[action](), 'not-found').status, 404);
    const { actions: offered, posts: [listed] } = await plain.list();
    assert.deepEqual([offered, listed?.author.key], [undefined, (await plain.browser.session()).user?.key]);
  });

  it('needs a session, an allowed origin, an article and a text as POST /posts does', async () => {
    await using site = await start(noting([], {}), { messageMaxLength: 10 });
    for (const action of actions) {
      expectProblem(await requestsOf(site, site.browserOf())[action](), 'not-signed-in');
      expectProblem(await site[action]().set('Origin', 'https://evil.example'), 'cross-site-request');
      expectProblem(await site[action]({ forum: 'other' }), 'forum-not-allowed');
      expectProblem(await site[action]({ page: 'https://evil.example/' }), 'invalid-request');
    }
    for (const more of [{ message: ' ' }, { message: undefined }, { page: undefined }, { unknown: 1 }]) {
      expectProblem(await site.edit(more), 'invalid-request');
    }
    expectProblem(await site.edit({ message: 'x'.repeat(11) }), 'message-too-long');
    for (const liked of ['true', undefined]) expectProblem(await site.like({ liked }), 'invalid-request');
    const inPath = ['a%2Fb', '..%2F..%2Fusers%2Fblock.json%3Fx%3D', 'a%5Cb', 'a%3Fb', 'a%23b', 'a%25b', 'a%00b', 'a%0D%0AX:b'];
    for (const id of ['%2E', '%2e%2e', 'x'.repeat(256), '%ff', '%', ...inPath]) {
      const path = `/vestibule/posts/${id}`;
      const { port } = site.server.address() as { port: number };
      const status = await rawStatus(port, path, site.origin, site.browser.cookies());
      assert.equal(status, 400, id);
    }
  });

  it('of removal has no unknown parameter: a precondition is not dropped', async () => {
    const seen: object[] = [];
    await using site = await start(noting(seen));
    const key = (await site.browser.session()).user?.key ?? '';
    for (const more of [{ expected_user_id: '31007' }, { 'expected_key[]': key }, { __proto__: null, constructor: key }]) {
      expectProblem(await site.remove(more), 'invalid-request');
    }
    const article = new URLSearchParams({ forum: 'news', page: `${site.origin}/a` });
    expectProblem(await site.browser.delete(`/posts/7?${article}&expected_key=${key}&expected_key=${key}`), 'invalid-request');
    assert.deepEqual(seen, []);
  });

  it('is of the account that the box shows', async () => {
    const seen: object[] = [];
    await using site = await start(noting(seen));
    const user = { user_id: '31007', username: 'Ada Quill' };
    for (const action of ['edit', 'like'] as const) {
      assert.deepEqual(expectProblem(await site[action]({ expected_user_id: '31018' }), 'user-changed').user, user);
      expectStatus(await site[action]({ expected_user_id: '31007' }), 200);
    }
    assert.deepEqual(expectProblem(await site.remove({ expected_key: 'AAAAAAAAAAAAAAAA' }), 'user-changed').user, user);
    const key = (await site.browser.session()).user?.key ?? '';
    assert.match(key, /^[\w-]{16}$/);
    expectStatus(await site.remove({ expected_key: key }), 204);
    assert.equal(seen.length, 3);
  });

  it('is post-rejected for a user who is not proven, before a hook runs and without words that count as the publisher\'s', async () => {
    const seen: object[] = [];
    await using bff = await startBff({ posts: noting(seen) });
    bff.service.faults.next('token', { kind: 'rewrite', change: ({ user_id: _, ...rest }: Record<string, unknown>) => rest });
    const browser = bff.browser();
    await browser.signIn();
    assert.equal('key' in ((await browser.session()).user ?? {}), false);
    for (const action of actions) assert.equal(refusalReason(expectProblem(await requestsOf(bff, browser)[action](), 'post-rejected')), '');
    assert.deepEqual(seen, []);
  });

  it('is refused with the hook\'s reason in the reader\'s language, or because the post is gone', async () => {
    const results: ({ ok: false; reason: { en: string; de: string } } | { ok: false; gone: true } | { ok: false })[] = [];
    const next = () => results.shift()!;
    await using site = await start({ edit: next, remove: next, like: next });
    for (const action of actions) {
      results.push({ ok: false, reason: { en: 'Not yours.', de: 'Nicht Ihrer.' } }, { ok: false, gone: true }, { ok: false });
      assert.equal(expectProblem(await site[action]().set('Accept-Language', 'de'), 'post-rejected').detail, 'Nicht Ihrer.');
      const { status, retryable } = expectProblem(await site[action](), 'not-found');
      assert.deepEqual([status, retryable], [410, false]);
      expectProblem(await site[action](), 'post-rejected');
    }
    const lines = site.log.filter(({ level }) => Number(level) >= 40);
    assert.equal(lines.length, 9);
    assert.match(String(lines[0]?.['reason']), /posts\.edit/);
  });

  it('can be repeated after any failure on our side', async () => {
    const failures = [
      new Error('broken'), new ProblemError('outcome-unknown'), new ProblemError('service-unavailable', { retryAfterSeconds: 3 }), new ProblemError('service-refused'),
    ];
    for (const action of actions) {
      const left = [...failures];
      await using site = await start({ [action]: () => { throw left.shift()!; } });
      const seen = [];
      for (const _ of failures) {
        const { body } = await site[action]() as { body: { status: number; retryable: boolean } };
        seen.push([body.status, body.retryable]);
      }
      assert.deepEqual(seen, [[500, true], [504, true], [503, true], [502, false]], action);
    }
  });

  it('is counted by action and outcome, in few routes', async () => {
    await using site = await start(noting([], { remove: () => ({ ok: false, gone: true }) }));
    for (const action of actions) await site[action]();
    const text = await site.vestibule.metrics();
    for (const line of [
      'vestibule_post_actions_total{action="edit",outcome="done"} 1',
      'vestibule_post_actions_total{action="remove",outcome="not-found"} 1',
      'vestibule_http_requests_total{route="/posts/{id}",method="PATCH",status="200"} 1',
      'vestibule_http_requests_total{route="/posts/{id}",method="DELETE",status="410"} 1',
      'vestibule_http_requests_total{route="/posts/{id}/like",method="PUT",status="200"} 1',
      'vestibule_failures_total{operation="action",problem="not-found"} 1',
    ]) assert.ok(text.includes(`${line}\n`), line);
  });

  it('is refused at once while four posts and actions of its reader are at work; those of others are not', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    const called: string[] = [];
    await using site = await start(noting([], { like: async ({ user }) => {
      called.push(user.user_id);
      if (user.user_id === '31007') await until;
      return { ok: true };
    } }));
    const other = site.browserOf();
    await other.signIn(site.service.readers[1]);
    const likes = Array.from({ length: 4 }, () => site.like().then(({ status }) => status));
    await waitUntil('four likes are at work', () => called.length === 4);
    expectProblem(await site.like(), 'service-unavailable');
    expectProblem(await site.browser.createPost('Hello'), 'service-unavailable');
    expectStatus(await requestsOf(site, other).like(), 200);
    assert.deepEqual([called.length, site.service.posts.length], [5, 0]);
    release();
    assert.deepEqual(await Promise.all(likes), [200, 200, 200, 200]);
    expectStatus(await site.browser.createPost('Hello'), 201);
  });

  it('is within the limit posts, a like within other', async () => {
    await using site = await start(noting([]), { rateLimits: { posts: 1, sync: 10, other: 3, lists: 10 } });
    expectStatus(await site.edit(), 200);
    assert.equal(expectProblem(await site.remove(), 'too-many-requests').retryable, true);
    expectStatus(await site.like(), 200);
  });

  it('calls the hook of the list no more often: 20 likes, one call', async () => {
    let calls = 0;
    await using site = await start({ list: () => { calls += 1; return { posts: [entry] }; }, like: () => ({ ok: true }) });
    for (let i = 0; i < 20; i += 1) {
      expectStatus(await site.like({ liked: i % 2 === 0 }), 200);
      await site.list();
    }
    assert.equal(calls, 1);
  });
});

describe('the keys of authors', () => {
  it('stand for user ids, which are never sent, and tell readers their own entries', async () => {
    await using site = await start(noting([]));
    const list = await site.list();
    assert.deepEqual(list.actions, ['edit', 'remove', 'like']);
    assert.doesNotMatch(JSON.stringify(list), /31007|31018|user_id/);
    const { user } = await site.browser.session() as SessionView;
    assert.deepEqual(list.posts.map(({ author }) => author.key === user?.key), [true, false]);
    assert.deepEqual(list.posts.map(({ author: { key, ...author } }) => [author, /^[\w-]{16}$/.test(key ?? '')]), [
      [{ username: 'Ada Quill' }, true], [{ username: 'Jörg Ünterwald' }, true],
    ]);
  });
});

describe('lists of a site whose readers can remove posts', () => {
  it('are never older than a minute', async () => {
    let isDown = false;
    await using site = await start(noting([], { list: () => { if (isDown) throw new Error('down'); return { posts: [entry] }; } }));
    const status = async () => (await site.browser.get(`/posts?forum=news&page=${site.origin}/a`)).status;
    assert.equal(await status(), 200);
    isDown = true;
    site.passTime(50);
    assert.equal(await status(), 200);
    site.passTime(11);
    assert.equal(await status(), 500);
  });
});

describe('a call asReader', () => {
  const call = ({ service }: Pick<ActionContext, 'service'>) => (
    service.request('POST', '/api/3.0/posts/create.json', { forum: 'news', message: 'asReader' }, { asReader: true })
  );

  it('has the reader\'s access token in each hook that runs for a signed-in reader, which does not see it', async () => {
    const contexts: object[] = [];
    const act = async <R>(context: ActionContext, result: R) => { contexts.push(context); await call(context); return result; };
    await using bff = await startBff({
      validation: { fields: [], onAccepted: async (context) => { contexts.push(context); await call(context); } },
      posts: {
        prepare: async (context) => { contexts.push(context); await call(context); return { ok: true }; },
        created: async (context) => { contexts.push(context); await call(context); return entry; },
        list: () => ({ posts: [entry] }),
        edit: (context) => act(context, { ok: true, post: entry }),
        remove: (context) => act(context, { ok: true }),
        like: (context) => act(context, { ok: true }),
      },
    });
    const browser = bff.browser();
    await browser.signIn();
    expectStatus(await browser.createPost('Hello'), 201);
    const { edit, remove, like } = requestsOf(bff, browser);
    for (const res of [await edit(), await remove(), await like()]) assert.ok(res.status < 300, res.text);
    assert.deepEqual(bff.service.posts.map(({ message, user_id }) => [message, user_id]), [
      ['asReader', '31007'], ['asReader', '31007'], ['Hello', '31007'], ...Array.from({ length: 4 }, () => ['asReader', '31007']),
    ]);
    const tokens = bff.service.requests.map(({ headers }) => /access_token="([^"]+)"/.exec(headers['authorization']?.[0] ?? '')?.[1])
      .filter((token) => token !== undefined);
    assert.equal(tokens.length, 7);
    const visible = inspect(contexts, { depth: 9, showHidden: true }) + JSON.stringify(bff.log);
    for (const token of tokens) assert.ok(!visible.includes(token));
  });

  it('that the service refuses for its token ends the sign-in', async () => {
    await using site = await start(noting([], { like: async (context) => { await call(context); return { ok: true }; } }));
    site.service.revokeTokensOf('31007');
    expectProblem(await site.like(), 'not-signed-in');
    assert.equal(await site.browser.state(), 'anonymous');
  });

  it('that the service refuses during onAccepted ends the sign-in', async () => {
    await using bff = await startBff({ validation: { fields: [], onAccepted: async (context) => { await call(context); } } });
    const browser = bff.browser();
    const shown = await browser.begin();
    const body = { code: 18, response: 'Invalid access token' };
    bff.service.faults.always('posts', { kind: 'status', status: 401, body });
    for (const _ of ['first', 'repeated']) expectProblem(await browser.validateShown(shown), 'not-signed-in');
    assert.equal(await browser.state(), 'anonymous');
  });

  it('does not end the session where the service refuses a call of the hook that is not the reader\'s', async () => {
    const own = ({ service }: ActionContext) => service.request('POST', '/api/3.0/posts/create.json', { forum: 'news', message: 'x' });
    await using site = await start(noting([], { like: async (context) => { await own(context); return { ok: true }; } }));
    site.service.faults.always('posts', { kind: 'status', status: 401, body: { code: 4, response: 'Invalid access token' } });
    expectProblem(await site.like(), 'internal-error');
    assert.equal(await site.browser.state(), 'signed-in');
  });

  it('is a TypeError elsewhere', async () => {
    const failures: unknown[] = [];
    const fail = (context: Pick<ActionContext, 'service'>) => call(context).catch((error: unknown) => { failures.push(error); });
    await using bff = await startBff({
      validation: { fields: [], validate: async (context) => { await fail(context); return { ok: true }; } },
      posts: {
        list: async (context) => { await fail(context); return { posts: [] }; },
        count: async (context) => { await fail(context); return [0]; },
      },
    });
    const browser = bff.browser();
    await browser.signIn();
    await requestsOf(bff, browser).list();
    await browser.get(`/posts/counts?forum=news&page=${bff.origin}/a`);
    await fail(bff.vestibule);
    assert.deepEqual(failures.map((error) => error instanceof TypeError), [true, true, true, true]);
    assert.deepEqual(bff.service.posts, []);
  });
});

/** Without the normalization of a URL parser. */
async function rawStatus(port: number, path: string, origin: string, cookie: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: `${path}?forum=news&page=${origin}/a`, method: 'DELETE', headers: { Origin: origin, Cookie: cookie } }, (res) => {
      res.resume();
      resolve(res.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}
