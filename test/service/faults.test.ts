import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { createPost, exchange, obtainToken, postForm, request, signPost, startService } from './_client.ts';
import type { EmulatedService } from './emulated-service.ts';
import { Faults, type Fault } from './faults.ts';
import { paths } from './paths.ts';

/** Sends a good post and gives up as soon as the service has received it. */
async function postAndGiveUp(service: EmulatedService, accessToken: string): Promise<void> {
  const { body, headers } = signPost(service, { accessToken });
  const received = service.whenReceived('posts');
  const abort = new AbortController();
  const answer = postFormUntil(service.url + paths.posts, body, headers, abort.signal);
  await received;
  abort.abort();
  await assert.rejects(answer, { name: 'AbortError' });
}

function postFormUntil(url: string, body: string, headers: Record<string, string>, signal: AbortSignal) {
  return request(url, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body, signal });
}

async function rawAnswer(service: EmulatedService, path: string): Promise<string> {
  const { port, host } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('Faults', () => {
  it('uses queued faults, then the standing fault, then none', async () => {
    const faults = new Faults();
    faults.always('posts', { kind: 'hang' });
    faults.next('posts', { kind: 'reset' });
    faults.next('posts', { kind: 'html' });
    assert.deepEqual([1, 2, 3, 4].map(() => faults.take('posts')?.kind), ['reset', 'html', 'hang', 'hang']);
    assert.equal(faults.take('token'), undefined);
    faults.always('posts', undefined);
    assert.equal(faults.take('posts'), undefined);
    faults.next('token', { kind: 'hang' });
    faults.clear();
    assert.equal(faults.take('token'), undefined);
  });

  it('draws a mix by its probabilities, the same from the same seed', () => {
    const draw = (seed: number) => {
      const faults = new Faults();
      faults.mix('posts', [{ probability: 0.1, fault: { kind: 'hang' } }, { probability: 0.3, fault: { kind: 'reset' } }], seed);
      return Array.from({ length: 10_000 }, () => faults.take('posts')?.kind ?? 'honest');
    };
    const drawn = Map.groupBy(draw(7), (kind) => kind);
    assert.ok(Math.abs((drawn.get('hang')?.length ?? 0) - 1000) < 150);
    assert.ok(Math.abs((drawn.get('reset')?.length ?? 0) - 3000) < 250);
    assert.deepEqual(draw(7), draw(7));
    assert.notDeepEqual(draw(7), draw(8));
  });
});

describe('a fault', () => {
  it('hangs without or with the post being made', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.faults.next('posts', { kind: 'hang' });
    await postAndGiveUp(service, accessToken);
    assert.equal(service.posts.length, 0);
    service.faults.next('posts', { kind: 'hang-after-commit' });
    await postAndGiveUp(service, accessToken);
    assert.equal(service.posts.length, 1);
  });

  it('resets without or with the post being made', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.faults.next('posts', { kind: 'reset' });
    await assert.rejects(createPost(service, { accessToken }), TypeError);
    assert.equal(service.posts.length, 0);
    service.faults.next('posts', { kind: 'reset-after-commit' });
    await assert.rejects(createPost(service, { accessToken }), TypeError);
    assert.equal(service.posts.length, 1);
  });

  it('commits late, when the client is long gone', async () => {
    await using service = await startService();
    service.faults.next('posts', { kind: 'commit-late', delayMs: 30 });
    await postAndGiveUp(service, await obtainToken(service));
    assert.equal(service.posts.length, 0);
    await service.whenSettled();
    assert.equal(service.posts.length, 1);
  });

  it('delays an honest answer', async () => {
    await using service = await startService();
    service.faults.next('token', { kind: 'delay', delayMs: 30 });
    const startedAt = performance.now();
    assert.equal((await exchange(service)).status, 200);
    assert.ok(performance.now() - startedAt >= 29);
  });

  it('holds an honest answer back', async () => {
    await using service = await startService();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.faults.next('token', { kind: 'held', until: promise });
    let isOver = false;
    const exchanged = exchange(service).finally(() => { isOver = true; });
    await service.whenReceived('token');
    assert.equal((await fetch(service.url)).status, 404);
    assert.equal(isOver, false);
    resolve();
    assert.equal((await exchanged).status, 200);
  });

  it('responds with another status, headers and body, and commits only if configured', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    for (const commits of [false, true]) {
      service.faults.next('posts', { kind: 'status', status: 502, headers: { 'Retry-After': '7' }, body: { code: 15 }, commits });
      const answer = await createPost(service, { accessToken });
      assert.deepEqual([answer.status, answer.headers.get('Retry-After'), answer.json], [502, '7', { code: 15 }]);
      assert.equal(service.posts.length, commits ? 1 : 0);
    }
  });

  it('writes bytes on the socket as they are', async () => {
    await using service = await startService();
    service.faults.next('complete', { kind: 'raw', bytes: 'HTTP/1.1 200 \0\r\n' });
    assert.equal(await rawAnswer(service, paths.complete), 'HTTP/1.1 200 \0\r\n');
  });

  it('drips the honest answer', async () => {
    await using service = await startService();
    service.faults.next('complete', { kind: 'drip', bytes: 100, everyMs: 1 });
    const answer = await rawAnswer(service, paths.complete);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\nDate: [^]*client_id is missing[^]*<\/html>\n$/);
  });

  it('truncates the honest answer, and stalls in it', async () => {
    await using service = await startService();
    service.faults.next('complete', { kind: 'truncate', bytes: 10 });
    assert.match(await rawAnswer(service, paths.complete), /Content-Length: \d{3,}\r\nConnection: close\r\n\r\n<!doctype $/);

    service.faults.next('token', { kind: 'stall', bytes: 5 });
    const controller = new AbortController();
    const response = await fetch(service.url + paths.token, { method: 'POST', signal: controller.signal });
    assert.equal(response.status, 400);
    setTimeout(() => { controller.abort(); }, 100);
    await assert.rejects(response.text(), { name: 'AbortError' });
  });

  it('redirects', async () => {
    await using service = await startService();
    service.faults.next('token', { kind: 'redirect', location: 'http://evil.example/' });
    const answer = await exchange(service);
    assert.deepEqual([answer.status, answer.headers.get('Location')], [307, 'http://evil.example/']);
  });

  it('sends a bomb that is small while it is zipped, and one that is large as it is', async () => {
    await using service = await startService();
    service.faults.next('posts', { kind: 'gzip-bomb', bytes: 8 * 1024 * 1024 });
    const bomb = await request(service.url + paths.posts);
    assert.ok(Number(bomb.headers.get('Content-Length')) < 32_768);
    assert.ok(bomb.text.length > 8 * 1024 * 1024);
    assert.equal(bomb.json['code'], 0);
    service.faults.next('posts', { kind: 'oversized', bytes: 1024 * 1024 + 1 });
    assert.equal((await request(service.url + paths.posts)).text.length, 1024 * 1024 + 1);
  });

  it('sends a page, another content type, and changed JSON', async () => {
    await using service = await startService();
    service.faults.next('token', { kind: 'html' });
    assert.match((await exchange(service)).text, /<script>/);
    service.faults.next('token', { kind: 'content-type', contentType: 'text/plain' });
    const plain = await exchange(service);
    assert.deepEqual([plain.headers.get('Content-Type'), plain.json['user_id']], ['text/plain', '31007']);
    service.faults.next('token', { kind: 'rewrite', change: (body: Record<string, unknown>) => ({ ...body, user_id: 31007 }) });
    assert.equal((await exchange(service)).json['user_id'], 31007);
  });

  it('sends an unrequested response on a kept connection', async () => {
    await using service = await startService();
    service.faults.next('complete', { kind: 'poisoned' });
    const { port, host } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${paths.complete} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      answer += chunk.toString();
      if (answer.endsWith('"user_id":"0"}')) break;
    }
    assert.match(answer, /^HTTP\/1\.1 400 [^]*Connection: keep-alive[^]*<\/html>\nHTTP\/1\.1 200 OK[^]*"access_token":"unasked"/);
  });

  const kinds: Fault[] = [
    { kind: 'hang' }, { kind: 'commit-late', delayMs: 60_000 }, { kind: 'delay', delayMs: 60_000 },
    { kind: 'drip', bytes: 1, everyMs: 60_000 }, { kind: 'stall', bytes: 1 }, { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\n', keepOpen: true },
  ];
  for (const fault of kinds) {
    it(`of the kind ${fault.kind} ends with the service`, async () => {
      const service = await startService();
      service.faults.next('token', fault);
      const received = service.whenReceived('token');
      const answer = postForm(service.url + paths.token, '').catch((error: Error) => error);
      await received;
      await service[Symbol.asyncDispose]();
      assert.ok(await answer instanceof Error);
    });
  }
});
