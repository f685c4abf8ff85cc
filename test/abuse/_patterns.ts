/**
 * Patterns of attack. One round of a pattern attacks one target on new connections. `Attack.exchange` sends requests that
 * must get a response, and records a missing response or a server error.
 */

import { isLong } from '../lib/long-run.ts';
import { RESPONSE_WITHIN_MS, type Attack } from './_attack.ts';
import type { RawConnection } from './_raw-connection.ts';
import { requestOf, type RequestParts } from './_request.ts';
import { hasBody, type Target } from './_targets.ts';

export interface Pattern {
  readonly name: string;
  /** Default: all targets. */
  readonly appliesTo?: (target: Target) => boolean;
  /** Whether it needs an entrance with TLS. Default: false. */
  readonly needsTls?: boolean;
  /** Short runs attack one target only, because a round takes the client seconds. */
  readonly isExpensive?: boolean;
  readonly round: (attack: Attack, target: Target) => Promise<void>;
}

const CONNECTIONS_PER_STAGE = 4;
const CHURN_CONNECTIONS = isLong ? 30 : 15;
const FLOOD_CONNECTIONS = 2_000;
const FLOOD_BATCH = 10;
const FLOOD_SILENT = 40;
const FLOOD_ADDRESS = '127.0.0.3';
const PIPELINED_REQUESTS = isLong ? 2_000 : 500;
/** Fewer than the BFF accepts while their responses are not read. */
const PIPELINED_IN_LIMIT = 8;
/** Below the limit of nginx for one address. */
const CROWD_CONNECTIONS = 90;
/** On each of them. */
const CROWD_REQUESTS = 2 * PIPELINED_IN_LIMIT;
const SLOW_READS = 10;
const SLOW_READ_MS = 100;
const RESET_STREAMS = 1_000;
const TRUNCATED_WITHIN_MS = 1_000;

type Ending = (connection: RawConnection) => void;

interface Stage {
  readonly appliesTo?: (target: Target) => boolean;
  /** Part of the request that is sent. */
  readonly send: (request: Buffer, headLength: number) => Buffer;
  readonly waitsForResponse?: boolean;
}

/** Stages at which the client aborts a request. */
const stages: readonly Stage[] = [
  { send: (request) => request.subarray(0, 0) },
  { send: (request) => request.subarray(0, 9) },
  { send: (request, headLength) => request.subarray(0, headLength - 2) },
  { send: (request, headLength) => request.subarray(0, headLength), appliesTo: hasBody },
  { send: (request, headLength) => request.subarray(0, (headLength + request.length) / 2), appliesTo: hasBody },
  { send: (request) => request },
  { send: (request) => request, waitsForResponse: true },
  // Several in flight: some responses are sent, some wait behind them.
  { send: (request) => Buffer.concat(Array.from({ length: PIPELINED_IN_LIMIT }, () => request)), waitsForResponse: true },
];

const ranges = [
  'bytes=5-2', 'bytes=9-1', 'bytes=-1', 'bytes=-0', 'bytes=0-', 'bytes=0-0', 'bytes=0-0,5-9', 'bytes=5-9,0-0,0-', 'bytes=99999999-',
  'bytes=18446744073709551616-18446744073709551617', 'bytes=-99999999999', 'bytes=1e1-2e1', 'bytes=a-b', 'bytes=NaN-', 'bytes=--5',
  'bytes=0--1', 'bytes=-', 'bytes=', 'bytes', '=0-1', 'lines=0-1', 'Bytes=0-1', ' bytes = 0 - 1 ', 'bytes=0x0-0x10', '',
  `bytes=${Array.from({ length: 500 }, () => '0-').join(',')}`,
] as const;

const conditions: readonly (readonly [name: string, value: string])[] = [
  ['If-None-Match', '*'], ['If-None-Match', '"'], ['If-None-Match', 'W/'], ['If-None-Match', 'W/"a", "b", c'],
  ['If-None-Match', Array.from({ length: 1_000 }, (_, i) => `"${i}"`).join(',')],
  ['If-Match', '*'], ['If-Match', '"none"'],
  ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['If-Modified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['If-Modified-Since', 'yesterday'], ['If-Modified-Since', ''], ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Unmodified-Since', '-1'],
];

const ifRanges = ['"none"', 'W/"none"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'never', ''];

const oddHeaders: readonly (readonly [name: string, value: string])[] = [
  ['Accept', 'text/html'], ['Accept', '*/*;q=nan'], ['Accept', ','.repeat(4_000)], ['Accept-Encoding', 'br;q=0, gzip;q=0, identity;q=0'],
  ['Accept-Encoding', ','.repeat(4_000)], ['Accept-Language', 'x;q='.repeat(1_000)], ['Cookie', 'vestibule='.repeat(700)],
  ['Cookie', `${'a=b; '.repeat(1_500)}c=d`], ['Expect', '100-continue'], ['Expect', 'something'], ['Upgrade', 'h2c'],
  ['Origin', 'null'], ['Content-Type', 'text/plain'], ['Content-Type', 'application/json;charset=utf-7'], ['Content-Encoding', 'gzip'],
  ['Host', ''], ['Host', 'other.example'], ['X-Forwarded-For', '1.2.3.4, '.repeat(500)], ['X-Request-Id', 'a'.repeat(5_000)],
  ['traceparent', '00-'.repeat(1_000)],
];

const largeHeads: readonly RequestParts[] = [
  ...[4, 7, 12, 17, 64].map((kib) => ({ headers: { 'X-Large': 'a'.repeat(kib * 1024) } })),
  ...[100, 1_000, 3_000].map((count) => ({ headers: Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'a'])) })),
  ...[2, 7, 20].map((kib) => ({ query: `&large=${'a'.repeat(kib * 1024)}` })),
  { query: `&${'%00'.repeat(500)}` },
  { query: `&${'a=b&'.repeat(1_000)}` },
];

const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Length': undefined };

/** Bodies whose framing is wrong, or that the endpoint does not expect. */
const misframed: readonly RequestParts[] = [
  { headers: { 'Content-Length': '1' }, body: '{}' },
  { headers: { 'Content-Length': '-1' } },
  { headers: { 'Content-Length': 'a' } },
  { headers: { 'Content-Length': '99999999999999999999999999' } },
  { headers: { 'Content-Length': ['2', '3'] }, body: '{}' },
  { headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': '2' }, body: '2\r\n{}\r\n0\r\n\r\n' },
  { headers: { ...chunked, 'Transfer-Encoding': 'gzip, chunked' }, body: '2\r\n{}\r\n0\r\n\r\n' },
  { headers: chunked, body: '2\r\n{}\r\n0\r\n\r\n' },
  { headers: chunked, body: 'zz\r\n{}\r\n0\r\n\r\n' },
  { headers: chunked, body: `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n` },
  { headers: chunked, body: `2\r\n{}\r\n0\r\n${'X-Trailer: a\r\n'.repeat(2_000)}\r\n` },
  { headers: chunked, body: `${'1\r\n \r\n'.repeat(3_000)}2\r\n{}\r\n0\r\n\r\n` },
  { headers: { 'Content-Length': '300000' }, body: ' '.repeat(300_000) },
  { headers: { 'Content-Length': '2000000' }, body: '['.repeat(2_000_000) },
  { body: '['.repeat(60_000) },
  { body: '' },
];

/** `Content-Length` exceeds the body: the response may come after the client has aborted. */
const truncatedBody: RequestParts = { headers: { 'Content-Length': '100000' }, body: '{' };

const methods = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'TRACE', 'PROPFIND', 'get', 'MADE-UP'];

export const patterns: readonly Pattern[] = [
  { name: 'abort at each stage', round: (attack, target) => giveUp(attack, target, (connection) => { connection.abort(); }) },
  { name: 'reset at each stage', round: (attack, target) => giveUp(attack, target, (connection) => { connection.reset(); }) },
  { name: 'half-open', round: halfOpen },
  { name: 'ranges', round: (attack, target) => attack.exchangeOnOne(target, ranges.map((range) => ({ headers: { Range: range } }))) },
  {
    name: 'conditional headers',
    round: (attack, target) => attack.exchangeOnOne(target, [
      ...conditions.map(([name, value]) => ({ headers: { [name]: value } })),
      ...conditions.map(([name, value]) => ({ headers: { [name]: value, Range: 'bytes=5-2' } })),
      ...ifRanges.map((value) => ({ headers: { 'If-Range': value, Range: 'bytes=9-1' } })),
    ]),
  },
  {
    name: 'odd values of other headers',
    round: (attack, target) => attack.exchangeOnOne(target, oddHeaders.map(([name, value]) => ({ headers: { [name]: value } }))),
  },
  { name: 'huge and many headers', round: (attack, target) => attack.exchangeOnOne(target, largeHeads) },
  { name: 'bodies with wrong lengths', round: wrongLengths },
  { name: 'HEAD, OPTIONS and other methods', round: (attack, target) => attack.exchangeOnOne(target, methods.map((method) => ({ method }))) },
  { name: 'aborted ranges', appliesTo: ({ group }) => group === 'static files', round: abortedRanges },
  { name: 'deep pipelining', round: pipelineDeep },
  { name: 'slow read', round: readSlowly },
  { name: 'keep-alive churn', round: churn },
  { name: 'pipelining on many connections', isExpensive: true, round: crowd },
  { name: `${FLOOD_CONNECTIONS} connections`, isExpensive: true, round: flood },
  { name: 'streams opened and reset', needsTls: true, isExpensive: true, round: (attack, target) => attack.resetStreams(target, RESET_STREAMS) },
];

/** Aborts at each stage, on several connections at once. */
async function giveUp(attack: Attack, target: Target, ending: Ending): Promise<void> {
  const request = requestOf(target, { headers: { Connection: 'keep-alive' } });
  const headLength = request.indexOf('\r\n\r\n') + 4;
  for (const { appliesTo = () => true, send, waitsForResponse = false } of stages) {
    if (!appliesTo(target)) continue;
    await Promise.all(Array.from({ length: CONNECTIONS_PER_STAGE }, async () => {
      const connection = await attack.open();
      connection.write(send(request, headLength));
      await connection.drained();
      // The limit of connections of one address may close it without an answer.
      const isAnswered = !waitsForResponse || await connection.responses(1, RESPONSE_WITHIN_MS) > 0 || connection.isClosed;
      if (!isAnswered) attack.record(target, 'a response to abort', 'no answer');
      ending(connection);
    }));
  }
}

/** Sends FIN after the request. Node.js and nginx treat it as an abort, so a response is optional. */
async function halfOpen(attack: Attack, target: Target): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS_PER_STAGE }, async () => {
    const connection = await attack.open();
    connection.write(requestOf(target));
    connection.end();
    if (!await connection.closes(RESPONSE_WITHIN_MS)) attack.record(target, 'half-open', 'left open');
    connection.abort();
  }));
}

async function wrongLengths(attack: Attack, target: Target): Promise<void> {
  for (const request of misframed) await attack.exchange(target, request);
  const connection = await attack.open();
  connection.write(requestOf(target, truncatedBody));
  connection.end();
  await connection.responses(1, TRUNCATED_WITHIN_MS);
  connection.abort();
}

/** Requests ranges and does not read the responses. */
async function abortedRanges(attack: Attack, target: Target): Promise<void> {
  for (const range of ranges) {
    const request = requestOf(target, { headers: { Range: range, Connection: 'keep-alive' } });
    const connection = await attack.open();
    connection.write(Buffer.concat(Array.from({ length: 20 }, () => request)));
    await connection.drained();
    connection.reset();
  }
}

async function pipelineDeep(attack: Attack, target: Target): Promise<void> {
  const connection = await attack.open();
  const request = requestOf(target, { headers: { Connection: 'keep-alive' } });
  connection.write(Buffer.concat(Array.from({ length: PIPELINED_REQUESTS }, () => request)));
  await connection.responses(PIPELINED_REQUESTS, RESPONSE_WITHIN_MS);
  attack.recordAll(target, 'pipelined', connection.statuses, { mayBeRefused: true });
  connection.abort();
}

/** Reads one chunk of the responses every `SLOW_READ_MS`. */
async function readSlowly(attack: Attack, target: Target): Promise<void> {
  const connection = await attack.open();
  connection.pause();
  const requests = Buffer.concat(Array.from({ length: PIPELINED_IN_LIMIT }, () => requestOf(target, { headers: { Connection: 'keep-alive' } })));
  for (let i = 0; i < SLOW_READS && !await connection.closes(SLOW_READ_MS); i += 1) {
    connection.write(requests);
    connection.readOnce();
  }
  connection.abort();
}

/** Pipelines on many connections at once, on each as many requests as the BFF accepts. */
async function crowd(attack: Attack, target: Target): Promise<void> {
  const requests = Buffer.concat(Array.from({ length: PIPELINED_IN_LIMIT }, () => requestOf(target, { headers: { Connection: 'keep-alive' } })));
  const connections = await Promise.all(Array.from({ length: CROWD_CONNECTIONS }, () => attack.open()));
  for (let sent = PIPELINED_IN_LIMIT; sent <= CROWD_REQUESTS; sent += PIPELINED_IN_LIMIT) {
    for (const connection of connections) connection.write(requests);
    await Promise.all(connections.map((connection) => connection.responses(sent, RESPONSE_WITHIN_MS)));
  }
  for (const connection of connections) {
    attack.recordAll(target, 'pipelined on one of many connections', connection.statuses);
    connection.abort();
  }
}

async function churn(attack: Attack, target: Target): Promise<void> {
  for (let i = 0; i < CHURN_CONNECTIONS; i += 1) await attack.exchange(target, { headers: { Connection: i % 2 === 0 ? 'close' : 'keep-alive' } });
}

/** Opens connections and holds all of them: some send one request, the others nothing. A limit may refuse them. */
async function flood(attack: Attack, target: Target): Promise<void> {
  const connections: RawConnection[] = [];
  while (connections.length < FLOOD_CONNECTIONS) {
    const batch = await Promise.all(Array.from({ length: FLOOD_BATCH }, () => attack.open(FLOOD_ADDRESS)));
    for (const connection of batch) connection.write(requestOf(target, { headers: { Connection: 'keep-alive' } }));
    await Promise.all(batch.map((connection) => connection.responses(1, RESPONSE_WITHIN_MS)));
    const silent = await Promise.all(Array.from({ length: FLOOD_SILENT }, () => attack.openSilent(FLOOD_ADDRESS)));
    connections.push(...batch, ...silent);
  }
  for (const { statuses } of connections) attack.recordAll(target, 'one of many connections', statuses, { mayBeRefused: true });
  for (const [i, connection] of connections.entries()) {
    if (i % 2 === 0) connection.abort();
    else connection.reset();
  }
}
