import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Dispatcher } from 'undici';
import { validConfig } from '../config/_valid-config.ts';
import { parseConfig } from '../config/config.ts';
import { logServiceEvents, longestCallMs, ServiceClient, serviceOperations, type ServiceEvent, type ServiceOperation } from './service-client.ts';

type Listener = (req: IncomingMessage, res: ServerResponse, body: string) => void;

const SECRET_KEY = 'the-secret-key-of-the-publisher';
const TOKEN = 'the-access-token-of-the-reader';

/** A client of a server, and the events that it emits. */
async function clientOf(listener: Listener, settings: object = {}) {
  const server = createServer((req, res) => { void text(req).then((body) => { listener(req, res, body); }); });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const events: ServiceEvent[] = [];
  const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseConfig(validConfig({ serviceUrl, secretKey: SECRET_KEY, ...settings }));
  const client = new ServiceClient(config, { observe: (event) => { events.push(event); } });
  return {
    client,
    events,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = (res: ServerResponse, body: unknown, status = 200) => { res.writeHead(status).end(JSON.stringify(body)); };
const draft = { forum: 'news', message: 'Hello' };
const isPost = (req: IncomingMessage) => req.url === '/api/3.0/posts/create.json';

describe('ServiceClient', () => {
  it('sends forum, message and the parameters of the publisher', async () => {
    const bodies: string[] = [];
    await using world = await clientOf((_req, res, body) => { bodies.push(body); json(res, { code: 0, response: { id: '1' } }); });
    const params = [['thread', '42']] as const;
    assert.deepEqual(await world.client.createPost({ ...draft, page: 'https://www.example.com/' }, TOKEN, { params }), { id: '1' });
    await world.client.createPost(draft, TOKEN);
    assert.deepEqual(bodies, ['forum=news&message=Hello&thread=42', 'forum=news&message=Hello']);
  });

  it('gives an empty record for a created post that the response does not describe', async () => {
    for (const body of [{ code: 0, response: 'ok' }, [], 5, null]) {
      await using world = await clientOf((_req, res) => { json(res, body); });
      assert.deepEqual(await world.client.createPost(draft, TOKEN), {});
    }
  });

  it('keeps the secret key and the token out of a post that the service echoes', async () => {
    await using world = await clientOf((req, res, body) => {
      json(res, { code: 0, response: { id: '1', request: `${req.headers.authorization} ${body} ${SECRET_KEY}`, encoded: Buffer.from(TOKEN).toString('base64') } });
    });
    const post = JSON.stringify(await world.client.createPost(draft, TOKEN));
    assert.match(post, /^\{"id":"1","request":"MAC id=.*\[redacted\]","encoded":"\[redacted\]"\}$/);
    assert.ok(!post.includes(SECRET_KEY) && !post.includes(TOKEN));
  });

  it('keeps the secret key and the token out of the names and across the members of what a service returns', async () => {
    for (const [response, redacted] of [
      [{ id: '1', [SECRET_KEY]: 1, [`a ${TOKEN}`]: 2 }, { id: '1', '[redacted]': 2 }],
      [{ id: '1', parts: [SECRET_KEY.slice(0, 15), SECRET_KEY.slice(15)] }, { id: '1', parts: ['[redacted]', '[redacted]'] }],
      [{ id: '1', parts: SECRET_KEY.match(/.{1,6}/g) }, undefined],
      [{ id: '1', first: SECRET_KEY.slice(0, 8), then: { second: SECRET_KEY.slice(8, 16) } }, undefined],
    ] as const) {
      await using world = await clientOf((_req, res) => { json(res, { code: 0, response }); });
      assert.deepEqual(await world.client.createPost(draft, TOKEN), redacted ?? {});
      assert.deepEqual(await world.client.request('GET', '/api', {}, { accessToken: TOKEN }), redacted);
      const envelope = await world.client.request('GET', '/api', {}, { accessToken: TOKEN, envelope: true });
      assert.deepEqual(envelope, redacted && { code: 0, response: redacted });
    }
  });

  it('keeps the secret key, the code and the token out of problems', async () => {
    await using world = await clientOf((req, res, body) => {
      const echo = `You sent ${body} ${req.headers.authorization}`;
      json(res, { code: 2, response: echo, error: 'invalid_request', error_description: echo }, 400);
    });
    for (const call of [
      () => world.client.createPost({ ...draft, message: SECRET_KEY }, TOKEN),
      () => world.client.exchangeCode('the-one-time-code'),
      () => world.client.request('POST', '/api', { key: SECRET_KEY }, { accessToken: TOKEN }),
    ]) {
      await assert.rejects(call(), ({ type, detail }: { type: string; detail: string }) => {
        assert.equal(type, 'service-refused');
        assert.match(detail, /You sent .*\[redacted\]/);
        return ![SECRET_KEY, TOKEN, 'the-one-time-code'].some((secret) => detail.includes(secret));
      });
    }
  });

  it('stays open to the others if the service responds to one reader with 503 only', async () => {
    await using world = await clientOf((req, res) => {
      if (req.headers.authorization?.includes('hostile')) res.writeHead(503).end();
      else json(res, { code: 0, response: {} });
    });
    for (let i = 0; i < 25; i += 1) {
      await assert.rejects(world.client.createPost(draft, 'hostile', { partition: 'hostile' }), { type: 'outcome-unknown' });
    }
    await world.client.createPost(draft, TOKEN, { partition: 'honest' });
    assert.ok(!world.events.some(({ type }) => type === 'breaker-changed'));
  });

  it('stays open to the others if the calls of hooks fail for one reader only', async () => {
    await using world = await clientOf((req, res) => { res.writeHead(req.headers.authorization?.includes('hostile') ? 502 : 204).end(); });
    for (let i = 0; i < 10; i += 1) await assert.rejects(world.client.request('GET', '/api', {}, { accessToken: 'hostile' }), { type: 'outcome-unknown' });
    await world.client.request('GET', '/api', {}, { accessToken: 'honest' });
  });

  it('stays open to other paths and to other partitions if calls without a token fail at one path', async () => {
    await using world = await clientOf((req, res) => { res.writeHead(req.url?.startsWith('/broken') ? 502 : 204).end(); });
    for (let i = 0; i < 10; i += 1) await assert.rejects(world.client.request('GET', `/broken?page=${i}`), { type: 'outcome-unknown' });
    for (let i = 0; i < 10; i += 1) {
      await assert.rejects(world.client.request('GET', `/broken/${i}`, {}, { partition: 'posts.list' }), { type: 'outcome-unknown' });
    }
    await world.client.request('POST', '/broke');
    await world.client.request('GET', '/api', {}, { partition: 'a reader' });
  });

  it('honours Retry-After of calls without a token, for their method and path', async () => {
    let requests = 0;
    await using world = await clientOf((req, res) => {
      requests += 1;
      if (req.url?.startsWith('/busy')) res.writeHead(429, { 'retry-after': '30' }).end();
      else res.writeHead(204).end();
    });
    for (let i = 0; i < 2; i += 1) {
      await assert.rejects(world.client.request('GET', '/busy', { i }), { type: 'service-unavailable', retryAfterSeconds: 30 });
    }
    assert.equal(requests, 1);
    await world.client.request('GET', '/api');
  });

  it('honours Retry-After of calls with a token, for that token', async () => {
    let requests = 0;
    await using world = await clientOf((req, res) => {
      requests += 1;
      if (req.headers.authorization?.includes('told')) res.writeHead(429, { 'retry-after': '30' }).end();
      else res.writeHead(204).end();
    });
    const call = (accessToken: string) => world.client.request('GET', '/api', {}, { accessToken });
    for (let i = 0; i < 2; i += 1) await assert.rejects(call('told'), { type: 'service-unavailable', retryAfterSeconds: 30 });
    assert.equal(requests, 1);
    assert.equal(await call('other'), undefined);
  });

  it('honours Retry-After for its reader only', async () => {
    let posts = 0;
    await using world = await clientOf((_req, res) => {
      posts += 1;
      if (posts === 1) res.writeHead(429, { 'retry-after': '30' }).end();
      else json(res, { code: 0, response: {} });
    });
    const unavailable = { type: 'service-unavailable', retryAfterSeconds: 30 };
    await assert.rejects(world.client.createPost(draft, TOKEN, { partition: 'told' }), unavailable);
    await assert.rejects(world.client.createPost(draft, TOKEN, { partition: 'told' }), unavailable);
    assert.equal(world.client.refusalOf('create-post', { partition: 'told' })?.type, 'service-unavailable');
    assert.equal(world.client.refusalOf('create-post', { partition: 'other' }), undefined);
    assert.equal(posts, 1);
    await world.client.createPost(draft, TOKEN, { partition: 'other' });
    assert.deepEqual(world.events.map((event) => event.type === 'call-ended' && event.outcome), ['service-unavailable', 'not-made', 'ok']);
  });

  it('has a connection for every call that may be in flight, of all operations at once', async () => {
    const held: ServerResponse[] = [];
    const all = Promise.withResolvers<void>();
    await using world = await clientOf((_req, res) => {
      held.push(res);
      if (held.length === 6) all.resolve();
    }, { serviceMaxInFlight: 2 });
    const calls = [1, 2].flatMap((i) => [
      world.client.createPost(draft, TOKEN), world.client.exchangeCode('code'), world.client.request('GET', `/api/${i}`),
    ]);
    await Promise.race([all.promise, Promise.all(calls)]);
    assert.deepEqual((['token-exchange', 'create-post', 'request'] as const).map((operation) => world.client.load(operation).inFlight), [2, 2, 2]);
    for (const res of held) json(res, { access_token: 't', user_id: '1', code: 0, response: {} });
    await Promise.all(calls);
  });

  it('an operation that stalls does not delay another one', async () => {
    await using world = await clientOf((req, res) => { if (!isPost(req)) json(res, { access_token: 't', user_id: '7' }); }, { serviceTimeoutMs: 60_000 });
    const stalled = Array.from({ length: 70 }, (_, i) => (
      world.client.createPost(draft, TOKEN, { partition: String(i) }).catch(() => undefined)
    ));
    assert.equal((await world.client.exchangeCode('code')).userId, '7');
    await world.client[Symbol.asyncDispose]();
    await Promise.all(stalled);
  });

  it('exchanges the codes of honest readers at once while one address floods it with invented codes', async () => {
    const held: ServerResponse[] = [];
    await using world = await clientOf((_req, res, body) => {
      if (body.includes('invented')) held.push(res);
      else json(res, { access_token: 't', user_id: '7' });
    }, { serviceMaxInFlight: 8, serviceMaxQueued: 40, serviceTimeoutMs: 60_000 });
    const flood = Array.from({ length: 100 }, () => world.client.exchangeCode('invented', { partition: 'flooding' }).catch(() => undefined));
    for (let i = 0; i < 10; i += 1) {
      assert.equal((await world.client.exchangeCode('honest', { partition: `honest ${i}` })).userId, '7');
    }
    assert.equal(world.client.load('token-exchange').inFlight, 2);
    await world.client[Symbol.asyncDispose]();
    await Promise.all(flood);
  });

  it('a call lasts no longer than longestCallMs, whether it waits or is in flight', async () => {
    const settings = { serviceMaxInFlight: 1, serviceQueueTimeoutMs: 100, serviceTimeoutMs: 1_000 };
    assert.equal(longestCallMs(settings), 1_100);
    await using world = await clientOf(() => undefined, settings);
    const startedAt = performance.now();
    await Promise.all([
      assert.rejects(world.client.createPost(draft, TOKEN), { type: 'outcome-unknown' }),
      assert.rejects(world.client.createPost(draft, TOKEN), { type: 'service-unavailable' }),
    ]);
    assert.ok(performance.now() - startedAt < 1_100 + 1_000);
    for (const event of world.events) assert.ok(event.type === 'call-ended' && event.seconds > 0.09);
  });

  it('knows that an operation has been without a response for a while', async () => {
    const arrived = Promise.withResolvers<void>();
    await using world = await clientOf(() => { arrived.resolve(); }, { serviceBreakerFailures: 1 });
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    try {
      const call = assert.rejects(world.client.createPost(draft, TOKEN));
      await arrived.promise;
      assert.equal(world.client.isStalled('create-post'), false);
      mock.timers.tick(2_000);
      assert.deepEqual([world.client.isStalled('create-post'), world.client.isStalled('request')], [true, false]);
      await world.client[Symbol.asyncDispose]();
      await call;
    } finally {
      mock.timers.reset();
    }
  });

  it('goes through a dispatcher of the host', async () => {
    const paths: string[] = [];
    const { MockAgent } = await import('undici');
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('https://service.example').intercept({ path: (path) => { paths.push(path); return true; }, method: 'POST' })
      .reply(200, { access_token: 't', user_id: '7' });
    const config = parseConfig(validConfig({ serviceUrl: 'https://service.example/base' }));
    await using client = new ServiceClient(config, { dispatcher: agent });
    assert.equal((await client.exchangeCode('code')).userId, '7');
    assert.ok(paths.includes('/base/api/oauth/2.0/access_token/'));
    await agent.close();
  });
});

describe('the events of ServiceClient', () => {
  beforeEach(() => { mock.timers.enable({ apis: ['Date'], now: Date.now() }); });
  afterEach(() => { mock.timers.reset(); });

  const settings = {
    serviceBreakerFailures: 3, serviceBreakerOpenMs: 60_000, serviceProbeTimeoutMs: 1_000, serviceTimeoutMs: 60_000,
  };
  const calls = {
    'create-post': (client: ServiceClient, partition?: string) => client.createPost(draft, TOKEN, { partition }),
    'token-exchange': (client: ServiceClient, partition?: string) => client.exchangeCode('code', { partition }),
    request: (client: ServiceClient, partition?: string) => client.request('GET', '/api', {}, { partition }),
  } as const;
  const breaks = async (client: ServiceClient, operation: ServiceOperation) => {
    for (const partition of ['1', '2', '3']) {
      await assert.rejects(async () => calls[operation](client, partition), { type: 'outcome-unknown' });
    }
  };

  for (const operation of ['create-post', 'token-exchange', 'request'] as const) {
    it(`report the breaker of ${operation}, which opens after failures of several readers and closes after a probe`, async () => {
      const probes: unknown[] = [];
      let isDown = true;
      await using world = await clientOf((req, res) => {
        if (req.method === 'HEAD') probes.push([req.url, req.headers['content-length']]);
        if (isDown) res.writeHead(503).end();
        else json(res, { access_token: 't', user_id: '7' });
      }, settings);
      const states = () => world.events.flatMap((event) => (event.type === 'breaker-changed' ? [[event.operation, event.state]] : []));
      await breaks(world.client, operation);
      assert.deepEqual(states(), [[operation, 'open']]);
      for (const one of serviceOperations) assert.equal(world.client.refusalOf(one)?.type, one === operation ? 'service-unavailable' : undefined);
      isDown = false;
      mock.timers.tick(60_000);
      await calls[operation](world.client);
      assert.deepEqual(states().slice(1), [[operation, 'half-open'], [operation, 'closed']]);
      assert.deepEqual(probes, [['/', undefined]]);
    });
  }

  it('report a probe without a response after its own time limit', async () => {
    await using world = await clientOf((req, res) => { if (req.method !== 'HEAD') res.writeHead(503).end(); }, settings);
    await breaks(world.client, 'create-post');
    mock.timers.tick(60_000);
    const startedAt = performance.now();
    await assert.rejects(world.client.createPost(draft, TOKEN), { type: 'service-unavailable' });
    assert.ok(performance.now() - startedAt < 10_000);
  });

  it('report the duration of each call in seconds', async () => {
    await using world = await clientOf((_req, res) => { setTimeout(() => { json(res, { code: 0, response: {} }); }, 50); });
    const startedAt = performance.now();
    await world.client.createPost(draft, TOKEN);
    const longest = (performance.now() - startedAt) / 1_000;
    const [event] = world.events;
    assert.ok(event?.type === 'call-ended' && event.outcome === 'ok', JSON.stringify(event));
    assert.ok(event.seconds > 0.04 && event.seconds <= longest, String(event.seconds));
  });

  it('report an error of ours as internal-error', async () => {
    const dispatcher = { dispatch: () => { throw new TypeError('ours'); } } as unknown as Dispatcher;
    const events: ServiceEvent[] = [];
    const observe = (event: ServiceEvent) => { events.push(event); };
    await using client = new ServiceClient(parseConfig(validConfig()), { dispatcher, observe });
    await assert.rejects(client.createPost(draft, TOKEN), { type: 'internal-error' });
    assert.deepEqual(events.map((event) => event.type === 'call-ended' && event.outcome), ['internal-error']);
  });

  it('report the drift of the clock that the response to a code shows', async () => {
    await using world = await clientOf((_req, res) => {
      res.setHeader('Date', new Date(Date.now() + 3_600_000).toUTCString());
      json(res, { access_token: 't', user_id: '7' });
    });
    await world.client.exchangeCode('code');
    assert.ok((world.client.clockDriftMs ?? 0) > 3_590_000);
  });

  it('report a correction of the clock, and its drift', async () => {
    const hourMs = 3_600_000;
    await using world = await clientOf((req, res) => {
      const seconds = Number(/nonce="([\d.]+):/.exec(req.headers.authorization ?? '')?.[1]);
      res.setHeader('Date', new Date(Date.now() + hourMs).toUTCString());
      json(res, { code: 0, response: {} }, Math.abs(Date.now() + hourMs - seconds * 1_000) < 300_000 ? 200 : 401);
    });
    assert.equal(world.client.clockDriftMs, undefined);
    await world.client.createPost(draft, TOKEN);
    const [event] = world.events;
    assert.ok(event?.type === 'clock-corrected' && Math.abs(event.correctionMs - hourMs) <= 2_000, JSON.stringify(event));
    assert.ok(Math.abs((world.client.clockDriftMs ?? 0) - hourMs) <= 2_000);
  });
});

describe('logServiceEvents', () => {
  function logged(...events: readonly ServiceEvent[]): readonly unknown[] {
    const lines: unknown[] = [];
    const logAs = (level: string) => (fields: object, message: string) => { lines.push([level, fields, message]); };
    const observe = logServiceEvents({ info: logAs('info'), warn: logAs('warn') } as unknown as Parameters<typeof logServiceEvents>[0]);
    events.forEach(observe);
    return lines;
  }
  const changed = (operation: ServiceOperation, state: 'open' | 'half-open' | 'closed'): ServiceEvent => ({ type: 'breaker-changed', operation, state });
  const outage = (operation: ServiceOperation) => (
    ['warn', { operation }, 'the service does not answer: the circuit breaker refuses calls of this kind; check VESTIBULE_SERVICE_URL']
  );
  const recovery = (operation: ServiceOperation) => ['info', { operation }, 'the service answers again'];

  it('logs the beginning and the end of an outage once for each operation', () => {
    const [post, exchange] = ['create-post', 'token-exchange'] as const;
    assert.deepEqual(logged(
      changed(post, 'open'), changed(post, 'half-open'), changed(post, 'open'), changed(exchange, 'open'), changed(post, 'half-open'),
      changed(post, 'closed'), changed(post, 'closed'), changed(exchange, 'closed'), changed(post, 'open'),
    ), [outage(post), outage(exchange), recovery(post), recovery(exchange), outage(post)]);
  });

  it('logs a correction of the clock in seconds, and no call', () => {
    assert.deepEqual(logged({ type: 'clock-corrected', correctionMs: 3_600_000 }, { type: 'call-ended', operation: 'request', outcome: 'ok', seconds: 1 }), [[
      'warn', { correction_seconds: 3_600 },
      'the service\'s clock differs from this machine\'s: nonces now use the service\'s time; check NTP on this machine',
    ]]);
  });
});
