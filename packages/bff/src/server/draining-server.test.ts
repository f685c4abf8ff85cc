import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DrainingServer, type ConnectionLimit, type ServerLimits, type ServerReports } from './draining-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const RESPONSE_THAT_CLOSES = /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/;

const servers: DrainingServer[] = [];

async function listening(
  listener: RequestListener = (_req, res) => { res.end('hello'); },
  limits: Partial<ServerLimits> = {},
  reports?: ServerReports,
): Promise<DrainingServer> {
  const server = new DrainingServer(listener, { requestTimeoutMs: 30_000, maxConnections: 100, ...limits }, reports);
  servers.push(server);
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  return server;
}

function connectTo({ http }: DrainingServer, localAddress = '127.0.0.1'): Socket {
  return connect({ port: (http.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
}

describe('DrainingServer', () => {
  // A failed test does not drain its server.
  afterEach(async () => {
    for (const { http } of servers.splice(0).filter((server) => server.http.listening)) {
      const closed = once(http, 'close');
      http.close().closeAllConnections();
      await closed;
    }
  });

  it('accepts the connections of the backlog before it closes', async () => {
    const server = await listening();
    const socket = connectTo(server);
    // Node.js connects in the next tick; the server accepts once the event loop comes round to it.
    await new Promise<void>((resolve) => { process.nextTick(resolve); });
    const drained = server.drain(5_000);
    socket.write(REQUEST);
    assert.match(await text(socket), RESPONSE_THAT_CLOSES);
    assert.equal(await drained, 0);
  });

  it('waits up to half a second for the first request of an open connection', async () => {
    const server = await listening();
    const asking = connectTo(server);
    await once(server.http, 'connection');
    const silent = connectTo(server);
    await once(server.http, 'connection');
    const drained = server.drain(60_000);
    while (server.http.listening) await nextTurn();
    asking.write(REQUEST);
    assert.match(await text(asking), RESPONSE_THAT_CLOSES);
    const began = performance.now();
    assert.equal(await drained, 0);
    assert.ok(performance.now() - began < 10_000);
    silent.destroy();
  });

  it('serves a first request that arrives while the event loop is blocked', async () => {
    const server = await listening();
    const socket = connectTo(server);
    await once(server.http, 'connection');
    const drained = server.drain(60_000);
    while (server.http.listening) await nextTurn();
    socket.write(REQUEST);
    const blockedAt = performance.now();
    while (performance.now() - blockedAt < 600);
    assert.match(await text(socket), RESPONSE_THAT_CLOSES);
    assert.equal(await drained, 0);
  });

  it('serves a request on a kept connection that arrives while the event loop is blocked', async () => {
    const server = await listening();
    const socket = connectTo(server);
    socket.write(REQUEST);
    await once(socket, 'data');
    // The bytes are in the kernel before the drain begins, and read after it.
    socket.write(REQUEST);
    const drained = server.drain(5_000);
    assert.match(await text(socket), RESPONSE_THAT_CLOSES);
    assert.equal(await drained, 0);
  });

  it('closes each connection with its response after endConnections(), and accepts new ones', async () => {
    const server = await listening();
    server.endConnections();
    for (const turn of [1, 2]) {
      const socket = connectTo(server);
      socket.write(REQUEST);
      assert.match(await text(socket), RESPONSE_THAT_CLOSES, String(turn));
    }
    assert.equal(await server.drain(5_000), 0);
  });

  it('returns how many requests it cut off', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await listening(() => { asked.resolve(); });
    const socket = connectTo(server).on('error', () => undefined);
    socket.write(REQUEST);
    await asked.promise;
    assert.equal(await server.drain(50), 1);
  });

  it('closes a connection that pipelines more than ten requests', async () => {
    let handled = 0;
    const server = await listening((_req, res) => { handled += 1; res.end('hello'); });
    const socket = connectTo(server).on('error', () => undefined).resume();
    socket.write(REQUEST.repeat(500));
    await once(socket, 'close');
    assert.equal(handled, 10);
    assert.equal(await server.drain(5_000), 0);
  });

  for (const [name, request] of [
    ['requests', REQUEST],
    ['requests with bodies', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
    ['expectations', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n'],
  ] as const) {
    it(`parses less than 50 of 1,000 pipelined ${name}, and closes the connection`, async () => {
      let parsed = 0;
      const server = await listening((req, res) => { req.resume().once('end', () => { res.end('hello'); }); });
      for (const event of ['request', 'checkExpectation']) server.http.on(event, () => { parsed += 1; });
      const socket = connectTo(server).on('error', () => undefined).resume();
      socket.write(request.repeat(1_000));
      await once(socket, 'close');
      assert.ok(parsed > 10 && parsed < 50, `${parsed} requests`);
      assert.equal(await server.drain(5_000), 0);
    });
  }

  it('answers 417 to an expectation other than 100-continue', async () => {
    const server = await listening();
    const socket = connectTo(server);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: something\r\n\r\n');
    assert.match(await text(socket), /^HTTP\/1\.1 417 /);
    await server.drain(5_000);
  });

  it('passes a large body and a large response on completely', async () => {
    const body = randomBytes(3 * 1024 * 1024);
    const server = await listening((req, res) => { req.pipe(res); });
    const { port } = server.http.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
    assert.ok(body.equals(Buffer.from(await response.arrayBuffer())));
    await server.drain(5_000);
  });

  it('gives a client ten seconds for the head of a request, within the time for the request, and closes an idle connection after 75', async () => {
    const server = await listening();
    const { headersTimeout, keepAliveTimeout } = server.http;
    assert.deepEqual([headersTimeout, keepAliveTimeout], [10_000, 75_000]);
    await server.drain(5_000);
    assert.equal(new DrainingServer(() => undefined, { requestTimeoutMs: 9_000, maxConnections: 1 }).http.headersTimeout, 9_000);
  });

  it('closes a kept connection without requests after its timeout', async () => {
    const server = await listening();
    server.http.keepAliveTimeout = 50;
    server.http.keepAliveTimeoutBuffer = 0;
    const socket = connectTo(server);
    socket.write(REQUEST);
    assert.match(await text(socket), /^HTTP\/1\.1 200 /);
    await server.drain(5_000);
  });

  it('answers ten pipelined requests, again and again', async () => {
    const server = await listening();
    const socket = connectTo(server).setEncoding('utf8');
    let received = '';
    socket.on('data', (chunk: string) => { received += chunk; });
    for (let round = 1; round <= 5; round += 1) {
      socket.write(REQUEST.repeat(10));
      while (received.split('hello').length - 1 < round * 10) await once(socket, 'data');
    }
    socket.destroy();
    assert.equal(await server.drain(5_000), 0);
  });

  it('closes a connection whose client stops reading', async () => {
    const server = await listening((_req, res) => { res.end(Buffer.alloc(16 * 1024 * 1024)); }, { stallTimeoutMs: 200 });
    const accepted = once(server.http, 'connection') as Promise<[Socket]>;
    const client = connectTo(server).on('error', () => undefined).pause();
    client.write(REQUEST);
    const [socket] = await accepted;
    await once(socket, 'close');
    assert.equal(await server.drain(5_000), 0);
    client.destroy();
  });

  it('frees the unread bytes of a connection that it closes', async () => {
    const server = await listening((_req, res) => { res.end(Buffer.alloc(16 * 1024 * 1024)); }, { stallTimeoutMs: 200 });
    const accepted = once(server.http, 'connection') as Promise<[Socket]>;
    const client = connectTo(server).pause();
    const end = new Promise((resolve) => {
      client.once('error', ({ code }: NodeJS.ErrnoException) => { resolve(code); }).once('end', () => { resolve('end'); });
    });
    client.write(REQUEST);
    const [socket] = await accepted;
    await once(socket, 'close');
    client.resume();
    const error = await end;
    assert.equal(await server.drain(5_000), 0);
    // Without a reset the system would keep them until the client reads them.
    assert.equal(error, 'ECONNRESET');
  });

  it('keeps a connection whose client reads slowly', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024);
    const server = await listening(async (_req, res) => {
      for (let at = 0; at < body.length; at += 64 * 1024) {
        if (!res.write(body.subarray(at, at + 64 * 1024))) await once(res, 'drain');
      }
      res.end();
    }, { stallTimeoutMs: 1_000 });
    const client = connectTo(server);
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const beganAt = performance.now();
    let bytes = 0;
    for await (const chunk of client) {
      bytes += (chunk as Buffer).length;
      await new Promise((resolve) => { setTimeout(resolve, 8); });
    }
    assert.ok(bytes > body.length, `${bytes} bytes`);
    assert.ok(performance.now() - beganAt > 1_200);
    assert.equal(await server.drain(5_000), 0);
  });

  it('asks the client to close after a thousand requests', async () => {
    const server = await listening();
    const socket = connectTo(server).setEncoding('utf8');
    let received = '';
    socket.on('data', (chunk: string) => { received += chunk; });
    for (let i = 1; i <= 1_000; i += 1) {
      socket.write(REQUEST);
      while (received.split('hello').length <= i) await once(socket, 'data');
    }
    assert.match(received.slice(received.lastIndexOf('HTTP/1.1')), RESPONSE_THAT_CLOSES);
    socket.destroy();
    assert.equal(await server.drain(5_000), 0);
  });

  it('closes a connection after a thousand requests, also when the client sends more and reads nothing', async () => {
    const server = await listening();
    const socket = connectTo(server).on('error', () => undefined);
    const [accepted] = await once(server.http, 'connection') as [Socket];
    let responses = 0;
    server.http.on('request', (_req, res: ServerResponse) => { res.once('finish', () => { responses += 1; }); });
    for (let i = 0; i < 3_000 && !accepted.destroyed; i += 1) {
      const finished = once(accepted, 'data');
      socket.write(REQUEST);
      await Promise.race([finished, once(accepted, 'close')]);
    }
    assert.ok(accepted.destroyed);
    assert.equal(responses, 1_000);
    socket.destroy();
    assert.equal(await server.drain(5_000), 0);
  });

  it('closes connections beyond its limit at once', async () => {
    const limits: ConnectionLimit[] = [];
    const server = await listening(undefined, { maxConnections: 2 }, { limited: (limit) => { limits.push(limit); } });
    const sockets: Socket[] = [];
    for (let i = 0; i < 2; i += 1) {
      sockets.push(connectTo(server));
      await once(server.http, 'connection');
    }
    const third = connectTo(server).on('error', () => undefined);
    await once(third, 'close');
    assert.deepEqual(limits, ['all']);
    sockets[0]?.write(REQUEST);
    assert.match(String(await once(sockets[0] as Socket, 'data')), /^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    assert.equal(await server.drain(5_000), 0);
  });

  it('closes connections of one address beyond its limit, and accepts more when others close', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const limits: ConnectionLimit[] = [];
    const server = await listening(undefined, { maxConnectionsPerAddress: 1 }, { limited: (limit) => { limits.push(limit); } });
    const first = connectTo(server);
    const [accepted] = await once(server.http, 'connection') as [Socket];
    mock.timers.tick(1_000);
    const second = connectTo(server).on('error', () => undefined);
    await once(second, 'close');
    assert.deepEqual(limits, ['address']);
    const other = connectTo(server, '127.0.0.2');
    other.write(REQUEST);
    assert.match(String(await once(other, 'data')), /^HTTP\/1\.1 200 /);
    first.destroy();
    await once(accepted, 'close');
    mock.timers.tick(1_000);
    const third = connectTo(server);
    third.write(REQUEST);
    assert.match(String(await once(third, 'data')), /^HTTP\/1\.1 200 /);
    for (const socket of [other, third]) socket.destroy();
    assert.equal(await server.drain(5_000), 0);
  });

  it('lets new connections of one address beyond its limit wait for the next second', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const limits: ConnectionLimit[] = [];
    const server = await listening(undefined, { maxConnectionsPerAddress: 2 }, { limited: (limit) => { limits.push(limit); } });
    const request = (address?: string): Promise<string> => {
      const socket = connectTo(server, address);
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      return text(socket);
    };
    for (let i = 0; i < 2; i += 1) assert.match(await request(), RESPONSE_THAT_CLOSES);
    const accepted = once(server.http, 'connection') as Promise<[Socket]>;
    const third = request();
    const [delayed] = await accepted;
    for (let host = 2; host <= 20; host += 1) assert.match(await request(`127.0.0.${host}`), RESPONSE_THAT_CLOSES);
    assert.equal(await Promise.race([third, 'waits']), 'waits');
    assert.equal(delayed.bytesRead, 0);
    mock.timers.tick(1_000);
    assert.match(await third, RESPONSE_THAT_CLOSES);
    assert.deepEqual(limits, ['address-second']);
    assert.equal(await server.drain(5_000), 0);
  });

  it('responds on connections that wait for the next second when it drains, and forgets those that are reset', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const server = await listening(undefined, { maxConnectionsPerAddress: 2 });
    const accept = async (): Promise<readonly [client: Socket, closed: Promise<unknown>]> => {
      const client = connectTo(server);
      const [accepted] = await once(server.http, 'connection') as [Socket];
      return [client, new Promise((resolve) => { accepted.once('close', resolve); })];
    };
    for (let i = 0; i < 3; i += 1) {
      const [client, closed] = await accept();
      client.resetAndDestroy();
      if (i < 2) await closed;
    }
    const [waiting] = await accept();
    waiting.write(REQUEST);
    const drained = server.drain(5_000);
    assert.match(await text(waiting), RESPONSE_THAT_CLOSES);
    assert.equal(await drained, 0);
  });

  it('closes a connection that waits for the next second when its client closes it', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const statuses: number[] = [];
    const refused = (status: number) => { statuses.push(status); };
    const server = await listening(undefined, { maxConnectionsPerAddress: 2 }, { refused });
    for (let i = 0; i < 3; i += 1) {
      const client = connectTo(server);
      const [accepted] = await once(server.http, 'connection') as [Socket];
      const ended = once(i < 2 ? accepted : client, i < 2 ? 'close' : 'finish');
      client.end();
      await ended;
      if (i < 2) continue;
      const closed = once(accepted, 'close');
      mock.timers.tick(1_000);
      await closed;
    }
    assert.deepEqual(statuses, []);
    assert.equal(await server.drain(5_000), 0);
  });

  it('answers 408 to a body that does not arrive in time, and 431 to a head beyond 16 KiB', async () => {
    const server = await listening((req, res) => { req.resume().on('end', () => { res.end('hello'); }); }, { requestTimeoutMs: 200 });
    const slow = connectTo(server);
    slow.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc');
    assert.match(await text(slow), /^HTTP\/1\.1 408 /);
    const large = connectTo(server);
    large.write(`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(17 * 1024)}\r\n\r\n`);
    assert.match(await text(large), /^HTTP\/1\.1 431 /);
    await server.drain(5_000);
  });

  it('reports the status of each request that is incomplete or no HTTP, and none of a connection that breaks', async () => {
    const statuses: number[] = [];
    const server = await listening(undefined, { requestTimeoutMs: 200 }, { refused: (status) => { statuses.push(status); } });
    for (const [bytes, response] of [
      ['\x16\x03\x01', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
      ['GET / HTTP/1.1\r\nHost', 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'],
      [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(17 * 1024)}\r\n\r\n`, 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n'],
    ] as const) {
      const socket = connectTo(server);
      socket.write(bytes);
      assert.equal(await text(socket), response);
    }
    const broken = connectTo(server);
    broken.write(REQUEST);
    await once(broken, 'data');
    broken.resetAndDestroy();
    await server.drain(5_000);
    assert.deepEqual(statuses, [400, 408, 431]);
  });

  it('adds nothing to a response that has begun', async () => {
    const server = await listening((_req, res) => { res.writeHead(200, { 'Content-Length': '5' }).write('he'); });
    const socket = connectTo(server).on('error', () => undefined);
    socket.write(REQUEST);
    const [begun] = await once(socket, 'data') as [Buffer];
    socket.write('no HTTP\r\n\r\n');
    const rest: Buffer[] = [];
    for await (const data of socket) rest.push(data as Buffer);
    assert.match(Buffer.concat([begun, ...rest]).toString(), /\r\n\r\n(?:he)?$/);
    assert.equal(await server.drain(5_000), 0);
  });
});
