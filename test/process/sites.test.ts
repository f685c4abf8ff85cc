/** Several sites in one process on one store (contract, section 4, "A group of sites"). */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import supertest from 'supertest';
import { loadSites } from '../../packages/bff/src/config/sites.ts';
import { openSites } from '../../packages/bff/src/sites.ts';
import { startProcess } from '../lib/bff-process.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { COURIER, GAZETTE, HOSTS, PAGE, startGroup, type Host } from '../lib/site-group.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';

const ada = { user_id: 'user-of-ada', username: 'Ada of Testville' };

describe('a group of sites', () => {
  const group = suiteResource(() => startGroup());

  /** A browser of one site that has all cookies of the other. */
  const intruder = (cookies: ReaderClient) => group().reader(GAZETTE).keepCookies(cookies.cookies());

  it('gives a session of one site no meaning at the other', async () => {
    const reader = group().reader(COURIER);
    await reader.signIn(ada);
    assert.equal(await reader.state(), 'signed-in');
    const other = intruder(reader);
    assert.equal(await other.state(), 'anonymous');
    expectProblem(await other.createPost('Hello'), 'not-signed-in');
    expectStatus(await other.delete('/session'), 204);
    assert.equal(await reader.state(), 'signed-in');
  });

  it('gives a sign-in, an attempt and a notice of one site no meaning at the other', async () => {
    const reader = group().reader(COURIER);
    const syncReturn = reader.issueReturn(ada);
    const shown = await reader.begin(syncReturn);
    const other = intruder(reader);
    assert.deepEqual([await reader.state(), await other.state()], ['validating', 'anonymous']);
    expectProblem(await other.validateShown(shown), 'no-sync-in-progress');
    expectProblem(await other.cancelShown(shown), 'no-sync-in-progress');
    // The code is not taken there.
    expectStatus(await other.start(syncReturn), 201);
    expectStatus(await reader.validateShown(shown), 200);

    const starter = group().reader(COURIER);
    expectStatus(await starter.authorize('forum=news'), 302);
    expectStatus(await intruder(starter).receive(starter.issueReturn()), 200);
    expectStatus(await starter.receive({ error: 'access_denied' }), 303);
    assert.equal((await starter.session()).notice?.kind, 'declined');
    assert.equal((await intruder(starter).session()).notice, undefined);
  });

  it('keeps posts and limits apart: the same key posts at each, and the limit of one is not that of the other', async () => {
    const key = crypto.randomUUID();
    const before = group().service.posts.length;
    for (const host of HOSTS) {
      const reader = group().reader(host);
      await reader.signIn({ user_id: 'user-of-limits', username: 'Lim' });
      const posted = await reader.createPost('Hello', { key });
      expectStatus(posted, 201);
      assert.equal(posted.headers['idempotency-replayed'], undefined);
      expectStatus(await reader.createPost('Hello', { key }), 201);
      expectProblem(await reader.createPost('again'), 'too-many-requests');
    }
    assert.equal(group().service.posts.length, before + 2);
  });

  it('keeps lists, counts and cursors apart', async () => {
    const query = `forum=news&page=${encodeURIComponent(PAGE)}`;
    const lists = await Promise.all(HOSTS.map(async (host) => (await group().reader(host).get(`/posts?${query}`)).body as {
      posts: { author: { username: string } }[]; next_cursor: string;
    }));
    assert.deepEqual(lists.map(({ posts }) => posts[0]?.author.username), HOSTS);
    const cursor = lists[0]?.next_cursor ?? '';
    const next = (host: Host) => group().reader(host).get(`/posts?${query}&cursor=${encodeURIComponent(cursor)}`);
    expectStatus(await next(COURIER), 200);
    expectProblem(await next(GAZETTE), 'invalid-request');
    const counts = await Promise.all(HOSTS.map(async (host) => (await group().reader(host).get(`/posts/counts?${query}`)).body as object));
    assert.deepEqual(counts, HOSTS.map(({ length }) => ({ counts: [length] })));
  });

  it('keeps profiles and readers apart: commands act on the site that --site names', async () => {
    const { run, reader } = group();
    const user = { user_id: 'user-of-profiles', username: 'Prof' };
    const readers = HOSTS.map(reader);
    for (const [i, client] of readers.entries()) await client.signIn(user, { about: HOSTS[i] });
    for (const host of HOSTS) {
      const { status, stdout } = await run('profiles', '--site', host);
      const own = stdout.split('\n').filter((line) => line.includes(user.user_id)).map((line) => (JSON.parse(line) as { answers: object }).answers);
      assert.deepEqual([status, own], [0, [{ about: host }]]);
    }
    const exported = JSON.parse((await run('readers', 'export', user.user_id, '--site', GAZETTE)).stdout) as { sessions: object[] };
    assert.equal(exported.sessions.length, 1);
    assert.equal((await run('readers', 'delete', user.user_id, '--site', COURIER)).status, 0);
    assert.deepEqual(await Promise.all(readers.map((client) => client.state())), ['anonymous', 'signed-in']);
    for (const [args, words] of [
      [['profiles'], `vestibule: name the site with --site: ${HOSTS.join(', ')}\n`],
      [['readers', 'export', 'x', '--site', 'www.other.example'], `vestibule: there is no site www.other.example: ${HOSTS.join(', ')}\n`],
    ] as const) {
      const { status, stderr } = await run(...args);
      assert.deepEqual([status, stderr], [64, words]);
    }
  });

  it('asks a reader of one site everything at the other, with all cookies', async () => {
    const user = { user_id: 'user-of-answers', username: 'Ans' };
    for (const host of HOSTS) await group().reader(host).signIn(user, { about: host });
    const reader = group().reader(COURIER);
    await reader.signIn(user, { about: 'Me' });
    const asked = await Promise.all([reader, intruder(reader)].map(async (client) => {
      await client.begin(client.issueReturn(user));
      return (await client.session()).sync?.form.fields.length;
    }));
    assert.deepEqual(asked, [0, 1]);
  });

  it('answers another host with 404 and a line that names the setting; its health has no host', async () => {
    const { bff } = group();
    const at = (path: string, host: string) => supertest(bff.origin).get(path).set('Host', host);
    const refused = await at('/vestibule/session', 'www.other.example');
    const { instance } = expectProblem(refused, 'not-found');
    // As of any path that is not there.
    const { headers } = await at('/vestibule/nothing', GAZETTE);
    for (const name of ['content-type', 'cache-control', 'content-security-policy', 'referrer-policy', 'x-content-type-options']) {
      assert.equal(refused.headers[name], headers[name], name);
    }
    const line = await bff.process.logged('www.other.example', 'host');
    assert.deepEqual([line['level'], line['setting'], `urn:vestibule:request:${line['request_id'] as string}`], [40, 'sites', instance]);
    for (const path of ['/healthz', '/readyz', '/healthz/', '/vestibule/readyz']) {
      // A ping of the store that takes a second, as on a busy disk, is a 503.
      await until(`${path} is 200`, async () => (await at(path, '10.0.0.7:8080')).status === 200);
    }
    // A URL parser would read these as the host name of a site.
    for (const host of [`www.other.example@${GAZETTE}`, `${GAZETTE}/x`, `${GAZETTE}#x`, `${GAZETTE}\\x`, `%77${GAZETTE.slice(1)}`]) {
      expectStatus(await at('/vestibule/session', host), 404);
    }
    // Ports are not compared; neither is what a proxy says elsewhere.
    expectStatus(await at('/vestibule/session', `${GAZETTE}:8443`), 200);
    expectStatus(await at('/vestibule/session', 'www.other.example').set('X-Forwarded-Host', GAZETTE), 404);
  });

  it('warns of another host once a minute, and of a hundred hosts at most', async () => {
    await using directory = await temporaryDirectory();
    const file = `${directory.path}/config.json`;
    await writeFile(file, JSON.stringify({ sites: HOSTS.map((host) => ({ publicUrl: `http://${host}/vestibule` })) }));
    let now = Date.now();
    const lines: { readonly level: number; readonly host?: string }[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => { lines.push(JSON.parse(line) as typeof lines[number]); } });
    await using served = await openSites(await loadSites({ ...group().env, VESTIBULE_STORE: 'memory:', VESTIBULE_CONFIG: file }), { logger, now: () => now });
    const warned = async (...hosts: readonly string[]) => {
      lines.length = 0;
      for (const host of hosts) expectProblem(await supertest(served.router).get('/vestibule/session').set('Host', host), 'not-found');
      const named = lines.filter(({ host }) => host !== undefined);
      // The reference of each response is in the log.
      assert.equal(named.length, hosts.length);
      return named.filter(({ level }) => level === 40).map(({ host }) => host);
    };
    assert.deepEqual(await warned('a.example', 'a.example', 'b.example'), ['a.example', 'b.example']);
    assert.deepEqual(await warned('a.example'), []);
    assert.equal((await warned(...Array.from({ length: 120 }, (_, i) => `${i}.example`))).length, 98);
    now += 60_001;
    assert.deepEqual(await warned('a.example'), ['a.example']);
  });

  it('says of a cookie that a process with another secret signed it', async () => {
    await using directory = await temporaryDirectory();
    const file = `${directory.path}/config.json`;
    await writeFile(file, JSON.stringify({ sites: HOSTS.map((host) => ({ publicUrl: `http://${host}/vestibule` })) }));
    const reader = group().reader(COURIER);
    await reader.signIn(ada);
    const lines: { readonly reason?: string }[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => { lines.push(JSON.parse(line) as typeof lines[number]); } });
    const env = { ...group().env, VESTIBULE_STORE: 'memory:', VESTIBULE_CONFIG: file, VESTIBULE_COOKIE_SECRETS: 'another cookie secret of thirty-two bytes or more' };
    await using other = await openSites(await loadSites(env), { logger });
    const headers = { Host: COURIER, Origin: `http://${COURIER}`, Cookie: reader.cookies(), 'Idempotency-Key': crypto.randomUUID() };
    expectProblem(await supertest(other.router).post('/vestibule/posts').set(headers).send({ forum: 'news', message: 'Hello' }), 'not-signed-in');
    assert.match(lines.map(({ reason }) => reason).join(), /another cookie secret signed/);
  });

  it('names the site in log lines and metrics', async () => {
    const { bff, reader, adminPort } = group();
    const res = await reader(GAZETTE).get('/session');
    assert.equal((await bff.process.logged(res.headers['x-request-id'], 'request_id'))['site'], GAZETTE);
    const { text } = await supertest(`http://127.0.0.1:${adminPort}`).get('/metrics');
    for (const host of HOSTS) assert.match(text, new RegExp(`^vestibule_posts_total\\{site="${host}",outcome="created"\\} \\d`, 'm'));
  });

  it('is checked site by site', async () => {
    const { stdout } = await group().run('check');
    const parts = stdout.split('\n\n');
    assert.deepEqual(parts.map((part) => part.split('\n')[0]), HOSTS);
    assert.match(stdout, /^warn +settings +VESTIBULE_PUBLIC_URL has no effect beside sites/m);
    assert.deepEqual(stdout.match(/^\w+ +proxy /gm)?.length, 1);
    for (const part of parts) for (const name of ['store', 'keys', 'registration']) assert.match(part, new RegExp(`^ok +${name} `, 'm'));
  });

  it('is moved to with an empty key: the earlier installation keeps its readers', async () => {
    const { env, service } = group();
    await using directory = await temporaryDirectory();
    const store = { VESTIBULE_STORE: `sqlite:${directory.path}/store.db`, VESTIBULE_ADMIN_PORT: '' };
    const before = { ...env, ...store, VESTIBULE_CONFIG: '', VESTIBULE_PUBLIC_URL: `http://${COURIER}/vestibule` };
    const target = { path: '/vestibule', origin: `http://${COURIER}`, redirectUri: `http://${COURIER}/vestibule/sync/return`, service };
    let cookies = '';
    {
      await using bff = await startProcess(before);
      const reader = new ReaderClient({ ...target, server: bff.origin });
      await reader.signIn(ada);
      cookies = reader.cookies();
    }
    await writeFile(`${directory.path}/config.json`, JSON.stringify({
      sites: [{ publicUrl: `http://${COURIER}/vestibule`, key: '' }, { publicUrl: `http://${GAZETTE}/vestibule` }],
    }));
    await using bff = await startProcess({ ...env, ...store, VESTIBULE_CONFIG: `${directory.path}/config.json` });
    const back = (host: Host) => new ReaderClient({ ...target, host, server: bff.origin }).keepCookies(cookies);
    assert.equal(await back(COURIER).state(), 'signed-in');
    assert.equal(await back(GAZETTE).state(), 'anonymous');
  });
});
