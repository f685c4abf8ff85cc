import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { limitBodyPace } from './body-pace.ts';

const limits = { graceMs: 300, minBytesPerSecond: 1_000, checkEveryMs: 20 };

/** Answers once the body is there, unless `listener` does otherwise, and gives the connection to `use`. */
async function withConnection(use: (socket: Socket) => Promise<void>, listener: RequestListener = (req, res) => {
  void text(req).then((body) => res.end(String(body.length)), () => undefined);
}): Promise<void> {
  const server = createServer({ keepAliveTimeout: 60_000 }, limitBodyPace(listener, limits)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8').on('error', () => undefined);
  try {
    await use(socket);
  } finally {
    socket.destroy();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

/** Sends `piece` every `everyMs` until the other side answers or hangs up; what came back. */
async function trickle(socket: Socket, head: string, piece: string, everyMs: number): Promise<string> {
  socket.write(head);
  const timer = setInterval(() => socket.writable && socket.write(piece), everyMs);
  const answered = once(socket, 'data') as Promise<[string]>;
  const closed = once(socket, 'close').then((): [string] => ['']);
  const [answer] = await Promise.race([answered, closed]);
  clearInterval(timer);
  return answer;
}

const sized = (bytes: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n`;
const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('limitBodyPace', () => {
  it('ends a body that trickles with 408 and the connection with it', async () => {
    for (const [head, piece] of [[sized(1_000), 'a'], [chunked, '1\r\na\r\n'], [sized(1_000), '']] as const) {
      await withConnection(async (socket) => {
        const ended = once(socket, 'close');
        assert.match(await trickle(socket, head, piece, 20), /^HTTP\/1\.1 408 /);
        await ended;
      });
    }
  });

  it('waits for a body that keeps the pace, however long it takes', async () => {
    await withConnection(async (socket) => {
      const began = performance.now();
      assert.match(await trickle(socket, sized(4_000), 'a'.repeat(50), 10), /^HTTP\/1\.1 200 /);
      assert.ok(performance.now() - began > 2 * limits.graceMs);
    });
  });

  it('lets a body begin late', async () => {
    await withConnection(async (socket) => {
      assert.match(await trickle(socket, sized(1_000), 'a'.repeat(1_000), limits.graceMs / 2), /^HTTP\/1\.1 200 /);
    });
  });

  it('counts each request of a connection for itself', async () => {
    await withConnection(async (socket) => {
      assert.match(await trickle(socket, sized(60_000) + 'a'.repeat(60_000), '', 20), /^HTTP\/1\.1 200 /);
      assert.match(await trickle(socket, sized(1_000), 'a', 20), /^HTTP\/1\.1 408 /);
    });
  });

  it('leaves an answer alone that takes its time', async () => {
    const late: RequestListener = (req, res) => void text(req).then(() => setTimeout(() => res.end(), 3 * limits.graceMs));
    await withConnection(async (socket) => {
      assert.match(await trickle(socket, `${sized(1)}a`, '', 20), /^HTTP\/1\.1 200 /);
    }, late);
  });

  it('says nothing more to one who was answered before the body was there', async () => {
    await withConnection(async (socket) => {
      const chunks: string[] = [];
      socket.on('data', (chunk: string) => chunks.push(chunk));
      const ended = once(socket, 'close');
      await trickle(socket, sized(1_000), '', 20);
      await ended;
      assert.match(chunks.join(''), /^HTTP\/1\.1 413 /);
      assert.doesNotMatch(chunks.join(''), /408/);
    }, (_req, res) => { res.writeHead(413).end(); });
  });
});
