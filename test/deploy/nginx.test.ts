/** The published nginx configuration before two BFFs on one Redis (contract, section 3). */

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { startRedis, type RedisServer } from '../store/_redis-server.ts';
import { startNginx, type Proxy } from './_nginx.ts';
import { HOST, Visitor, type Wish } from './_visitor.ts';

const PUBLIC_URL = `https://${HOST}/vestibule`;
const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

/** Requests a minute, besides posts and syncs. */
const LIMIT = 5;

type Line = Readonly<Record<string, unknown>>;

describe('two BFFs on one Redis behind nginx', () => {
  let service: EmulatedService;
  let redis: RedisServer;
  let bffs: readonly VestibuleProcess[];
  let ports: readonly [number, number];
  let nginx: Proxy;
  before(async () => {
    service = await startEmulatedService({ redirectUris: [REDIRECT_URI] });
    redis = await startRedis();
    bffs = [1, 2].map(() => new VestibuleProcess({ env: bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: `redis://${redis.host}`,
      VESTIBULE_RATE_LIMITS: `posts=100,sync=100,other=${LIMIT}`,
      VESTIBULE_TRUST_PROXY: '127.0.0.1',
    }) }));
    const [first = '', second = ''] = await Promise.all(bffs.map((bff) => bff.origin()));
    ports = [portOf(first), portOf(second)];
    nginx = await startNginx(ports);
  });
  after(async () => {
    await nginx[Symbol.asyncDispose]();
    for (const bff of bffs) await bff[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  async function signIn(visitor: Visitor): Promise<void> {
    assert.equal(await visitor.signIn(nginx, service.issueReturn({ redirectUri: REDIRECT_URI })), 200);
  }

  function post(visitor: Visitor, message: string, key: string) {
    return visitor.ask(nginx, '/vestibule/posts', { body: { forum: 'news', message }, headers: { 'Idempotency-Key': key } });
  }

  /** What nginx and a BFF logged of a request, once both have. */
  async function loggedTwice(id: unknown): Promise<readonly [ofNginx: Line, ofBff: Line]> {
    const ofBff = await Promise.any(bffs.map((bff) => bff.loggedWith('request_id', id)));
    for (;;) {
      const ofNginx = (await nginx.accessLog()).find((line) => line['request_id'] === id);
      if (ofNginx) return [ofNginx, ofBff];
    }
  }

  /** Statuses of `LIMIT` requests and one. */
  async function exhaust(ask: (turn: number) => Promise<{ status: number }>): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let turn = 0; turn <= LIMIT; turn += 1) statuses.push((await ask(turn)).status);
    return statuses;
  }
  const exhausted = [...Array.from({ length: LIMIT }, () => 200), 429];

  it('sign readers in and create posts, whichever process responds', async () => {
    const visitor = new Visitor('127.0.0.21');
    await signIn(visitor);
    for (const turn of [1, 2]) assert.equal((await post(visitor, `Hello ${turn}`, `key-of-hello-${turn}`)).status, 201);
    assert.equal((await visitor.ask(nginx, '/vestibule/session')).json['state'], 'signed-in');
    const asked = new Set((await nginx.accessLog()).map(({ upstream }) => upstream));
    assert.deepEqual(asked, new Set(ports.map((port) => `127.0.0.1:${port}`)));
  });

  it('set cookies for this host and https only', async () => {
    const visitor = new Visitor('127.0.0.22');
    const body = service.issueReturn({ redirectUri: REDIRECT_URI });
    const [cookie = ''] = (await visitor.ask(nginx, '/vestibule/sync', { body })).headers['set-cookie'] ?? [];
    assert.match(cookie, /^__Host-Http-vestibule-sync-[\w-]{8}=[^;]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('are reached under the path and by https alone', async () => {
    const visitor = new Visitor('127.0.0.23');
    const { status, headers } = await visitor.askPlain(nginx.httpPort, '/vestibule/session?a=b');
    assert.deepEqual([status, headers.location], [308, `https://${HOST}/vestibule/session?a=b`]);
    assert.equal((await visitor.ask(nginx, '/session')).status, 404);
    const widget = await visitor.ask(nginx, '/vestibule/widget.js', { headers: { 'Accept-Encoding': 'br' } });
    assert.deepEqual([widget.status, widget.headers['content-encoding']], [200, 'br']);
    assert.match(String(widget.headers['strict-transport-security']), /^max-age=\d+$/);
  });

  it('count a client together by the address that nginx saw, whatever the client says', async () => {
    const visitor = new Visitor('127.0.0.24');
    const forged = (turn: number) => ({ 'X-Forwarded-For': `192.0.2.${turn}`, Forwarded: `for=192.0.2.${turn}` });
    assert.deepEqual(await exhaust((turn) => visitor.ask(nginx, '/vestibule/session', { headers: forged(turn) })), exhausted);
    assert.equal((await new Visitor('127.0.0.25').ask(nginx, '/vestibule/session')).status, 200);
  });

  it('trust no other hop than nginx', async () => {
    const visitor = new Visitor('127.0.0.26');
    const forged = (turn: number) => ({ 'X-Forwarded-For': `192.0.2.${turn}` });
    assert.deepEqual(await exhaust((turn) => visitor.askPlain(ports[0], '/vestibule/session', { headers: forged(turn) })), exhausted);
  });

  it('leave no code of a sign-in in a log', async () => {
    const { code } = service.issueReturn({ redirectUri: REDIRECT_URI });
    const { status, headers } = await new Visitor('127.0.0.27').ask(nginx, `/vestibule/sync/return?code=${code}`);
    assert.equal(status, 200);
    await loggedTwice(headers['x-request-id']);
    const lines = JSON.stringify(await nginx.accessLog()) + JSON.stringify(bffs.map((bff) => bff.lines));
    assert.match(lines, /\/sync\/return/);
    assert.ok(!lines.includes(code));
  });

  it('answer requests by one id in both logs', async () => {
    const { headers } = await new Visitor('127.0.0.28').ask(nginx, '/vestibule/session');
    const [ofNginx, ofBff] = await loggedTwice(headers['x-request-id']);
    assert.deepEqual([ofNginx['path'], ofBff['route']], ['/vestibule/session', '/session']);
  });

  it('lose no reader when one of them dies', async () => {
    const visitor = new Visitor('127.0.0.29');
    await signIn(visitor);
    const first = await post(visitor, 'Still here', 'key-of-still-here');
    await bffs[0]?.kill('SIGKILL');
    for (const turn of [1, 2, 3]) {
      assert.equal((await visitor.ask(nginx, '/vestibule/session')).json['state'], 'signed-in', String(turn));
      const again = await post(visitor, 'Still here', 'key-of-still-here');
      assert.deepEqual([again.status, again.json, again.headers['idempotency-replayed']], [201, first.json, 'true']);
    }
  });
});

describe('nginx before a BFF that dies with a request in its hands', () => {
  let dying: Server;
  let living: Server;
  let nginx: Proxy;
  const seen = { dying: 0, living: 0 };
  beforeEach(async () => {
    Object.assign(seen, { dying: 0, living: 0 });
    dying = createServer((req) => { seen.dying += 1; req.socket.destroy(); });
    living = createServer((_req, res) => { seen.living += 1; res.end(); });
    const [first, second] = [await listen(dying), await listen(living)];
    nginx = await startNginx([portOf(first), portOf(second)]);
  });
  afterEach(async () => {
    await nginx[Symbol.asyncDispose]();
    await Promise.all([dying, living].map(closeServer));
  });

  async function statusesOf(count: number, wish: Wish): Promise<readonly number[]> {
    const statuses: number[] = [];
    while (statuses.length < count) statuses.push((await new Visitor('127.0.0.30').ask(nginx, '/vestibule/posts', wish)).status);
    return statuses;
  }

  it('asks the other one for a GET', async () => {
    assert.deepEqual(await statusesOf(4, {}), [200, 200, 200, 200]);
    assert.ok(seen.dying > 0);
  });

  it('never sends a POST twice', async () => {
    const statuses = await statusesOf(4, { body: {} });
    assert.equal(seen.dying + seen.living, 4);
    assert.ok(seen.dying > 0);
    assert.equal(statuses.filter((status) => status === 502).length, seen.dying);
  });
});

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}
