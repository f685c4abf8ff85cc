import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, type Timed } from '../load/_ask.ts';
import { startLongBff } from './_long-bff.ts';

const SOCKETS = 500;
const REQUEST_TIMEOUT_MS = 10_000;
const GONE_WITHIN_MS = 12_000;
const ASK_EVERY_MS = 20;
const ANSWERED_WITHIN_MS = 500;

const HEAD = 'POST /vestibule/posts HTTP/1.1\r\nHost: www.example.test\r\nOrigin: http://www.example.test\r\nContent-Type: application/json\r\n';

/** What a slow socket has sent at once, and what it goes on with, a byte a second. */
const kinds = [
  { name: 'silent', first: '', then: '' },
  { name: 'slow with its head', first: 'POST /vestibule/posts HTTP/1.1\r\nX-Slow: ', then: 'a'.repeat(100) },
  { name: 'slow with its body', first: `${HEAD}Content-Length: 1000\r\n\r\n{`, then: ' '.repeat(100) },
  { name: 'slow with its chunks', first: `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, then: '1\r\n \r\n'.repeat(20) },
] as const;

describe(`${SOCKETS} slow sockets`, () => {
  it(`are gone within ${GONE_WITHIN_MS / 1000} s while a steady load is answered`, async () => {
    await using bff = await startLongBff(10, { VESTIBULE_REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) });
    const kindOf = (i: number) => kinds[i % kinds.length] as (typeof kinds)[number];
    const slow = await Promise.all(Array.from({ length: SOCKETS }, (_, i) => openSlow(bff.port, kindOf(i))));
    const openedAt = performance.now();
    const asked: Promise<Timed>[] = [];
    const all = Promise.all(slow.map(({ closed }) => closed));
    let areGone = false;
    void all.then(() => { areGone = true; });
    for (let i = 0; !areGone && performance.now() - openedAt < GONE_WITHIN_MS; i += 1) {
      asked.push((bff.readers[i % bff.readers.length] as (typeof bff.readers)[number]).session());
      await pause(ASK_EVERY_MS);
    }
    const left = slow.filter(({ socket }) => !socket.destroyed).map(({ kind }) => kind);
    for (const { socket } of slow) socket.destroy();
    assert.deepEqual([...new Set(left)], [], `${left.length} sockets are still open`);

    const answers = await Promise.all(asked);
    assert.ok(answers.length > 100, `${answers.length} answers`);
    assert.deepEqual(answers.filter(({ status }) => status !== 200), []);
    const p99 = quantile(answers, 0.99);
    assert.ok(p99 < ANSWERED_WITHIN_MS, `p99 ${p99.toFixed(0)} ms`);
  });
});

interface Slow {
  readonly kind: string;
  readonly socket: Socket;
  readonly closed: Promise<void>;
}

async function openSlow(port: number, { name, first, then }: (typeof kinds)[number]): Promise<Slow> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(first);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < then.length) socket.write(then.charAt(sent));
    sent += 1;
  }, 1_000);
  const closed = Promise.withResolvers<void>();
  socket.once('close', () => {
    clearInterval(timer);
    closed.resolve();
  });
  return { kind: name, socket, closed: closed.promise };
}
