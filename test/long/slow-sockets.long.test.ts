/** Slow sockets at a BFF with default settings: the BFF closes those that send too slowly, and a phone in a bad network can
 *  post. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RawConnection } from '../abuse/_raw-connection.ts';
import { quantile, type Timed } from '../load/_ask.ts';
import { startLongBff, type LongBff } from './_long-bff.ts';

const SOCKETS = 500;
/** Time limits of a head and of a whole request (10 s and 30 s), and a margin for the checks. */
const GONE_WITHIN_MS = { head: 12_000, body: 33_000 };
const ASK_EVERY_MS = 20;
const ANSWERED_WITHIN_MS = 500;

/** A phone at the edge of GPRS and EDGE. */
const PHONE_BYTES_A_SECOND = 2_000;
const MESSAGE_LENGTH = 10_000;
const PHONE_RESPONSE_WITHIN_MS = 60_000;

const HEAD = 'POST /vestibule/posts HTTP/1.1\r\nHost: www.example.test\r\nOrigin: http://www.example.test\r\nContent-Type: application/json\r\n';

/** Bytes that a slow socket sends at once, and pieces that it sends one a second. */
const kinds = [
  { name: 'silent', part: 'head', first: '', pieces: [] },
  { name: 'slow with its head', part: 'head', first: 'POST /vestibule/posts HTTP/1.1\r\nX-Slow: ', pieces: Array(100).fill('a') },
  { name: 'slow with its body', part: 'body', first: `${HEAD}Content-Length: 1000\r\n\r\n{`, pieces: Array(100).fill(' ') },
  { name: 'slow with its chunks', part: 'body', first: `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, pieces: Array(100).fill('1\r\n \r\n') },
  { name: 'slow after a first chunk', part: 'body', first: `${HEAD}Transfer-Encoding: chunked\r\n\r\n400\r\n${' '.repeat(1024)}\r\n`, pieces: Array(100).fill('1\r\n \r\n') },
] as const;

describe(`${SOCKETS} slow sockets`, () => {
  it(`are gone after the time limits of heads and requests, while a steady load is answered`, async () => {
    await using bff = await startLongBff(10);
    const kindOf = (i: number) => kinds[i % kinds.length] as (typeof kinds)[number];
    const slow = await Promise.all(Array.from({ length: SOCKETS }, () => open(bff)));
    const openedAt = performance.now();
    const asked: Promise<Timed>[] = [];
    let areGone = false;
    const late = new Set<string>();
    const trickles = slow.map(async (connection, i) => {
      const { name, part, first, pieces } = kindOf(i);
      await connection.trickle(first, pieces);
      if (performance.now() - openedAt > GONE_WITHIN_MS[part]) late.add(name);
    });
    void Promise.all(trickles).then(() => { areGone = true; });
    for (let i = 0; !areGone && performance.now() - openedAt < GONE_WITHIN_MS.body; i += 1) {
      asked.push(readerOf(bff, i).session());
      await pause(ASK_EVERY_MS);
    }
    const left = slow.flatMap(({ isClosed }, i) => (isClosed ? [] : [kindOf(i).name]));
    for (const connection of slow) connection.abort();
    assert.deepEqual([[...new Set(left)], [...late]], [[], []], `${left.length} sockets are still open`);

    const answers = await Promise.all(asked);
    assert.ok(answers.length > 100, `${answers.length} answers`);
    assert.deepEqual(answers.filter(({ status }) => status !== 200), []);
    const p99 = quantile(answers, 0.99);
    assert.ok(p99 < ANSWERED_WITHIN_MS, `p99 ${p99.toFixed(0)} ms`);
  });
});

describe('a phone in a bad network', () => {
  it(`posts ${MESSAGE_LENGTH} characters of four bytes each, at ${PHONE_BYTES_A_SECOND} bytes a second`, async () => {
    await using bff = await startLongBff(1);
    const message = '😀'.repeat(MESSAGE_LENGTH);
    const body = JSON.stringify({ forum: 'news', message });
    const head = `${HEAD}Cookie: ${readerOf(bff, 0).cookie}\r\nIdempotency-Key: key-of-the-phone\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const connection = await open(bff);
    void connection.trickle(head, piecesOf(Buffer.from(body)));
    await connection.responses(1, PHONE_RESPONSE_WITHIN_MS);
    connection.abort();
    assert.deepEqual(connection.statuses, [201]);
    assert.equal(bff.service.posts[0]?.message, message);
  });
});

function open({ port }: LongBff): Promise<RawConnection> {
  return RawConnection.open({ port }, '127.0.0.2');
}

function readerOf({ readers }: LongBff, i: number): LongBff['readers'][number] {
  return readers[i % readers.length] as LongBff['readers'][number];
}

function piecesOf(bytes: Buffer): readonly Buffer[] {
  const count = Math.ceil(bytes.length / PHONE_BYTES_A_SECOND);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * PHONE_BYTES_A_SECOND, (i + 1) * PHONE_BYTES_A_SECOND));
}
