/** Responses of a hostile or broken service. */

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { collectGarbage } from './_collect-garbage.ts';
import type { Fault } from '../service/index.ts';
import { problemOf, startWorld, type Browser, type World } from './_world.ts';

const LIMIT_MS = 1_500;
const elsewhere = { requests: 0, url: '' };

interface Row {
  readonly name: string;
  readonly fault: (world: World) => Fault;
  /** Problems that are right for a token exchange and for a post. */
  readonly token: readonly string[];
  readonly posts: readonly string[];
}

const bad = ['bad-service-response'];
const unknown = ['outcome-unknown'];
const refused = ['service-refused'];
const unavailable = ['service-unavailable'];
const http = (head: string, body = '') => `HTTP/1.1 ${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
const json = (body: string, status = '200 OK') => http(`${status}\r\nContent-Type: application/json`, body);
const raw = (bytes: string | Buffer): Row['fault'] => () => ({ kind: 'raw', bytes });
const row = (name: string, fault: Row['fault'], token: readonly string[], posts: readonly string[] = token): Row => ({ name, fault, token, posts });
const dateInAnHour = () => ({ Date: new Date(Date.now() + 3_600_000).toUTCString() });
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const rows: readonly Row[] = [
  ...([301, 302, 303, 307, 308] as const).map((status) => (
    row(`a redirect ${status} to another host`, () => ({ kind: 'redirect', status, location: elsewhere.url }), bad))),
  row('a redirect to itself', (world) => ({ kind: 'redirect', status: 307, location: `${world.service.url}/api/3.0/posts/create.json` }), bad),
  row('a redirect to a scheme-relative address', () => ({ kind: 'redirect', status: 308, location: `//${new URL(elsewhere.url).host}/` }), bad),
  row('a redirect without a location', raw(http('307 Temporary Redirect')), bad),
  row('a status 300', raw(http('300 Multiple Choices')), bad),
  row('a status 304', raw('HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n'), bad),
  row('a compressed bomb', () => ({ kind: 'gzip-bomb', bytes: 200 * 1024 * 1024 }), unknown),
  row('a small compressed answer', raw(Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'), gzipSync('{"access_token":"a","user_id":"1"}'),
  ])), unknown),
  row('1.5 MiB of JSON', () => ({ kind: 'oversized', bytes: 1.5 * 1024 * 1024 }), unknown),
  row('40 MiB of JSON', () => ({ kind: 'oversized', bytes: 40 * 1024 * 1024 }), unknown),
  row('a body without an end', raw(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`), unknown),
  row('a drip of one byte at a time', () => ({ kind: 'drip', bytes: 1, everyMs: 100 }), unknown),
  row('silence', () => ({ kind: 'hang' }), unknown),
  row('silence after the head', () => ({ kind: 'stall', bytes: 0 }), unknown),
  row('silence within the body', () => ({ kind: 'stall', bytes: 10 }), unknown),
  row('a reset', () => ({ kind: 'reset' }), unknown),
  row('a truncated body', () => ({ kind: 'truncate', bytes: 10 }), unknown),
  row('a length that promises more than comes', raw(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{}`), unknown),
  row('no HTTP at all', raw('SSH-2.0-OpenSSH_9.2\r\n'), unknown),
  row('HTTP/0.9', raw('<html>hello'), unknown),
  row('a status that is no number', raw('HTTP/1.1 abc OK\r\n\r\n'), unknown),
  row('two contradicting lengths', raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'), unknown),
  row('a length and chunks', raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), unknown),
  row('a header of 64 KiB', raw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\nContent-Length: 2\r\n\r\n{}`), unknown),
  row('10,000 headers', raw(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}Content-Length: 2\r\n\r\n{}`), unknown),
  row('a page with a script', () => ({ kind: 'html' }), unknown),
  row('a picture', raw(http('200 OK\r\nContent-Type: image/png', '\x89PNG')), unknown),
  row('broken JSON', raw(json('{"access_token":')), unknown),
  row('JSON with something behind it', raw(json('{"a":1}{"b":2}')), unknown),
  row('JSON in another encoding', raw(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n'), Buffer.from('{"ä":"ü"}', 'latin1')])), unknown),
  row('JSON 100 levels deep', raw(json(deep(100))), unknown),
  row('JSON 500,000 levels deep', raw(json(deep(500_000))), unknown),
  row('objects 50,000 levels deep', raw(json(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)), unknown),
  row('a bad gateway', raw(http('502 Bad Gateway\r\nContent-Type: text/html', '<h1>502</h1>')), unknown),
  row('an internal error', raw(http('500 Internal Server Error')), unknown),
  row('a gateway timeout', raw(http('504 Gateway Timeout')), unknown),
  row('a 503 without Retry-After', raw(http('503 Service Unavailable')), unknown),
  row('a 503 with Retry-After', raw(http('503 Service Unavailable\r\nRetry-After: 7')), unavailable),
  row('a 429 with a Retry-After of aeons', raw(http('429 Too Many Requests\r\nRetry-After: 99999999999999999999')), unavailable),
  row('a Retry-After that is a script', raw(http('503 Service Unavailable\r\nRetry-After: <script>alert(1)</script>')), unknown),
  row('a refusal with markup', raw(json('{"code":2,"response":"<img src=x onerror=alert(1)>","error":"<img src=x onerror=alert(1)>"}', '400 Bad Request')), refused),
  row('a refusal with line breaks and bidi marks', raw(json('{"code":2,"response":"a\\r\\nSet-Cookie: b\\u202ec\\u0000","error":"a\\r\\nb\\u202e"}', '403 Forbidden')), refused),
  row('a refusal of 800 kB', raw(json(JSON.stringify({ code: 2, response: 'x'.repeat(400_000), error: 'x'.repeat(400_000) }), '400 Bad Request')), refused),
  row('a refusal that is no text', raw(json('{"code":2,"response":{"a":[1]},"error":{"a":1}}', '400 Bad Request')), refused),
  row('a refusal with status 200', raw(json('{"code":2,"response":"no","error":"invalid_grant"}')), refused),
  row('an array', raw(json('[]')), bad, []),
  row('a number', raw(json('1')), bad, []),
  row('null', raw(json('null')), bad, []),
  row('an empty body', raw(http('200 OK')), unknown),
  row('a token that is a number', raw(json('{"access_token":1,"user_id":"1"}')), bad, []),
  row('a token that breaks a header', raw(json('{"access_token":"a\\"\\r\\nX: y","user_id":"1"}')), bad, []),
  row('a token without a user', raw(json('{"access_token":"a"}')), bad, []),
  row('a user without a token', raw(json('{"user_id":"1"}')), bad, []),
  row('a user that is an object', raw(json('{"access_token":"a","user_id":{"toString":1}}')), bad, []),
  row('another user', raw(json('{"access_token":"a","user_id":"1"}')), ['user-mismatch'], []),
  row('a poisoned prototype', raw(json('{"__proto__":{"access_token":"a","user_id":"1"}}')), bad, []),
];

describe('a hostile service', () => {
  let world: World;
  let reader: Browser;
  const stranger = createServer((socket) => {
    elsewhere.requests += 1;
    socket.destroy();
  });

  before(async () => {
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    elsewhere.url = `http://127.0.0.1:${(stranger.address() as { port: number }).port}/`;
    world = await startWorld({ serviceTimeoutMs: LIMIT_MS, serviceConnectTimeoutMs: LIMIT_MS, serviceBreakerFailures: 1_000 });
    reader = world.browser();
    await reader.signIn();
  });
  after(async () => {
    stranger.close();
    await world[Symbol.asyncDispose]();
  });

  it('has at least 40 responses in this table', () => {
    assert.ok(rows.length >= 40);
  });

  for (const { name, fault, token, posts } of rows) {
    if (token.length > 0) {
      it(`that responds to a token exchange with ${name}: ${token.join(' or ')}`, async () => {
        // `Retry-After` holds for the client address.
        await using own = token === unavailable ? await startWorld() : undefined;
        const { service } = own ?? world;
        service.faults.next('token', fault(own ?? world));
        const browser = (own ?? world).browser();
        await browser.start();
        await endsIn(() => browser.validate(), token);
        assert.notEqual(await browser.state(), 'signed-in');
      });
    }
    if (posts.length > 0) {
      it(`that responds to a post with ${name}: ${posts.join(' or ')}`, async () => {
        // `Retry-After` holds for the reader.
        const poster = posts === unavailable ? await signedIn({ user_id: name, username: name }) : reader;
        world.service.faults.next('posts', fault(world));
        await endsIn(() => poster.post(), posts);
        assert.equal(await poster.state(), 'signed-in');
      });
    }
  }

  for (const contentType of ['text/html', 'nonsense']) {
    it(`that calls its JSON ${contentType} is understood`, async () => {
      world.service.faults.next('token', { kind: 'content-type', contentType });
      const browser = await signedIn();
      assert.equal(await browser.state(), 'signed-in');
      world.service.faults.next('posts', { kind: 'content-type', contentType });
      assert.equal((await browser.post()).status, 201);
    });
  }

  it('security review 12: that echoes keys, codes and tokens delivers none of them to a reader or to the log', async () => {
    await using own = await startWorld();
    const browser = own.browser();
    await browser.signIn();
    await browser.post();
    const { headers } = own.service.requests.findLast(({ endpoint }) => endpoint === 'posts') ?? {};
    const accessToken = /access_token="([^"]+)"/.exec(String(headers?.['authorization']))?.[1] ?? assert.fail('no token');
    const syncReturn = browser.issueReturn();
    const code = syncReturn['code'] as string;
    const echoesOf = (secret: string) => [
      secret, secret.toUpperCase(), [...secret].map((character) => `&#${character.charCodeAt(0)};`).join(''),
      [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''), Buffer.from(secret).toString('base64'),
    ];
    const texts: string[] = [];
    for (const echo of [own.service.secretKey, accessToken].flatMap(echoesOf)) {
      own.service.faults.next('posts', { kind: 'status', status: 400, body: { code: 2, response: `Sent: ${echo}` } });
      texts.push((await browser.post()).text);
      own.service.faults.next('posts', { kind: 'status', status: 200, body: { code: 0, response: { id: 1, sent: `Sent: ${echo}` } } });
      texts.push((await browser.post()).text);
    }
    await browser.start(syncReturn);
    const description = `Sent: ${[own.service.secretKey, code].flatMap(echoesOf).join(' ')}`;
    own.service.faults.next('token', { kind: 'status', status: 400, body: { error: 'invalid_grant', error_description: description } });
    texts.push((await browser.validate()).text);
    const delivered = (texts.join('\n') + own.log.join('\n')).toLowerCase();
    for (const echo of [own.service.secretKey, accessToken, code].flatMap(echoesOf)) {
      assert.ok(!delivered.includes(echo.toLowerCase()), echo);
    }
    assert.equal(texts.filter((text) => text.includes('Sent: [redacted]')).length, texts.length);
  });

  it('security review 11: that responds to one reader with failures alone does not affect the others', async () => {
    await using own = await startWorld({ serviceBreakerFailures: 3 });
    const [hostile, honest] = [own.browser(), own.browser()];
    await hostile.signIn({ user_id: '1', username: 'hostile' });
    await honest.signIn({ user_id: '2', username: 'honest' });
    for (let i = 0; i < 10; i += 1) {
      own.service.faults.next('posts', { kind: 'status', status: 503 });
      assert.equal(problemOf(await hostile.post()), 'outcome-unknown');
    }
    assert.equal((await honest.post()).status, 201);
  });

  it('security review 12: with a Date header an hour ahead of its clock breaks no signature', async () => {
    await using own = await startWorld();
    const browser = own.browser();
    await browser.signIn();
    for (let i = 0; i < 3; i += 1) {
      own.service.faults.next('posts', { kind: 'status', status: 200, headers: dateInAnHour(), body: {} });
      assert.equal((await browser.post()).status, 201);
    }
    assert.equal((await browser.post()).status, 201);
    assert.equal(own.service.requests.filter(({ endpoint }) => endpoint === 'posts').length, 4);
  });

  it('security review 12: a bare 401 ends no session while the Date header is an hour ahead of the clock', async () => {
    await using own = await startWorld();
    const browser = own.browser();
    await browser.signIn();
    for (let i = 0; i < 2; i += 1) own.service.faults.next('posts', { kind: 'status', status: 401, headers: dateInAnHour() });
    assert.equal(problemOf(await browser.post()), 'service-refused');
    assert.equal(await browser.state(), 'signed-in');
    assert.equal((await browser.post()).status, 201);
  });

  it('that writes an unsolicited response on a kept connection: it is not taken for the next one', async () => {
    const planted = JSON.stringify({ code: 0, response: { id: 'planted' } });
    world.service.faults.next('posts', { kind: 'poisoned', bytes: json(planted).replace('Connection: close\r\n', '') });
    assert.equal((await reader.post('one')).status, 201);
    const next = await reader.post('two');
    assert.notEqual(next.json.post?.id, 'planted');
  });

  it('receives no request for another host, and never the secret key in a signed request', () => {
    assert.equal(elsewhere.requests, 0);
    for (const { endpoint, headers, body } of world.service.requests) {
      const sent = JSON.stringify(headers) + (endpoint === 'token' ? '' : body.toString('latin1'));
      assert.ok(!sent.includes(world.service.secretKey), `${endpoint}`);
    }
  });

  it('does not increase memory by more than 32 MB', async () => {
    const held = () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    for (let round = 0; round < 5; round += 1) {
      world.service.faults.next('posts', { kind: 'gzip-bomb', bytes: 200 * 1024 * 1024 });
      await reader.post();
      world.service.faults.next('posts', { kind: 'oversized', bytes: 8 * 1024 * 1024 });
      await reader.post();
    }
    assert.ok(held() - before < 32 * 1024 * 1024);
  });

  async function signedIn(user?: Parameters<Browser['signIn']>[0]): Promise<Browser> {
    const browser = world.browser();
    await browser.signIn(user);
    return browser;
  }

  async function endsIn(act: () => ReturnType<Browser['post']>, expected: readonly string[]): Promise<void> {
    const startedAt = performance.now();
    const answer = await act();
    assert.ok(expected.includes(problemOf(answer) ?? ''), `${answer.status} ${answer.text.slice(0, 200)}`);
    assert.ok(performance.now() - startedAt < LIMIT_MS + 3_000);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(answer.json.detail as string, /[\p{Cc}\u202e\u2028]/u);
    assert.ok(answer.text.length < 2_000);
  }
});
