/** The published nginx configuration before two BFFs on one store (contract, section 5). */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { startProcess } from '../lib/bff-process.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectStatus, ReaderClient, setCookies } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';
import { certificate, startNginx, startNginxSite, type Nginx } from './_nginx.ts';

const ORIGIN = 'https://www.example.com';
const REDIRECT_URI = `${ORIGIN}/vestibule/sync/return`;

/** Requests a minute of one address to one process, besides posts and sign-ins. */
const LIMIT = 40;

describe('two BFFs on one store behind nginx', () => {
  const service = suiteResource(() => startEmulatedService({ redirectUris: [REDIRECT_URI] }));
  const directory = suiteResource(temporaryDirectory);
  const startOne = () => startProcess(bffEnvironment(service(), `${ORIGIN}/vestibule`, {
    VESTIBULE_STORE: `sqlite:${join(directory().path, 'store.db')}`,
    VESTIBULE_RATE_LIMITS: `posts=100,sync=100,other=${LIMIT}`,
    VESTIBULE_TRUST_PROXY: '127.0.0.1',
  }));
  const first = suiteResource(startOne);
  const second = suiteResource(startOne);
  const hosts = (): [string, string] => [new URL(first().origin).host, new URL(second().origin).host];
  const nginx = suiteResource<Nginx>(() => startNginx(hosts()));

  function browser(server = nginx().https): ReaderClient {
    const reader = new ReaderClient({ server, path: '/vestibule', origin: ORIGIN, redirectUri: REDIRECT_URI, service: service() });
    (reader.agent as unknown as { ca(certificate: string): void }).ca(certificate);
    return reader;
  }

  it('sign readers in and create posts, whichever process responds; cookies are for this host and https only', async () => {
    const reader = browser();
    const started = await reader.start();
    expectStatus(started, 201);
    for (const cookie of setCookies(started)) assert.match(cookie, /^__Host-Http-vestibule[^;]+; .*Path=\/; .*HttpOnly; Secure; SameSite=/);
    expectStatus(await reader.validate(), 200);
    for (let i = 0; i < 4; i += 1) expectStatus(await reader.createPost(`Hello ${i}`), 201);
    assert.equal(await reader.state(), 'signed-in');
    await until('both have responded', async () => {
      const upstreams = new Set((await nginx().accessLog()).map(({ upstream }) => upstream));
      return hosts().every((host) => upstreams.has(host));
    });
  });

  it('are reached below their path, by https alone, with the response compressed', async () => {
    const plain = await browser(nginx().http).get('/session?a=b');
    assert.deepEqual([plain.status, plain.headers['location']], [308, `${ORIGIN}/vestibule/session?a=b`]);
    expectStatus(await browser().agent.get('/session'), 404);
    const { status, headers } = await browser().get('/widget.js').set('Accept-Encoding', 'gzip');
    assert.deepEqual([status, headers['content-encoding'], /^max-age=\d+$/.test(headers['strict-transport-security'] ?? '')], [200, 'gzip', true]);
  });

  it('take a Cookie header of 12 KiB', async () => {
    const reader = browser().keepCookies(`trackers=${'t'.repeat(12 * 1024)}`);
    await reader.signIn();
    assert.equal(await reader.state(), 'signed-in');
  });

  it('return a reader to an article with a long address', async () => {
    const reader = browser();
    const page = `${ORIGIN}/article?`.padEnd(1_500, 'a');
    expectStatus(await reader.authorize(`display=page&return_to=${encodeURIComponent(page)}`), 302);
    const { status, headers } = await reader.receive(reader.issueReturn());
    assert.deepEqual([status, headers['location']], [303, page]);
  });

  it('log a request with one id in both logs, and no code of a sign-in', async () => {
    const reader = browser();
    const syncReturn = reader.issueReturn();
    const { status, headers } = await reader.receive(syncReturn);
    assert.equal(status, 200);
    const id = headers['x-request-id'];
    const ofBff = await Promise.any([first(), second()].map((bff) => bff.process.logged(id, 'request_id')));
    const ofNginx = await until('nginx logs it', async () => (await nginx().accessLog()).find((line) => line['request_id'] === id));
    assert.deepEqual([ofNginx['path'], ofBff['route']], ['/vestibule/sync/return', '/sync/return']);
    const logs = JSON.stringify(await nginx().accessLog()) + await nginx().errorLog() + [first(), second()].map(({ process }) => process.lines.join('\n')).join('\n');
    assert.ok(!logs.includes(syncReturn.code));
  });

  it('lose no reader when one of them is killed', async () => {
    const reader = browser();
    await reader.signIn();
    const post = () => reader.createPost('Still here', { key: 'key-of-still-here' });
    const created = await post();
    expectStatus(created, 201);
    await first().process.kill('SIGKILL');
    for (let i = 0; i < 3; i += 1) {
      assert.equal(await reader.state(), 'signed-in');
      const again = await post();
      assert.deepEqual([again.status, again.body, again.headers['idempotency-replayed']], [201, created.body, 'true']);
    }
  });

  it('count a client by the address that nginx saw, whatever the client says', async () => {
    const statuses = new Set<number>();
    for (let i = 0; i <= LIMIT; i += 1) {
      const { status } = await browser().get('/session').set({ 'X-Forwarded-For': `192.0.2.${i}`, Forwarded: `for=192.0.2.${i}` });
      statuses.add(status);
    }
    assert.ok(statuses.has(429));
  });
});

describe('a BFF behind the site of an nginx that has its own configuration', () => {
  it('signs readers in and creates posts, with the address of the client; no query is logged', async () => {
    await using service = await startEmulatedService({ redirectUris: [REDIRECT_URI] });
    await using bff = await startProcess(bffEnvironment(service, `${ORIGIN}/vestibule`, {
      VESTIBULE_STORE: 'memory:', VESTIBULE_TRUST_PROXY: 'loopback',
    }));
    await using nginx = await startNginxSite(new URL(bff.origin).host);
    const reader = new ReaderClient({ server: nginx.https, path: '/vestibule', origin: ORIGIN, redirectUri: REDIRECT_URI, service });
    (reader.agent as unknown as { ca(certificate: string): void }).ca(certificate);
    await reader.signIn();
    expectStatus(await reader.createPost('Hello'), 201);
    expectStatus(await reader.get('/widget.js'), 200);
    const syncReturn = reader.issueReturn();
    expectStatus(await reader.receive(syncReturn), 200);
    const lines = await nginx.accessLog();
    assert.ok(lines.some(({ path, status }) => path === '/vestibule/posts' && status === 201));
    assert.ok(!JSON.stringify(lines).includes(syncReturn.code));
  });
});

describe('nginx before a BFF that dies with a request in its hands', () => {
  it('sends a GET to the other one, and never a POST twice', async () => {
    const seen = { dying: 0, living: 0 };
    const dying = createServer((req) => {
      seen.dying += 1;
      req.socket.destroy();
    });
    const living = createServer((_req, res) => {
      seen.living += 1;
      res.end();
    });
    const hosts = [new URL(await listen(dying)).host, new URL(await listen(living)).host] as const;
    await using nginx = await startNginx(hosts);
    const service = await startEmulatedService();
    const reader = new ReaderClient({ server: nginx.https, path: '/vestibule', origin: ORIGIN, redirectUri: REDIRECT_URI, service });
    (reader.agent as unknown as { ca(certificate: string): void }).ca(certificate);
    for (let i = 0; i < 4; i += 1) expectStatus(await reader.get('/posts'), 200);
    assert.ok(seen.dying > 0);
    Object.assign(seen, { dying: 0, living: 0 });
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await reader.post('/posts', {})).status);
    assert.ok(seen.dying > 0);
    assert.equal(seen.dying + seen.living, 4);
    assert.equal(statuses.filter((status) => status === 502).length, seen.dying);
    await Promise.all([dying, living].map(closeServer));
    await service[Symbol.asyncDispose]();
  });
});
