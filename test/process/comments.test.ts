/** The file of `VESTIBULE_THREADS=sqlite:PATH` from the command line: `vestibule comments`, and what `readers`, `backup` and
 *  `check` do with it (contract, section 4). */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import supertest from 'supertest';
import type { PostCreated, PostList } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runVestibule } from '../lib/vestibule-process.ts';
import { startEmulatedService, type StoredPost } from '../service/index.ts';

const ORIGIN = new URL(PUBLIC_URL).origin;

interface Line {
  readonly id: string;
  readonly state: string;
  readonly page: string;
  readonly message: string;
  readonly parent_id?: string;
  readonly author: { readonly username: string; readonly user_id?: string };
}

const linesOf = (stdout: string): readonly Line[] => stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Line);

describe('the comments of a thread of our own', () => {
  const world = suiteResource(async () => {
    await using stack = new AsyncDisposableStack();
    const redirectUris = [`${PUBLIC_URL}/sync/return`];
    const service = stack.use(await startEmulatedService({ redirectUris, threads: true, realWorldShapes: ['moderation-flags'] }));
    const { path: directory } = stack.use(await temporaryDirectory());
    const path = (name: string) => join(directory, name);
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `sqlite:${path('store.db')}`, VESTIBULE_THREADS: `sqlite:${path('comments.db')}`, VESTIBULE_RATE_LIMITS: 'off' });
    const bff = stack.use(await startProcess(env));
    const started = stack.move();
    return { service, bff, env, path, [Symbol.asyncDispose]: () => started.disposeAsync() };
  });
  const run = (...args: string[]) => runVestibule({ args, env: world().env });
  const comments = async (...args: string[]) => linesOf((await run('comments', ...args)).stdout);

  async function writer(reader: number, page: string) {
    const { bff, service } = world();
    const browser = bff.browser(service);
    await browser.signIn(service.readers[reader]);
    return async (message: string, parent?: string) => {
      const res = await browser.post('/posts', { forum: 'news', message, page, parent }).set('Idempotency-Key', crypto.randomUUID());
      expectStatus(res, 201);
      return (res.body as PostCreated).listed as { id: string };
    };
  }

  async function listOf(page: string): Promise<PostList> {
    const { bff, service } = world();
    // Another order is another entry of the cache.
    const res = await bff.browser(service).get(`/posts?${new URLSearchParams({ forum: 'news', page })}`);
    expectStatus(res, 200);
    return res.body as PostList;
  }

  it('are listed, approved and removed while the BFF runs', async () => {
    const page = `${ORIGIN}/approved`;
    const { service } = world();
    const write = await writer(0, page);
    const shown = await write('Shown');
    service.premoderated.add(service.readers[0]!.user_id);
    const held = await write('Held', shown.id);
    service.premoderated.delete(service.readers[0]!.user_id);
    assert.deepEqual((await comments('--held')).map(({ id, state, parent_id, author }) => [id, state, parent_id, author.username]), [[held.id, 'pending', shown.id, 'Ada Quill']]);
    assert.equal((await run('comments', 'approve', held.id)).stdout, `Comment ${held.id} is published.`);
    assert.deepEqual(await comments('--held'), []);
    const again = await run('comments', 'approve', held.id);
    assert.deepEqual([again.status, again.stderr.trim()], [1, `vestibule: there is no comment ${held.id} that waits for approval`]);
    assert.match((await run('comments', 'remove', shown.id)).stdout, /is removed/);
    assert.equal((await run('comments', 'remove', shown.id)).status, 1);
    assert.deepEqual((await listOf(page)).posts.map(({ message, removed }) => [message, removed]), [['', true], ['Held', undefined]]);
    assert.deepEqual((await comments('list')).filter((one) => one.page === page).map(({ message }) => message), ['Held']);
  });

  it('move to the new address of their article, and join those that are there', async () => {
    const [from, to, third] = [`${ORIGIN}/old`, `${ORIGIN}/new`, `${ORIGIN}/third`];
    const root = await (await writer(0, from))('Old');
    await (await writer(1, from))('Reply', root.id);
    await (await writer(0, to))('New');
    assert.equal((await run('comments', 'move', from, to)).stdout, 'Published comments that moved: 2.');
    assert.equal((await run('comments', 'move', to, third)).stdout, 'Published comments that moved: 3.');
    assert.deepEqual((await listOf(third)).posts.map(({ message }) => message), ['New', 'Old', 'Reply']);
    assert.equal((await run('comments', 'move', from, third)).status, 1);
    assert.equal((await run('comments', 'move', third, 'https://elsewhere.example/')).status, 64);
  });

  it('are imported once, parents before their replies, and have no owner without --service-users', async () => {
    const page = `${ORIGIN}/imported`;
    const file = world().path('comments.jsonl');
    const line = (id: string, created_at: string, parent_id?: string, more: object = {}) => (
      { forum: 'news', page, id, ...(parent_id && { parent_id }), author: { username: `Author of ${id}`, user_id: world().service.readers[1]!.user_id }, message: `Text of ${id}`, created_at, ...more }
    );
    const write = (...lines: readonly object[]) => writeFile(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const [folder, missing] = [await run('comments', 'import', world().path('')), await run('comments', 'import', `${file}.missing`)];
    assert.deepEqual([folder.status, folder.stderr.trim().endsWith('cannot be read (EISDIR)')], [64, true]);
    assert.deepEqual([missing.status, missing.stderr.trim().endsWith('cannot be read (ENOENT)')], [64, true]);
    // With its prefix the id of the last one is longer than an id may be.
    await write(line('3', '2020-01-03'), { forum: 'other', page: 'https://elsewhere.example/' }, line('x'.repeat(254), '2020-01-03T00:00:00Z', undefined, { author: { username: 'Ada' } }));
    const refused = await run('comments', 'import', file);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /Nothing was imported.*\nline 1: created_at\nline 2: forum, page, id, author, message, created_at\nline 3: id\n/);
    await write(
      line('reply', '2020-01-01T00:00:00Z', 'root'), line('root', '2020-01-02 00:00:00'), line('one', '2020-01-03T00:00:00Z', 'two'),
      line('two', '2020-01-04T00:00:00Z', 'one'), line('orphan', '2020-01-05T00:00:00Z', 'missing'), line('root', '2020-01-02 00:00:00'),
    );
    assert.equal((await run('comments', 'import', file)).stdout, 'Imported comments: 5. There before: 1. Replies without their parent, which stand alone: 2.');
    assert.equal((await run('comments', 'import', file)).stdout, 'Imported comments: 0. There before: 6.');
    const { posts, total } = await listOf(page);
    assert.deepEqual(posts.map(({ id, parent_id }) => [id, parent_id]), [
      ['i-orphan', undefined], ['i-two', undefined], ['i-one', 'i-two'], ['i-root', undefined], ['i-reply', 'i-root'],
    ]);
    assert.deepEqual([total, posts[0]?.author], [5, { username: 'Author of orphan' }]);

    await write(line('owned', '2020-01-06T00:00:00Z', 'root'));
    assert.equal((await run('comments', 'import', file, '--service-users')).stdout, 'Imported comments: 1. There before: 0.');
    const reply = await (await writer(1, page))('To an imported one', 'i-owned');
    assert.equal(world().service.posts.find(({ id }) => id === reply.id)?.parent, undefined);
    assert.equal((await comments()).find(({ id }) => id === 'i-owned')?.author.user_id, world().service.readers[1]!.user_id);
  });

  it('follow the service: approved, held and removed there, but not where an edit holds them or a moderator approved them here', async () => {
    const page = `${ORIGIN}/followed`;
    const { service } = world();
    const write = await writer(2, page);
    const stored = (id: string) => service.posts.find((post) => post.id === id) as StoredPost;
    service.premoderated.add(page).add(service.readers[2]!.user_id);
    const [approved, here, edited] = [await write('Approved there'), await write('Approved here'), await write('Edited')];
    service.premoderated.clear();
    const [held, deleted, spam] = [await write('Held'), await write('Deleted'), await write('Spam')];
    await run('comments', 'approve', here.id);
    for (const { id } of [approved, edited]) stored(id).state = undefined;
    stored(held.id).state = 'held';
    stored(deleted.id).state = 'deleted';
    stored(spam.id).state = 'spam';
    const browser = world().bff.browser(service);
    await browser.signIn(service.readers[2]);
    expectStatus(await browser.patch(`/posts/${edited.id}`, { forum: 'news', page, message: 'Changed' }), 200);
    assert.match((await run('comments', 'sync')).stdout, /^Asked the service for \d+ comments; states that changed: 4\.$/);
    const states = (await comments()).filter((one) => one.page === page).map(({ id, state }) => [id, state]);
    assert.deepEqual(states, [[spam.id, 'pending'], [held.id, 'pending'], [edited.id, 'pending'], [here.id, 'published'], [approved.id, 'published']]);
    // Some services say with the code of a wrong argument that they do not have a comment: the others are asked nevertheless.
    service.faults.next('postDetails', { kind: 'status', status: 400, body: { code: 2, response: 'Unable to find post' } });
    const again = await run('comments', 'sync');
    assert.deepEqual([again.status, again.stderr], [0, '']);
    assert.match(again.stdout, /states that changed: 0\.$/);
    service.faults.always('postDetails', { kind: 'status', status: 400, body: { code: 14, response: 'rate limit' } });
    const limited = await run('comments', 'sync');
    service.faults.clear();
    assert.equal(limited.status, 1);
    assert.match(limited.stderr, /^vestibule: the service does not answer further: the service is busy: code 14/);
  });

  it('of a reader are exported and deleted with the likes, and copied by backup into the folder of the store\'s copy', async () => {
    const page = `${ORIGIN}/readers`;
    const { service, path, bff } = world();
    const [sophia, noor] = [service.readers[2]!, service.readers[3]!];
    const { id } = await (await writer(3, page))('Of Noor');
    const other = await (await writer(2, page))('Of Sophia', id);
    const browser = bff.browser(service);
    await browser.signIn(noor);
    expectStatus(await browser.put(`/posts/${other.id}/like`, { forum: 'news', page, liked: true }), 200);
    const exported = JSON.parse((await run('readers', 'export', noor.user_id)).stdout) as { comments: Line[]; likes: string[] };
    assert.deepEqual([exported.comments.map(({ message }) => message), exported.likes], [['Of Noor'], [other.id]]);

    await mkdir(path('backups'));
    const backup = await run('backup', path('backups/store.db'));
    assert.deepEqual([backup.status, ['store.db', 'comments.db'].every((name) => existsSync(path(`backups/${name}`)))], [0, true]);
    const beside = await run('backup', path('other.db'));
    assert.deepEqual([beside.status, existsSync(path('other.db'))], [64, false]);
    assert.match(beside.stderr, /name a file in another folder/);

    assert.match((await run('readers', 'delete', noor.user_id)).stdout, /, comments 1, likes 1\.$/);
    const left = (await comments()).filter((one) => one.page === page);
    assert.deepEqual(left.map(({ author, parent_id }) => [author.user_id, parent_id]), [[sophia.user_id, id]]);
  });

  it('of the sites of a process are apart in one file, and --site names one', async () => {
    const { env, path } = world();
    const sites = ['one', 'two'].map((name) => ({ publicUrl: `http://${name}.example/vestibule`, allowedOrigins: [ORIGIN] }));
    await writeFile(path('sites.json'), JSON.stringify({ sites }));
    const settings = { ...env, VESTIBULE_CONFIG: path('sites.json'), VESTIBULE_THREADS: `sqlite:${path('sites.db')}`, VESTIBULE_STORE: 'memory:' };
    const page = `${ORIGIN}/both`;
    for (const { publicUrl } of sites) {
      const { hostname } = new URL(publicUrl);
      const line = { forum: 'news', page, id: '1', author: { username: 'Ada' }, message: `At ${hostname}`, created_at: '2026-01-31T12:00:00Z' };
      await writeFile(path('site.jsonl'), JSON.stringify(line));
      const { stdout } = await runVestibule({ args: ['comments', 'import', path('site.jsonl'), '--site', hostname], env: settings });
      assert.equal(stdout, 'Imported comments: 1. There before: 0.');
    }
    const { status, stderr } = await runVestibule({ args: ['comments'], env: settings });
    assert.deepEqual([status, /name the site with --site: one\.example, two\.example/.test(stderr)], [64, true]);
    await using bff = await startProcess(settings);
    for (const host of ['one.example', 'two.example']) {
      const res = await supertest(bff.origin).get(`/vestibule/posts?${new URLSearchParams({ forum: 'news', page })}`).set('Host', host);
      assert.deepEqual((res.body as PostList).posts.map(({ message }) => message), [`At ${host}`]);
    }
  });

  it('are checked: which thread is in force, and whether its file reads and writes', async () => {
    const { env, path } = world();
    const check = async (settings: Readonly<Record<string, string>>) => (await runVestibule({ args: ['check'], env: { ...env, ...settings } })).stdout.split('\n')
      .filter((line) => /^\w+ +threads /.test(line)).map((line) => line.replace(/ +/g, ' '));
    assert.match((await check({})).join('\n'), /^ok threads sqlite at .*comments\.db reads and writes; comments: \d+, waiting for approval: \d+$/);
    assert.match((await check({ VESTIBULE_THREADS: '' })).join('\n'), /^ok threads none, so show-posts has nothing to show/);
    assert.match((await check({ VESTIBULE_THREADS: `sqlite:${path('missing/comments.db')}` })).join('\n'), /^fail threads VESTIBULE_THREADS: create the folder /);
    assert.match((await check({ VESTIBULE_THREADS: 'service' })).join('\n'), /^ok threads the service has threads$/);
    assert.match((await check({ VESTIBULE_THREADS: env['VESTIBULE_STORE'] ?? '' })).join('\n'), /^$/);
  });

  it('need the setting and the file', async () => {
    const { env, path } = world();
    for (const [threads, words] of [['', /is not sqlite:PATH/], [`sqlite:${path('none.db')}`, /there is no file at/], ['sqlite::memory:', /belong to the process that serves/]] as const) {
      const { status, stderr } = await runVestibule({ args: ['comments'], env: { ...env, VESTIBULE_THREADS: threads } });
      assert.deepEqual([status, words.test(stderr)], [78, true], stderr);
    }
    for (const [threads, store, words] of [
      [env['VESTIBULE_STORE'] ?? '', env['VESTIBULE_STORE'] ?? '', /^VESTIBULE_THREADS: must be another file than that of VESTIBULE_STORE$/m],
      ['sqlite:comments.db', 'redis://127.0.0.1', /^VESTIBULE_THREADS: sqlite: is a file of one machine/m], ['comments.db', 'memory:', /^VESTIBULE_THREADS: must be sqlite:PATH/m],
    ] as const) {
      const { status, stderr } = await runVestibule({ args: ['serve'], env: { ...env, VESTIBULE_THREADS: threads, VESTIBULE_STORE: store } });
      assert.deepEqual([status, words.test(stderr)], [78, true], stderr);
    }
  });
});
