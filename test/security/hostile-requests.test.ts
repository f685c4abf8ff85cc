/** Requests that try to break a parser, a log line, a header or the process. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { isLong } from '../lib/long-run.ts';
import { collectGarbage } from './_collect-garbage.ts';
import { generatedRequests } from './_generated-requests.ts';
import { problemOf, startWorld, type Browser, type World } from './_world.ts';

/** Requests in one run: all of them in the long one. */
const GENERATED = isLong ? 100_000 : 5_000;

/** For a response, in ms: more than other work on the machine delays it. */
const RESPONSE_WITHIN_MS = 3_000;

/** CPU time of this process, in ms. The BFF and the service run in it; other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function inTime<T>(response: Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const received = await response;
  assert.ok(performance.now() - beganAt < RESPONSE_WITHIN_MS);
  return received;
}

const unfit = ['\r\n', '\0', '\u2028', '\u2029', '\u0085', '\u202e', '\u2066', '\u200f', '\ufeff', '\u001b[31m'];

describe('a hostile request', () => {
  let world: World;
  let reader: Browser;

  before(async () => {
    world = await startWorld({ requestTimeoutMs: 3_000 });
    reader = world.browser();
    await reader.signIn();
  });
  after(() => world[Symbol.asyncDispose]());

  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => reader.ask('/posts', {
    method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID(), ...headers }, body,
  });

  it('with repeated, nested or bracketed parameters is refused or parsed by the URL standard', async () => {
    for (const query of [
      'forum=news&forum=news', 'return_to=a&return_to=b', 'display=popup&display=page', 'forum[]=news', 'forum[a]=news', 'display[__proto__]=x',
    ]) {
      const { status } = await reader.ask(`/sync/authorize?${query}`);
      assert.ok(status === 400 || (status === 302 && query.includes('[')), query);
    }
    const browser = world.browser();
    await browser.authorize();
    const issued = new URLSearchParams(browser.issueReturn());
    for (const name of ['code', 'username', 'user_id', 'audiencesync_uri', 'success', 'error']) {
      const answer = await browser.ask(`/sync/return?${issued}&${name}=x&${name}=y`);
      assert.equal(problemOf(answer), 'invalid-request', name);
    }
    assert.equal((await browser.ask(`/sync/return?${issued}`)).status, 303);
  });

  it('with a malformed URL gets a response after less than 100 ms of CPU time', async () => {
    for (const path of ['/%', '/%zz', '/%c0%ae%c0%ae', '/sync/return?%', '/sync/return?a=%zz&code=%', '/sync/authorize?return_to=%00', '/sync/authorize?return_to=https://[',
      '/..%2f..%2fetc%2fpasswd', '/assets/..%2f..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json', '/widget.js/%00', `/${'a/'.repeat(2000)}`, '//evil.example/%2f..']) {
      const began = cpuMs();
      const { status } = await inTime(reader.ask(path));
      assert.ok(status < 500, `${path.slice(0, 30)} ${status}`);
      assert.ok(cpuMs() - began < 100, path.slice(0, 30));
    }
  });

  it('with deeply nested JSON is refused before it is parsed', async () => {
    for (const depth of [33, 1_000, 16_000]) {
      assert.equal(problemOf(await post('['.repeat(depth))), 'invalid-request');
      assert.equal(problemOf(await post('['.repeat(depth) + ']'.repeat(depth))), 'invalid-request');
      assert.equal(problemOf(await post(`{"forum":"news","message":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`)), 'invalid-request');
      const body = `{"sync":"x","username":"x","answers":{"age":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
      assert.equal(problemOf(await reader.ask('/sync/validation', { method: 'POST', body })), 'invalid-request');
    }
  });

  it('with members of Object.prototype is refused', async () => {
    for (const body of [
      '{"__proto__":{"forum":"news","message":"x"}}', '{"forum":"news","message":"x","__proto__":{}}', '{"forum":"news","message":"x","constructor":{}}',
      '{"forum":"news","message":{"toString":"x"}}', '{"forum":["news"],"message":"x"}', '{"forum":"__proto__","message":"x"}', '{"forum":"constructor","message":"x"}',
    ]) assert.ok((await post(body)).status < 500 && (await post(body)).status >= 400, body);
    const browser = world.browser();
    await browser.start();
    const { sync, username } = await browser.shown();
    for (const answers of ['{"__proto__":{"age":30}}', '{"age":30,"__proto__":1}', '{"age":30,"constructor":1}', '{"age":30,"toString":1}']) {
      const body = `{"sync":"${sync}","username":"${username}","answers":${answers}}`;
      const answer = await browser.ask('/sync/validation', { method: 'POST', body });
      assert.ok(['invalid-request', 'invalid-answers'].includes(problemOf(answer) ?? ''), answers);
    }
    assert.equal(({} as Record<string, unknown>)['age'], undefined);
  });

  it('with a body that is too large, not UTF-8, compressed, or in another charset is refused', async () => {
    assert.equal(problemOf(await post(`{"forum":"news","message":"${'x'.repeat(400_000)}"}`)), 'payload-too-large');
    assert.equal(problemOf(await post(Buffer.from('{"forum":"news","message":"\xe9"}', 'latin1'))), 'invalid-request');
    assert.equal(problemOf(await post('{"forum":"news","message":"\\ud800"}')), 'invalid-request');
    assert.equal(problemOf(await post('{}', { 'content-encoding': 'gzip' })), 'unsupported-media-type');
    assert.equal(problemOf(await post('{}', { 'content-type': 'application/json; charset=utf-16' })), 'unsupported-media-type');
  });

  it('with control and bidi characters reaches the service unchanged, and no header, log line or problem', async () => {
    const logged = world.log.length;
    for (const piece of unfit) {
      const text = `canary${piece}yranac`;
      assert.equal((await post(JSON.stringify({ forum: 'news', message: text }))).status, 201);
      assert.equal(world.service.posts.at(-1)?.message, text);
      const problem = await post(JSON.stringify({ forum: text, message: text }));
      assert.equal(problemOf(problem), 'forum-not-allowed');
      assert.ok(!problem.text.includes('canary'));
      await reader.ask(`/sync/return?error=${encodeURIComponent(text)}`);
      await reader.ask(`/${encodeURIComponent(text)}`);
    }
    const lines = world.log.slice(logged);
    assert.ok(lines.length > 0 && !lines.some((line) => line.includes('canary') || unfit.some((piece) => line.trimEnd().includes(piece))));
  });

  it('with a hostile Idempotency-Key, Accept, Accept-Language, Cookie or request id gets a response after less than 250 ms of CPU time', async () => {
    const long = 8_000;
    for (const headers of [
      { 'idempotency-key': '"'.repeat(long) }, { 'idempotency-key': `"${'\\'.repeat(long)}` }, { accept: `${'a/b;q=0.1,'.repeat(700)}*/*` },
      { 'accept-language': 'a-'.repeat(long / 2) }, { cookie: 'vestibule=; '.repeat(600) }, { cookie: `vestibule=s%3A${'%'.repeat(long)}` },
      { 'x-request-id': 'x'.repeat(long) }, { 'content-type': `application/json;${' '.repeat(long)}x` }, { origin: `https://${'a.'.repeat(long / 2)}` },
      { traceparent: '0'.repeat(long) }, { 'if-none-match': '"'.repeat(long) }, { 'accept-encoding': 'br,'.repeat(2_000) },
    ]) {
      const began = cpuMs();
      const { status } = await inTime(post('{"forum":"news","message":"x"}', headers as unknown as Record<string, string>));
      assert.ok(status < 500, Object.keys(headers)[0]);
      assert.ok(cpuMs() - began < 250, Object.keys(headers)[0]);
    }
  });

  it('that is too slow is ended: after a limit of 3 s, within 5 s', async () => {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const began = performance.now();
    socket.write('POST /vestibule/posts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write(' '), 200);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.on('error', () => undefined).on('close', () => { resolve(); });
    socket.resume();
    await closed;
    clearInterval(drip);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds >= 2.5 && seconds < 5, `${seconds}`);
  });

  it(`of ${GENERATED} generated ones causes no 5xx, no crash and no memory growth`, async () => {
    const seed = 20_260_101;
    const batch = [...generatedRequests(seed, 1_000, world.url)];
    await send(batch.slice(0, 500));
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < GENERATED; sent += batch.length) {
      const requests = [...generatedRequests(seed + sent, Math.min(1_000, GENERATED - sent), world.url)];
      for (const status of await send(requests)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses.keys()].filter((status) => status >= 500), []);
    assert.ok(statuses.size >= 5, [...statuses].join(' '));
    world.service.faults.clear();
    (world.log as string[]).length = 0;
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 32 * 1024 * 1024, `${grown}`);
    assert.equal((await reader.ask('/healthz')).status, 200);
  });

  /** Raw bytes on sockets of their own, 20 side by side. @returns the status of each answer, 0 where none came */
  async function send(requests: readonly string[]): Promise<number[]> {
    const statuses: number[] = [];
    const queue = [...requests];
    await Promise.all(Array.from({ length: 20 }, async () => {
      for (let bytes = queue.pop(); bytes !== undefined; bytes = queue.pop()) statuses.push(await exchange(bytes));
    }));
    return statuses;
  }

  async function exchange(bytes: string): Promise<number> {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => { answer += chunk; }).on('error', () => undefined);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => { resolve(); });
    socket.end(Buffer.from(bytes, 'latin1'));
    await closed;
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  }
});
