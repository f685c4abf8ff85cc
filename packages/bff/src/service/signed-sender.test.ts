import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceRequest, ServiceResponse } from './http-transport.ts';
import { ServiceClock } from './service-clock.ts';
import { SignedSender } from './signed-sender.ts';

const HOUR_MS = 3_600_000;
const NONCE_VALIDITY_MS = 300_000;

const request = { method: 'POST', path: '/api', params: [['a', 'b']], accessToken: 'token' } as const;
const refusal = { code: 5, response: 'nonce' };

interface FakeService {
  /** How far the clock that checks nonces is ahead. */
  clockMs: number;
  /** How far the `Date` header is ahead; `undefined` for a response without one. */
  dateMs: number | undefined;
  /** Refuses every request after its nonce was accepted. */
  refuse?: { status: number; body: unknown };
  /** Status and body of a refused nonce. */
  nonceRefusal: { status: number; body: unknown };
}

/** A sender to a service that checks the age of each nonce. */
function senderTo(options: Partial<FakeService> = {}) {
  const service: FakeService = { clockMs: 0, dateMs: 0, nonceRefusal: { status: 401, body: refusal }, ...options };
  const requests: ServiceRequest[] = [];
  const corrections: number[] = [];
  const clock = new ServiceClock((correctionMs) => { corrections.push(correctionMs); });
  const send = (received: ServiceRequest): Promise<ServiceResponse> => {
    requests.push(received);
    const now = Date.now();
    const seconds = Number(/nonce="([\d.]+):/.exec(received.headers['authorization'] ?? '')?.[1]);
    const isFresh = Math.abs(now + service.clockMs - seconds * 1000) <= NONCE_VALIDITY_MS;
    const { status, body } = isFresh ? service.refuse ?? { status: 200, body: { code: 0 } } : service.nonceRefusal;
    const headers = service.dateMs === undefined ? {} : { date: new Date(now + service.dateMs).toUTCString() };
    return Promise.resolve({ status, headers, body: Buffer.from(JSON.stringify(body)), sentAt: now, receivedAt: now });
  };
  const sender = new SignedSender({
    baseUrl: new URL('https://service.example/base'), transport: { send }, credentials: { publicKey: 'public', secretKey: 'secret' }, clock,
  });
  return { service, sender, requests, corrections, post: () => sender.prepare(request)(new AbortController().signal) };
}

describe('SignedSender', () => {
  it('signs each attempt again, with a form body', async () => {
    const { sender, requests } = senderTo();
    const send = sender.prepare(request);
    await send(new AbortController().signal);
    await send(new AbortController().signal);
    assert.deepEqual(
      requests.map(({ path, body, headers: { authorization: _, ...headers } }) => [path, body, headers]),
      Array(2).fill(['/base/api', 'a=b', { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }]),
    );
    assert.notEqual(requests[0]?.headers['authorization'], requests[1]?.headers['authorization']);
  });

  it('sends the parameters of a GET in the query, without a body', async () => {
    const { sender, requests } = senderTo();
    await sender.prepare({ ...request, method: 'GET', params: [['b', 'ä'], ['a', '1']] })(new AbortController().signal);
    assert.deepEqual(requests.map(({ path, body, headers }) => [path, body, 'content-type' in headers]), [['/base/api?a=1&b=%C3%A4', undefined, false]]);
  });

  it('sends a HEAD without a body, and a GET without parameters without a question mark', async () => {
    const { sender, requests } = senderTo();
    await sender.prepare({ ...request, method: 'HEAD' })(new AbortController().signal);
    await sender.prepare({ ...request, method: 'GET', params: [] })(new AbortController().signal);
    assert.deepEqual(requests.map(({ method, path, body }) => [method, path, body]), [['HEAD', '/base/api?a=b', undefined], ['GET', '/base/api', undefined]]);
  });

  it('keeps the query of the path as it is without parameters, and adds the parameters of a GET', async () => {
    const { sender, requests } = senderTo();
    const path = '/api?x=1&b=%c3%a4';
    const { signal } = new AbortController();
    for (const method of ['GET', 'POST']) await sender.prepare({ ...request, method, path, params: [] })(signal);
    await sender.prepare({ ...request, method: 'GET', path, params: [['c', '&'], ['a', '1']] })(signal);
    assert.deepEqual(requests.map((one) => one.path), [`/base${path}`, `/base${path}`, '/base/api?a=1&b=%C3%A4&c=%26&x=1']);
  });

  it('sends to no other host', () => {
    const { sender } = senderTo();
    const refused = { name: 'TypeError', message: 'A signed request goes to the service only.' };
    for (const path of ['@evil.example/', '.evil.example/', '1/', 'api', '']) assert.throws(() => sender.prepare({ ...request, path }), refused, path);
  });
});

describe('the clock of SignedSender', () => {
  it('a wrong Date header does not break signatures that work', async () => {
    for (const dateMs of [HOUR_MS, -HOUR_MS]) {
      const { post, requests, corrections } = senderTo({ dateMs });
      for (let i = 0; i < 5; i += 1) assert.equal((await post()).status, 200);
      assert.deepEqual([requests.length, corrections], [5, []]);
    }
  });

  it('repeats a request whose nonce was refused, once, with the service\'s time, and keeps the correction', async () => {
    for (const clockMs of [HOUR_MS, -HOUR_MS]) {
      const { post, requests, corrections } = senderTo({ clockMs, dateMs: clockMs });
      assert.equal((await post()).status, 200);
      assert.equal((await post()).status, 200);
      assert.equal(requests.length, 3);
      assert.ok(Math.abs((corrections[0] ?? 0) - clockMs) <= 1_000 && corrections.length === 1);
    }
  });

  it('does so for each status of a refusal, and for no other', async () => {
    for (const [status, attempts] of [[400, 2], [401, 2], [403, 2], [404, 1], [429, 1], [500, 1], [502, 1], [503, 1]] as const) {
      const { post, requests } = senderTo({ clockMs: HOUR_MS, dateMs: HOUR_MS, nonceRefusal: { status, body: refusal } });
      const { status: last, isClockDisputed } = await post();
      assert.deepEqual([requests.length, last, isClockDisputed], [attempts, attempts === 2 ? 200 : status, undefined]);
    }
  });

  it('follows a clock that is set back', async () => {
    const { service, post, requests } = senderTo({ clockMs: HOUR_MS, dateMs: HOUR_MS });
    await post();
    Object.assign(service, { clockMs: 0, dateMs: 0 });
    assert.equal((await post()).status, 200);
    assert.equal((await post()).status, 200);
    assert.equal(requests.length, 2 + 2 + 1);
  });

  it('drops a correction that no longer works, even if the Date header still agrees with it', async () => {
    const { service, post } = senderTo({ clockMs: HOUR_MS, dateMs: HOUR_MS });
    await post();
    service.clockMs = 0;
    assert.equal((await post()).status, 200);
  });

  it('keeps the uncorrected clock if the correction does not work either', async () => {
    const { service, post, requests, corrections } = senderTo({ dateMs: HOUR_MS, refuse: { status: 401, body: {} } });
    const { status, isClockDisputed } = await post();
    assert.deepEqual([status, isClockDisputed, requests.length, corrections], [401, true, 2, []]);
    delete service.refuse;
    assert.equal((await post()).status, 200);
    assert.equal(requests.length, 3);
  });

  it('does not dispute a 401 while the clocks agree, or without a Date header', async () => {
    for (const dateMs of [0, undefined]) {
      const { post, requests } = senderTo({ dateMs, refuse: { status: 401, body: {} } });
      assert.deepEqual([(await post()).isClockDisputed, requests.length], [undefined, 1]);
    }
  });

  it('does not repeat a request whose access token was refused by name', async () => {
    const { post, requests } = senderTo({ dateMs: HOUR_MS, refuse: { status: 401, body: { code: 18, response: 'expired' } } });
    assert.equal((await post()).isClockDisputed, undefined);
    assert.equal(requests.length, 1);
  });

  it('reports the actual reason behind a refused nonce, and behind a wrong Date header', async () => {
    const forbidden = { status: 403, body: { code: 12, response: 'no' } };
    const behindNonce = senderTo({ clockMs: HOUR_MS, dateMs: HOUR_MS, refuse: forbidden });
    assert.equal((await behindNonce.post()).status, 403);
    const wrongDate = senderTo({ dateMs: HOUR_MS, refuse: forbidden });
    assert.equal((await wrongDate.post()).status, 403);
  });

  it('ignores a Date header that is more than a day off', async () => {
    const { post, requests } = senderTo({ clockMs: 25 * HOUR_MS, dateMs: 25 * HOUR_MS });
    assert.equal((await post()).status, 401);
    assert.equal(requests.length, 1);
  });
});
