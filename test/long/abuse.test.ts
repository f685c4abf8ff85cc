/** One client abuses every endpoint in every way that a client can; honest readers of the same process are served. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { expectStatus, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';

/** Shorter than the default: slow requests end within the test. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Above the time limits of a connection that sends nothing, that sends slowly, or that does not read. */
const CLOSED_WITHIN_MS = 90_000;

const ANSWERED_WITHIN_MS = 20_000;

/** The BFF's own connections to the service come and go. */
const MAX_DESCRIPTORS_MORE = 24;

const HONEST_READERS = 5;

interface Parts {
  readonly method?: string;
  readonly query?: string;
  /** `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string;
}

interface Target {
  readonly method: string;
  readonly path: string;
}

const targets: readonly Target[] = [...Object.values(endpoints), { method: 'GET', path: '/widget.js' }];

const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Length': undefined };

/** Requests that a server answers with any status. */
const requests: Readonly<Record<string, readonly Parts[]>> = {
  'other methods': ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'TRACE', 'PROPFIND'].map((method) => ({ method })),
  ranges: [
    'bytes=5-2', 'bytes=-0', 'bytes=0-0,5-9', 'bytes=99999999-', 'bytes=18446744073709551616-', 'bytes=NaN-', 'bytes=--5', 'lines=0-1',
    `bytes=${'0-,'.repeat(500)}0-`,
  ].map((range) => ({ headers: { Range: range } })),
  conditions: [
    ['If-None-Match', '*'], ['If-None-Match', 'W/"a", "b", c'], ['If-None-Match', '"a",'.repeat(1_000)], ['If-Match', '"none"'],
    ['If-Modified-Since', 'yesterday'], ['If-Unmodified-Since', '-1'], ['If-Range', 'never'],
  ].map(([name = '', value = '']) => ({ headers: { [name]: value, Range: 'bytes=9-1' } })),
  'odd headers': [
    ['Accept', ','.repeat(4_000)], ['Accept-Encoding', 'br;q=0, gzip;q=0, identity;q=0'], ['Accept-Language', 'x;q='.repeat(1_000)],
    ['Cookie', 'a=b; '.repeat(1_500)], ['Cookie', 'vestibule='.repeat(700)], ['Expect', 'something'], ['Upgrade', 'h2c'], ['Origin', 'null'],
    ['Content-Type', 'application/json;charset=utf-7'], ['Content-Encoding', 'gzip'], ['Host', ''], ['X-Forwarded-For', '1.2.3.4, '.repeat(500)],
    ['X-Request-Id', 'a'.repeat(5_000)], ['Idempotency-Key', '"'.repeat(300)],
  ].map(([name = '', value = '']) => ({ headers: { [name]: value } })),
  'huge heads': [
    ...[4, 12, 17, 64].map((kib) => ({ headers: { 'X-Large': 'a'.repeat(kib * 1024) } })),
    { headers: Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`X-${i}`, 'a'])) },
    { query: `?large=${'a'.repeat(20 * 1024)}` }, { query: `?${'%00'.repeat(500)}` }, { query: `?${'a=b&'.repeat(1_000)}` },
  ],
  'bodies with wrong lengths': [
    { headers: { 'Content-Length': '1' }, body: '{}' }, { headers: { 'Content-Length': '-1' } }, { headers: { 'Content-Length': ['2', '3'] }, body: '{}' },
    { headers: { 'Content-Length': '99999999999999999999999999' } },
    { headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': '2' }, body: '2\r\n{}\r\n0\r\n\r\n' },
    { headers: { ...chunked, 'Transfer-Encoding': 'gzip, chunked' }, body: '2\r\n{}\r\n0\r\n\r\n' },
    { headers: chunked, body: 'zz\r\n{}\r\n0\r\n\r\n' }, { headers: chunked, body: `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n` },
    { headers: chunked, body: `2\r\n{}\r\n0\r\n${'X-Trailer: a\r\n'.repeat(2_000)}\r\n` },
    { body: '['.repeat(60_000) }, { body: '' },
  ],
};

/** What a client does with its connections without waiting for an answer. */
const rudeness: Readonly<Record<string, (attack: Attack, target: Target) => Promise<unknown>>> = {
  'aborts at each stage': (attack, target) => attack.leave(target, (socket) => { socket.destroy(); }),
  'resets at each stage': (attack, target) => attack.leave(target, (socket) => { socket.resetAndDestroy(); }),
  'half-closed connections': (attack, target) => attack.leave(target, (socket) => { socket.end(); }),
  'deep pipelining': (attack, target) => attack.pipeline(target, 500),
  'a body that is larger than the limit': (attack, target) => attack.leave(target, () => undefined, '['.repeat(2_000_000)),
  'connection churn': (attack, target) => Promise.all(Array.from({ length: 30 }, () => attack.exchange(target))),
};

/** Connections that the server closes: each gets its first bytes, then one a second. */
const holds: Readonly<Record<string, (target: Target) => readonly [first: string, rest: string]>> = {
  'a connection without a request': () => ['', ''],
  'a slow head': (target) => [bytesOf(target).slice(0, 30), 'X'.repeat(1_000)],
  'a slow body': (target) => [bytesOf(target, { headers: { 'Content-Length': '1000' }, body: ' ' }), ' '.repeat(1_000)],
  'a half-sent request': (target) => [bytesOf(target).slice(0, -1), ''],
};

function bytesOf(target: Target, { method = target.method, query = '', headers = {}, body }: Parts = {}): string {
  const content = body ?? (method === 'POST' ? '{"forum":"news","message":"Abuse"}' : '');
  const all = {
    Host: 'www.example.com', Origin: new URL(PUBLIC_URL).origin, Connection: 'close', 'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(content)), ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (
    value === undefined ? [] : [value].flat().map((one: string) => `${name}: ${one}\r\n`)
  ));
  return `${method} ${new URL(PUBLIC_URL).pathname}${target.path}${query} HTTP/1.1\r\n${lines.join('')}\r\n${content}`;
}

class Attack {
  readonly faults = new Set<string>();
  answers = 0;
  readonly #port: number;
  readonly #cookie: string;

  constructor(port: number, cookie: string) {
    this.#port = port;
    this.#cookie = cookie;
  }

  open(): Socket {
    return connect({ port: this.#port, host: '127.0.0.1', localAddress: '127.0.0.2', allowHalfOpen: true }).on('error', () => undefined);
  }

  /** Sends one request on a new connection. No answer, and a server error that is no refusal, are faults. */
  async exchange(target: Target, parts: Parts = {}): Promise<void> {
    const socket = this.open();
    const answer = readUntil(socket, (text) => /^HTTP\/1.1 [2-5]\d\d /m.test(text), ANSWERED_WITHIN_MS);
    socket.write(bytesOf(target, { ...parts, headers: { Cookie: this.#cookie, ...parts.headers } }), 'latin1');
    const status = Number(/^HTTP\/1.1 ([2-5]\d\d) /m.exec(await answer)?.[1]);
    socket.destroy();
    this.answers += 1;
    // Not implemented; version not supported.
    if (!(status < 500 || [501, 505].includes(status))) {
      this.faults.add(`${target.method} ${target.path} ${JSON.stringify(parts).slice(0, 120)}: ${status || 'no answer'}`);
    }
  }

  /** Leaves at each stage of a request. */
  async leave(target: Target, end: (socket: Socket) => void, body?: string): Promise<void> {
    const request = bytesOf(target, { headers: { Cookie: this.#cookie }, ...(body !== undefined && { body }) });
    const head = request.indexOf('\r\n\r\n') + 4;
    await Promise.all([0, 9, head - 2, head, (head + request.length) >> 1, request.length].map(async (length) => {
      const socket = this.open();
      await new Promise((resolve) => { socket.write(request.slice(0, length), 'latin1', resolve); });
      end(socket);
      await readUntil(socket, () => length === request.length, 500);
      socket.destroy();
    }));
  }

  async pipeline(target: Target, count: number): Promise<void> {
    const socket = this.open();
    socket.write(bytesOf(target, { headers: { Connection: 'keep-alive', Cookie: this.#cookie } }).repeat(count), 'latin1');
    await readUntil(socket, (text) => text.split('HTTP/1.1 ').length > count, 2_000);
    socket.destroy();
  }

  /** Settles when the server has closed the connection. */
  async hold(name: string, target: Target): Promise<void> {
    const [first, rest] = (holds[name] as (typeof holds)[string])(target);
    const socket = this.open();
    let sent = 0;
    socket.write(first, 'latin1');
    const timer = setInterval(() => { if (sent < rest.length) socket.write(rest.slice(sent, sent += 1)); }, 1_000);
    const closed = new Promise((resolve) => { socket.once('end', resolve).once('close', resolve).resume(); });
    const isClosed = await Promise.race([closed.then(() => true), pause(CLOSED_WITHIN_MS, false)]);
    clearInterval(timer);
    socket.destroy();
    if (!isClosed) this.faults.add(`${name} at ${target.method} ${target.path}: still open`);
  }
}

/** @returns what arrived when `isEnough`, the connection is closed or the time is over */
async function readUntil(socket: Socket, isEnough: (text: string) => boolean, withinMs: number): Promise<string> {
  let text = '';
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) resolve();
    }).once('end', resolve).once('close', () => { clearTimeout(timer); resolve(); });
  });
  return text;
}

describe('honest readers while one client abuses the BFF', () => {
  const run = suiteResource(async () => {
    await using stack = new AsyncDisposableStack();
    const people = Array.from({ length: HONEST_READERS + 1 }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
    const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], readers: people }));
    const { path } = stack.use(await temporaryDirectory({ inMemory: true }));
    const bff = stack.use(await startProcess(bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_RATE_LIMITS: 'off', VESTIBULE_REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
    })));
    const [mallory, ...readers] = people.map(() => bff.browser(service)) as [ReaderClient, ...ReaderClient[]];
    for (const [i, reader] of [mallory, ...readers].entries()) await reader.signIn(people[i]);
    const port = Number(new URL(bff.origin).port);
    const descriptors = () => readdirSync(`/proc/${bff.process.child.pid}/fd`).length;
    const disposal = stack.move();
    return {
      bff, readers, port, descriptors, cookie: mallory.cookies(), before: descriptors(),
      [Symbol.asyncDispose]: () => disposal.disposeAsync(),
    };
  });

  /** Attacks, while every reader posts and asks for the session again and again. */
  async function attacked(attack: (attack: Attack) => Promise<unknown>): Promise<void> {
    const { bff, readers, port, cookie, descriptors, before } = run();
    const attacker = new Attack(port, cookie);
    let isOver = false;
    const reading = readers.map(async (reader) => {
      do {
        expectStatus(await reader.createPost('An honest comment'), 201);
        assert.equal((await reader.session()).state, 'signed-in');
        expectStatus(await reader.get('/widget.js'), 200);
        await pause(100);
      } while (!isOver);
    });
    await Promise.all([attack(attacker).finally(() => { isOver = true; }), ...reading]);
    assert.deepEqual([...attacker.faults], []);
    assert.equal(bff.process.child.exitCode, null);
    await until('the connections are closed', () => descriptors() <= before + MAX_DESCRIPTORS_MORE + HONEST_READERS);
  }

  for (const [name, all] of Object.entries(requests)) {
    it(`are served beside ${name}, and these get answers`, () => attacked(async (attack) => {
      for (const target of targets) await Promise.all(all.map((parts) => attack.exchange(target, parts)));
    }));
  }

  for (const [name, attackOne] of Object.entries(rudeness)) {
    it(`are served beside ${name}`, () => attacked(async (attack) => {
      for (const target of targets) await attackOne(attack, target);
    }));
  }

  it('are served beside 1,000 connections', () => attacked(async (attack) => {
    const sockets = Array.from({ length: 1_000 }, () => attack.open());
    await pause(2_000);
    for (const socket of sockets) socket.destroy();
  }));

  it('share the BFF with slow and idle connections until it closes them', () => attacked(async (attack) => {
    await Promise.all(Object.keys(holds).flatMap((name) => targets.map((target) => attack.hold(name, target))));
  }));
});
