/** Requests that try to break a parser, a log line, a header or the process. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import type { Test } from 'supertest';
import type { Bff, BffSettings } from '../lib/bff.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { startSignedIn } from './_signed-in.ts';

const unfit = ['\r\n', '\0', '\u2028', '\u2029', '\u0085', '\u202e', '\u2066', '\u200f', '\ufeff', '\u001b[31m'];

const settings: BffSettings = {
  rateLimits: 'off',
  requestTimeoutMs: 1_000,
  serverOptions: { requestTimeout: 1_000, connectionsCheckingInterval: 100 },
  validation: {
    fields: [
      { name: 'age', type: 'number', label: 'Your age' },
      // Matches in exponential time in a backtracking engine.
      { name: 'name', type: 'text', label: 'Your name', pattern: String.raw`([A-Za-z]+[ '\-]?)+` },
    ],
  },
};

describe('a hostile request', () => {
  const world = suiteResource(() => startSignedIn(settings));

  /** A body as it is. */
  function send(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Test {
    return world().reader.post(path).set({ 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...headers })
      .serialize((data: unknown) => data as string).send(body as string);
  }

  const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) => send('/posts', body, headers);

  it('with a malformed URL or Range causes no 5xx', async () => {
    const { reader } = world();
    for (const path of [
      '/%', '/%zz', '/%c0%ae%c0%ae', '/sync/return?%', '/sync/return?a=%zz&code=%', '/sync/authorize?return_to=%00', '/sync/authorize?return_to=https://[',
      '/..%2f..%2fetc%2fpasswd', '/assets/..%2f..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/package.json', '/widget.js/%00', `/${'a/'.repeat(2000)}`,
    ]) {
      const { status } = await reader.get(path);
      assert.ok(status < 500, `${path.slice(0, 30)} ${status}`);
    }
    for (const range of ['bytes=5-2', 'bytes=-0', 'bytes=99999999-', 'bytes=a-b', 'bytes=']) {
      expectStatus(await reader.get('/widget.js').set('Range', range), 200);
    }
  });

  it('with two Host lines is refused (RFC 9112, 3.2)', async () => {
    const { hostname, port } = new URL(world().bff.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.end(`GET /vestibule/session HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n`);
    assert.match((await socket.toArray()).join(''), /^HTTP\/1\.1 400 [^]*"urn:vestibule:invalid-request"/);
  });

  it('without the cookie of a session is refused before its body arrives', async () => {
    const { bff } = world();
    for (const [method, path] of [['POST', '/posts'], ['PATCH', '/posts/1'], ['PUT', '/posts/1/like']] as const) {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': '100000', Origin: bff.origin };
      const request = httpRequest(bff.url + path, { method, headers }).on('error', () => undefined);
      request.flushHeaders();
      const [response] = await once(request, 'response') as [IncomingMessage];
      assert.equal(response.statusCode, 401, path);
      request.destroy();
    }
  });

  it('with deeply nested JSON is refused', async () => {
    for (const depth of [33, 1_000, 16_000]) {
      const nested = '['.repeat(depth) + ']'.repeat(depth);
      for (const body of ['['.repeat(depth), nested, `{"forum":"news","message":${nested}}`]) expectProblem(await post(body), 'invalid-request');
      expectStatus(await send('/sync/validation', `{"sync":"x","username":"x","answers":{"age":${nested}}}`), 409);
    }
  });

  it('with members of Object.prototype is refused', async () => {
    for (const body of [
      '{"__proto__":{"forum":"news","message":"x"}}', '{"forum":"news","message":"x","__proto__":{}}', '{"forum":"news","message":"x","constructor":{}}',
      '{"forum":"news","message":{"toString":"x"}}', '{"forum":["news"],"message":"x"}',
    ]) expectProblem(await post(body), 'invalid-request');
    for (const forum of ['__proto__', 'constructor']) expectProblem(await post(JSON.stringify({ forum, message: 'x' })), 'forum-not-allowed');
    const { bff } = world();
    const browser = bff.browser();
    const shown = await browser.begin();
    for (const answers of ['{"__proto__":{"age":30}}', '{"constructor":1}', '{"age":30,"toString":1}']) {
      const res = await browser.post('/sync/validation', JSON.stringify({ ...shown, answers: 0 }).replace('"answers":0', `"answers":${answers}`));
      assert.ok([400, 422].includes(res.status), answers);
    }
  });

  it('with a body that is too large, not UTF-8, compressed, or in another charset is refused', async () => {
    expectProblem(await post(`{"forum":"news","message":"${'x'.repeat(400_000)}"}`), 'payload-too-large');
    expectProblem(await post(Buffer.from('{"forum":"news","message":"\xe9"}', 'latin1')), 'invalid-request');
    expectProblem(await post('{"forum":"news","message":"\\ud800"}'), 'invalid-request');
    expectProblem(await post('{}', { 'Content-Encoding': 'gzip' }), 'unsupported-media-type');
    expectProblem(await post('{}', { 'Content-Type': 'application/json; charset=utf-16' }), 'unsupported-media-type');
  });

  it('with control and bidi characters reaches the service unchanged, and no header, log line or problem', async () => {
    const { bff, reader } = world();
    const logged = bff.log.length;
    for (const piece of unfit) {
      const text = `canary${piece}yranac`;
      expectStatus(await reader.createPost(text), 201);
      assert.equal(bff.service.posts.at(-1)?.message, text);
      const res = await reader.createPost(text, { forum: text });
      expectProblem(res, 'forum-not-allowed');
      assert.ok(!res.text.includes('canary'));
      await reader.get(`/sync/return?error=${encodeURIComponent(text)}`);
      await reader.get(`/${encodeURIComponent(text)}`);
    }
    const lines = bff.log.slice(logged).map((line) => JSON.stringify(line));
    assert.ok(lines.length > 0);
    assert.deepEqual(lines.filter((line) => line.includes('canary') || unfit.some((piece) => line.includes(piece))), []);
  });

  it('with a long hostile header causes no 5xx', async () => {
    const long = 8_000;
    for (const headers of [
      { 'Idempotency-Key': '"'.repeat(long) }, { 'Idempotency-Key': `"${'\\'.repeat(long)}` }, { Accept: `${'a/b;q=0.1,'.repeat(700)}*/*` },
      { 'Accept-Language': 'a-'.repeat(long / 2) }, { Cookie: 'vestibule=; '.repeat(600) }, { Cookie: `vestibule=s%3A${'%'.repeat(long)}` },
      { 'X-Request-Id': 'x'.repeat(long) }, { 'Content-Type': `application/json;${' '.repeat(long)}x` }, { Origin: `https://${'a.'.repeat(long / 2)}` },
      { 'If-None-Match': '"'.repeat(long) }, { 'Accept-Encoding': 'br,'.repeat(2_000) },
    ]) {
      const { status } = await post('{"forum":"news","message":"x"}', headers as unknown as Record<string, string>);
      assert.ok(status < 500, `${Object.keys(headers)[0]} ${status}`);
    }
  });

  it('with an answer that a pattern of the publisher would backtrack over without end is refused', async () => {
    const { bff } = world();
    const browser = bff.browser();
    await browser.begin();
    expectProblem(await browser.validate({ name: `${'a'.repeat(60)}!` }), 'invalid-answers');
    expectStatus(await browser.validate({ name: 'Anna-Maria de la Cruz' }), 200);
  });

  it('that is too slow is ended', async () => {
    const socket = await open(world().bff);
    socket.write('POST /vestibule/posts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write(' '), 100);
    // A byte that is written after the end may cause an error, which `once` of node:events would take for its own.
    await new Promise((resolve) => { socket.on('error', () => undefined).resume().once('close', resolve); });
    clearInterval(drip);
  });
});

async function open({ url }: Bff) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}
