import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { Agent, type Dispatcher } from 'undici';
import { withTrace } from '../lib/trace-context.ts';
import { HttpTransport, type NoResponseError, type HttpTransportOptions, type ServiceRequest } from './http-transport.ts';

const post: ServiceRequest = { method: 'POST', path: '/path', headers: { 'content-type': 'text/plain' }, body: 'body' };

const MIB = 1024 * 1024;

/** A server for raw connections, and a transport to it. */
async function connect(onConnection: (socket: Socket) => void, options: Partial<HttpTransportOptions> = {}) {
  return connectTo(createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }), options);
}

async function connectTo(server: Server, options: Partial<HttpTransportOptions> = {}) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = new HttpTransport({ origin, connectTimeoutMs: 2_000, connections: 2, ...options });
  return {
    origin,
    transport,
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]();
      server.close();
    },
  };
}

const never = () => new AbortController().signal;

/** Writes `bytes` when a request arrives. */
const responding = (bytes: string | Buffer) => (socket: Socket) => { socket.once('data', () => { socket.end(bytes); }); };

const head = (status: string, length: number) => `HTTP/1.1 ${status}\r\nContent-Length: ${length}\r\n\r\n`;

describe('HttpTransport', () => {
  it('sends the request and returns status, headers and body, of a redirect too', async () => {
    const server = createHttpServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => { res.writeHead(302, { location: 'https://other.example/' }).end(`${req.method} ${req.url} ${Buffer.concat(chunks)}`); });
    });
    await using world = await connectTo(server);
    const startedAt = Date.now();
    const { status, headers, body, sentAt, receivedAt } = await world.transport.send(post, never());
    assert.deepEqual([status, headers['location'], body?.toString()], [302, 'https://other.example/', 'POST /path body']);
    assert.ok(startedAt <= sentAt && sentAt <= receivedAt && receivedAt <= Date.now());
  });

  it('takes part in the trace of the request that it is made for', async () => {
    const traces: unknown[] = [];
    const server = createHttpServer(({ headers }, res) => {
      traces.push([headers['traceparent'], headers['content-type']]);
      res.end();
    });
    await using world = await connectTo(server);
    await world.transport.send(post, never());
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await new Promise((resolve) => { withTrace({ traceId, flags: '01' }, () => { resolve(world.transport.send(post, never())); }); });
    const [outside, [inside, type]] = traces as [unknown, [string, string]];
    assert.deepEqual([outside, type], [[undefined, 'text/plain'], 'text/plain']);
    assert.match(inside, new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`));
  });

  it('nothing was sent if no connection is established', async () => {
    const world = await connect(() => undefined);
    await world[Symbol.asyncDispose]();
    const transport = new HttpTransport({ origin: world.origin, connectTimeoutMs: 2_000, connections: 1 });
    await assert.rejects(transport.send(post, never()), ({ name, sent, message, cause }: NoResponseError) => {
      assert.deepEqual([name, sent, message], ['NoResponseError', false, 'The service could not be reached.']);
      return (cause as { code?: string }).code === 'ECONNREFUSED';
    });
    await transport[Symbol.asyncDispose]();
  });

  it('limits the time to connect, TLS included, and offers no HTTP/2', async () => {
    const hello = Promise.withResolvers<Buffer>();
    await using world = await connect((socket) => { socket.once('data', hello.resolve); });
    const transport = new HttpTransport({ origin: world.origin.replace('http:', 'https:'), connectTimeoutMs: 100, connections: 1 });
    const startedAt = performance.now();
    await assert.rejects(transport.send(post, never()), { sent: false });
    // Without the limit undici's own applies: ten seconds.
    assert.ok(performance.now() - startedAt < 5_000);
    const protocols = (await hello.promise).toString('latin1');
    assert.ok(protocols.includes('http/1.1') && !protocols.includes('\x02h2'));
    await transport[Symbol.asyncDispose]();
  });

  it('nothing was sent by a request that was aborted before it was assigned a socket', async () => {
    let received = 0;
    await using world = await connect((socket) => { socket.on('data', () => { received += 1; }); }, { connections: 1 });
    const first = new AbortController();
    const holding = world.transport.send(post, first.signal);
    const second = new AbortController();
    const waiting = world.transport.send(post, second.signal);
    second.abort();
    await assert.rejects(waiting, { name: 'NoResponseError', sent: false });
    first.abort();
    await assert.rejects(holding, { name: 'NoResponseError' });
    assert.ok(received <= 1);
  });

  it('never sends a request whose signal was aborted beforehand', async () => {
    let received = 0;
    await using world = await connect((socket) => { socket.on('data', () => { received += 1; }); });
    await assert.rejects(world.transport.send(post, AbortSignal.abort()), ({ name, sent, cause }: NoResponseError) => {
      assert.deepEqual([name, sent], ['NoResponseError', false]);
      return (cause as Error).message === 'Aborted before the request was sent.';
    });
    assert.equal(received, 0);
  });

  it('never sends a request that was aborted before it was assigned a socket', async () => {
    const paths: string[] = [];
    const held = Promise.withResolvers<ServerResponse>();
    const server = createHttpServer((req, res) => {
      paths.push(req.url ?? '');
      if (req.url === '/first') held.resolve(res);
      else res.end();
    });
    await using world = await connectTo(server, { connections: 1 });
    const first = world.transport.send({ ...post, path: '/first' }, never());
    const limit = new AbortController();
    const aborted = world.transport.send({ ...post, path: '/aborted' }, limit.signal);
    limit.abort();
    await assert.rejects(aborted, { sent: false });
    const third = world.transport.send({ ...post, path: '/third' }, never());
    (await held.promise).end();
    await Promise.all([first, third]);
    assert.deepEqual(paths, ['/first', '/third']);
  });

  it('closes the connection of a request that is aborted', async () => {
    const received = Promise.withResolvers<Socket>();
    await using world = await connect((socket) => { socket.once('data', () => { received.resolve(socket); }); });
    const limit = new AbortController();
    const response = world.transport.send(post, limit.signal);
    const socket = await received.promise;
    limit.abort();
    await assert.rejects(response);
    if (!socket.closed) await once(socket, 'close');
  });

  it('something may have been sent if the connection breaks at any point after the request', async () => {
    const full = `${head('200 OK', 10)}0123456789`;
    for (const bytes of ['', 'HTTP/1.1 2', head('200 OK', 10), full.slice(0, -1), 'SSH-2.0-OpenSSH_9.2\r\n']) {
      await using world = await connect(responding(bytes));
      await assert.rejects(world.transport.send(post, never()), { name: 'NoResponseError', sent: true }, JSON.stringify(bytes));
    }
  });

  it('ends when the signal aborts, after the request was sent', async () => {
    const received = Promise.withResolvers<void>();
    await using world = await connect((socket) => { socket.once('data', () => { received.resolve(); }); });
    const limit = new AbortController();
    const response = world.transport.send(post, limit.signal);
    await received.promise;
    limit.abort();
    await assert.rejects(response, ({ name, sent, message, cause }: NoResponseError) => {
      assert.deepEqual([name, sent, message], ['NoResponseError', true, 'The service did not respond in time, or not completely.']);
      return (cause as Error).message === 'The time limit of the exchange is over.';
    });
    assert.deepEqual(getEventListeners(limit.signal, 'abort'), []);
  });

  it('leaves no listener behind', async () => {
    for (const bytes of [`${head('200 OK', 2)}ok`, '']) {
      await using world = await connect(responding(bytes));
      const { signal } = new AbortController();
      await world.transport.send(post, signal).catch(() => undefined);
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    }
  });

  it('returns a body of 1 MiB, and only the status of a larger one', async () => {
    await using whole = await connect(responding(head('200 OK', MIB) + 'x'.repeat(MIB)));
    assert.equal((await whole.transport.send(post, never())).body?.length, MIB);
    await using larger = await connect(responding(head('403 Forbidden', MIB + 1) + 'x'.repeat(MIB + 1)));
    const { status, body } = await larger.transport.send(post, never());
    assert.deepEqual([status, body], [403, undefined]);
  });

  it('opens as many connections as it may, and no more', async () => {
    const sockets = new Set<Socket>();
    const held: ServerResponse[] = [];
    const server = createHttpServer((req, res) => {
      sockets.add(req.socket);
      held.push(res);
      if (sockets.size === 2) held.splice(0).forEach((one) => one.end());
    });
    await using world = await connectTo(server, { connections: 2 });
    await Promise.all(Array.from({ length: 3 }, () => world.transport.send(post, never())));
    assert.equal(sockets.size, 2);
  });

  it("leaves time limits to the signal: undici's own are off", async () => {
    const dispatched: Dispatcher.DispatchOptions[] = [];
    const dispatch = (options: Dispatcher.DispatchOptions) => dispatched.push(options) > 0;
    const dispatcher = { dispatch } as unknown as Dispatcher;
    const transport = new HttpTransport({ origin: 'http://service.example', connectTimeoutMs: 1, connections: 1, dispatcher });
    void transport.send(post, never());
    assert.deepEqual(dispatched.map(({ headersTimeout, bodyTimeout, origin }) => [headersTimeout, bodyTimeout, origin]), [[0, 0, 'http://service.example']]);
  });

  it('uses a dispatcher of the host instead of a pool, and does not close it', async () => {
    const server = createHttpServer((_req, res) => { res.end('ok'); });
    const requests: string[] = [];
    const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
      requests.push(options.path);
      return dispatch(options, handler);
    });
    await using world = await connectTo(server, { dispatcher });
    assert.equal((await world.transport.send(post, never())).body?.toString(), 'ok');
    await world.transport[Symbol.asyncDispose]();
    assert.equal((await world.transport.send(post, never())).status, 200);
    assert.deepEqual(requests, ['/path', '/path']);
    await dispatcher.close();
  });
});
