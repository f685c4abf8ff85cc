import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DrainingServer } from './draining-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const ANSWER_THAT_ENDS = /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/;

async function listening(listener: RequestListener = (_req, res) => { res.end('hello'); }): Promise<DrainingServer> {
  const server = new DrainingServer(listener, { requestTimeoutMs: 30_000 });
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  return server;
}

function connectTo({ http }: DrainingServer): Socket {
  return connect((http.address() as AddressInfo).port, '127.0.0.1');
}

describe('DrainingServer', () => {
  it('takes connections that wait to be accepted before it takes no more', async () => {
    const server = await listening();
    const socket = connectTo(server);
    // Node.js connects in the next tick; the server accepts once the event loop comes round to it.
    await new Promise<void>((resolve) => { process.nextTick(resolve); });
    const drained = server.drain(5_000);
    socket.write(REQUEST);
    assert.match(await text(socket), ANSWER_THAT_ENDS);
    assert.equal(await drained, 0);
  });

  it('waits for the first request of a connection that is there, but not for long', async () => {
    const server = await listening();
    const asking = connectTo(server);
    await once(server.http, 'connection');
    const silent = connectTo(server);
    await once(server.http, 'connection');
    const drained = server.drain(60_000);
    while (server.http.listening) await nextTurn();
    asking.write(REQUEST);
    assert.match(await text(asking), ANSWER_THAT_ENDS);
    const began = performance.now();
    assert.equal(await drained, 0);
    assert.ok(performance.now() - began < 10_000);
    silent.destroy();
  });

  it('ends each connection with its answer from when it is told to, and still takes new ones', async () => {
    const server = await listening();
    server.endConnections();
    for (const turn of [1, 2]) {
      const socket = connectTo(server);
      socket.write(REQUEST);
      assert.match(await text(socket), ANSWER_THAT_ENDS, String(turn));
    }
    assert.equal(await server.drain(5_000), 0);
  });

  it('counts what it cut off', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await listening(() => { asked.resolve(); });
    const socket = connectTo(server).on('error', () => undefined);
    socket.write(REQUEST);
    await asked.promise;
    assert.equal(await server.drain(50), 1);
  });
});
