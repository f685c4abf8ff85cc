/** `createVestibule` in a host application (contract, section 4, library). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, request, ServerResponse, type RequestListener } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import cookieParser from 'cookie-parser';
import express from 'express';
import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import supertest from 'supertest';
import { Agent, type Dispatcher } from 'undici';
import { ConfigError, createVestibule, defineConfig, type VestibuleConfig } from '@vestibule/bff';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { MOUNT, startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { expectStatus } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

const config: VestibuleConfig = defineConfig({
  serviceUrl: 'http://127.0.0.1:9',
  publicKey: 'public-key',
  secretKey: 'secret-key',
  forums: ['news'],
  publicUrl: 'http://127.0.0.1/vestibule',
  cookieSecrets: [COOKIE_SECRET],
  store: 'memory:',
});

/** Serves `listener` until `test` ends. */
async function serving(listener: RequestListener, test: (request: ReturnType<typeof supertest>) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await test(supertest(server));
  } finally {
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
}

async function stateOf(request: ReturnType<typeof supertest>, path: string): Promise<string> {
  return (await request.get(path)).body.state as string;
}

describe('createVestibule', () => {
  it('can be mounted beside the routes of an application', async () => {
    await using vestibule = await createVestibule(config);
    const app = express().use('/vestibule', vestibule.router);
    app.get('/article', (_req, res) => { res.send('article'); });
    await serving(app, async (request) => {
      assert.equal(await stateOf(request, '/vestibule/session'), 'anonymous');
      assert.equal((await request.get('/article')).text, 'article');
      assert.equal((await request.get('/vestibule/healthz')).status, 200);
      assert.equal((await request.get('/healthz')).status, 404);
    });
  });

  it('leaves a path that it does not know to the host as it came, mounted or not', async () => {
    await using vestibule = await createVestibule(config);
    const hosts: Record<string, RequestListener> = {
      'a path of Express': express().use('/vestibule', vestibule.router).use((req, res) => { res.json([req.url, req.baseUrl, req.ip]); }),
      'the root of Express': express().use(vestibule.router).use((req, res) => { res.json([req.url, req.baseUrl, req.ip]); }),
      'node:http': (req, res) => {
        vestibule.router(req, res, () => {
          const isPlain = Object.getPrototypeOf(req) === IncomingMessage.prototype
            && Object.getPrototypeOf(res) === ServerResponse.prototype;
          ServerResponse.prototype.setHeader.call(res, 'Content-Type', 'application/json');
          res.end(JSON.stringify([req.url, isPlain ? '' : 'of Express', req.socket.remoteAddress]));
        });
      },
    };
    for (const [name, listener] of Object.entries(hosts)) {
      await serving(listener, async (request) => {
        for (const path of ['/', '/vestibule/nothing?a=%2f', '/vestibule/assets/nothing.js', '/session', '/vestibules/session']) {
          const { body, headers } = await request.get(path);
          assert.deepEqual(body, [path, '', '127.0.0.1'], name);
          for (const header of ['content-security-policy', 'cache-control', 'x-request-id']) assert.equal(headers[header], undefined, name);
        }
        assert.equal(await stateOf(request, '/vestibule/session'), 'anonymous', name);
        assert.equal((await request.post('/vestibule/session').set('Sec-Fetch-Site', 'same-origin')).status, 405, name);
        assert.equal((await request.get('/vestibule/widget.js')).status, 200, name);
      });
    }
  });

  it('returns a handler for node:http', async () => {
    await using vestibule = await createVestibule({ ...config, publicUrl: 'http://127.0.0.1' });
    await serving((req, res) => { void vestibule.router(req, res); }, async (request) => {
      assert.equal(await stateOf(request, '/session'), 'anonymous');
      assert.equal((await request.get('/nothing')).type, 'application/problem+json');
    });
  });

  it('ignores the parsers and settings of the host application', async () => {
    await using bff = await startBff();
    const app = express();
    app.set('query parser', 'extended').set('etag', 'strong').set('trust proxy', true);
    app.use(express.json(), express.urlencoded({ extended: true }), cookieParser('a secret of the host application'), (_req, res, next) => {
      Object.assign(res.locals, { route: '/nothing', requestId: 'x', problem: 'x' });
      next();
    });
    app.use('/vestibule', bff.vestibule.router);
    await serving(app, async (request) => {
      const started = await request.post('/vestibule/sync').set('Origin', bff.origin).send(bff.browser().issueReturn());
      assert.equal(started.status, 201, started.text);
      const [cookie = ''] = started.headers['set-cookie'] as unknown as string[];
      const session = await request.get('/vestibule/session').set('Cookie', cookie.split(';')[0] ?? '');
      assert.equal((session.body as { state: string }).state, 'validating');
      assert.equal(session.headers['etag'], undefined);
    });
  });

  it('runs beside another instance, each with its own readers', async () => {
    await using one = await startBff();
    await using other = await startBff();
    const browser = one.browser();
    await browser.signIn();
    const cookie = `vestibule=${browser.cookie('vestibule')}`;
    assert.equal((await other.browser().get('/session').set('Cookie', cookie)).body.state, 'anonymous');
    assert.equal((await browser.session()).state, 'signed-in');
  });

  it('rejects with every fault of the configuration', async () => {
    await assert.rejects(createVestibule({ ...config, forums: [], publicKey: '"' }), (error: ConfigError) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.faults.map((fault) => fault.split(':')[0]), ['publicKey', 'forums']);
      return true;
    });
  });
});

/** A store that counts how often it was closed. */
class CountingStore extends FailingStore {
  closed = 0;

  override async [Symbol.asyncDispose](): Promise<void> {
    this.closed += 1;
  }
}

/** An undici dispatcher that records the paths of its requests. */
class CountingAgent extends Agent implements AsyncDisposable {
  readonly paths: string[] = [];

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.paths.push(options.path);
    return super.dispatch(options, handler);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }
}

describe('createVestibule that fails', () => {
  it('closes the store if the configuration is wrong', async () => {
    const store = new CountingStore();
    await assert.rejects(createVestibule({ ...config, forums: [] }, { store }), ConfigError);
    assert.equal(store.closed, 1);
  });
});

describe('overrides', () => {
  it('metricsRegistry gets the metrics until close', async () => {
    const metricsRegistry = new Registry();
    new Gauge({ name: 'host_gauge', help: 'A metric of the host.', registers: [metricsRegistry] }).set(1);
    for (const _ of [1, 2]) {
      const vestibule = await createVestibule(config, { metricsRegistry });
      assert.match(await metricsRegistry.metrics(), /^# TYPE vestibule_posts_total/m);
      assert.equal(await vestibule.metrics(), await metricsRegistry.metrics());
      assert.doesNotMatch(await vestibule.metrics(), /^process_/m);
      await vestibule.close();
      assert.deepEqual(metricsRegistry.getMetricsAsArray().map(({ name }) => name), ['host_gauge']);
    }
  });

  it('dispatcher sends the requests to the service and stays open', async () => {
    await using dispatcher = new CountingAgent();
    {
      await using bff = await startBff({}, { dispatcher });
      const browser = bff.browser();
      await browser.signIn();
      expectStatus(await browser.createPost('Hello'), 201);
    }
    assert.deepEqual(dispatcher.paths, ['/api/oauth/2.0/access_token/', '/api/3.0/posts/create.json']);
    assert.equal(dispatcher.closed, false);
  });

  it('logger receives the log, with errors reduced to what may be logged', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => { lines.push(line); } });
    const store = new CountingStore();
    store.get = () => Promise.reject(new Error('canary'));
    await using bff = await startBff({}, { logger, store });
    await bff.browser().start();
    await bff.browser().get('/session').set('Cookie', 'vestibule=s%3Avestibule.canary');
    assert.ok(lines.length >= 2);
    assert.doesNotMatch(lines.join(''), /canary/);
  });
});

describe('getSession', () => {
  it('returns the proven user in a route of the host, and undefined for anybody else', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const app = express().use(MOUNT, bff.vestibule.router);
    app.get('/me', async (req, res) => { res.json({ user: await bff.vestibule.getSession(req) ?? null }); });
    await serving(app, async (request) => {
      const userOf = async (cookie?: string) => (await request.get('/me').set('Cookie', cookie ?? '')).body as { user: unknown };
      assert.deepEqual(await userOf(), { user: null });
      await browser.start();
      assert.deepEqual(await userOf(`vestibule=${browser.cookie('vestibule')}`), { user: null });
      await browser.signIn();
      const cookie = `vestibule=${browser.cookie('vestibule')}`;
      assert.deepEqual(await userOf(cookie), { user: { user_id: '31007', username: 'Ada Quill' } });
      assert.deepEqual(await userOf(`${cookie}x`), { user: null });
      assert.deepEqual(await userOf(`${cookie}; ${cookie}`), { user: null });
      await browser.delete('/session');
      assert.deepEqual(await userOf(cookie), { user: null });
    });
  });

  it('takes a request of the Fetch API, and headers alone', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const headers = new Headers({ Cookie: `vestibule=${browser.cookie('vestibule')}` });
    const user = { user_id: '31007', username: 'Ada Quill' };
    assert.deepEqual(await bff.vestibule.getSession(new Request('https://www.example.com/', { headers })), user);
    assert.deepEqual(await bff.vestibule.getSession({ headers }), user);
    assert.equal(await bff.vestibule.getSession(new Request('https://www.example.com/')), undefined);
  });
});

describe('an instance in a host application', () => {
  it('leaves no interval behind', async (t) => {
    const started = new Set<unknown>();
    const start = globalThis.setInterval;
    const end = globalThis.clearInterval;
    t.mock.method(globalThis, 'setInterval', (...args: Parameters<typeof start>) => {
      const timer = start(...args);
      started.add(timer);
      return timer;
    });
    t.mock.method(globalThis, 'clearInterval', (timer: NodeJS.Timeout) => {
      started.delete(timer);
      end(timer);
    });
    const vestibule = await createVestibule(config);
    assert.ok(started.size > 0);
    await vestibule.close();
    assert.equal(started.size, 0);
  });

  it('tells clients apart behind a proxy that arrives by a Unix socket', async () => {
    await using directory = await temporaryDirectory();
    const socketPath = `${directory.path}/s.sock`;
    await using vestibule = await createVestibule({ ...config, trustProxy: 'loopback', rateLimits: { sync: 1 } });
    const server = createServer(vestibule.router).listen(socketPath);
    await once(server, 'listening');
    const authorize = async (address: string) => {
      const sent = request({ socketPath, path: '/vestibule/sync/authorize?forum=news', headers: { 'X-Forwarded-For': address, Accept: 'application/json' } });
      sent.end();
      const [res] = await once(sent, 'response') as [IncomingMessage];
      res.resume();
      return res.statusCode;
    };
    const statuses = [await authorize('192.0.2.1'), await authorize('192.0.2.2'), await authorize('192.0.2.1')];
    assert.deepEqual(statuses, [302, 302, 429]);
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it('passes an error that says so to next for a request of HTTP/2, or responds with 505; other paths are the host\'s', async () => {
    const lines: { readonly msg: string }[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => { lines.push(JSON.parse(line) as typeof lines[number]); } });
    await using vestibule = await createVestibule(config, { logger });
    const errors: unknown[] = [];
    let hasNext = true;
    const server = createHttp2Server((req, res) => {
      const next = (error?: unknown) => {
        errors.push(error);
        res.writeHead(404).end();
      };
      vestibule.router(req as unknown as IncomingMessage, res as unknown as ServerResponse, hasNext ? next : undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const get = async (path: string) => {
      const stream = client.request({ ':path': path });
      const [headers] = await once(stream, 'response') as [{ ':status': number }];
      stream.close();
      return headers[':status'];
    };
    assert.equal(await get('/vestibule/session'), 404);
    assert.equal(await get('/elsewhere'), 404);
    hasNext = false;
    assert.equal(await get('/vestibule/session'), 505);
    assert.match(String(errors[0]), /HTTP\/1\.1 only/);
    assert.equal(errors[1], undefined);
    assert.deepEqual(lines.map(({ msg }) => msg), [(errors[0] as Error).message]);
    client.close();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
});
