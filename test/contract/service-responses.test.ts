/** What a response of the service means, for a post and for a token exchange (contract, section 2). */

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ProblemType } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { freePort } from '../lib/free-port.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';

interface ServiceResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. Default: none. */
  readonly body?: object | string | Buffer;
}

interface Row {
  readonly name: string;
  readonly response: ServiceResponse;
  readonly means: ProblemType;
  /** Value of `Retry-After`, in seconds. */
  readonly retryAfter?: readonly [min: number, max: number];
  /** The line at `warn` or above. */
  readonly log?: RegExp;
}

const LIMIT_BYTES = 1024 * 1024;

const JSON_TYPE = { 'Content-Type': 'application/json' };

const HTML_TYPE = { 'Content-Type': 'text/html' };

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

const tomorrow = () => inSeconds(86_400);

/** The service's own envelope. */
function envelope(status: number, code: number | string, text = 'No.', headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return { status, body: { code, response: text }, headers };
}

function named({ status, headers = {}, body }: ServiceResponse): string {
  const parts = Object.entries(headers).map(([name, value]) => (name === 'Date' ? 'with another clock' : `${name} ${value}`));
  return [status, ...parts, ...(body === undefined ? [] : [JSON.stringify(body)])].join(', ');
}

function rows(means: ProblemType, responses: readonly (ServiceResponse & Partial<Omit<Row, 'response' | 'means'>>)[]): Row[] {
  return responses.map(({ status, headers = {}, body, ...rest }) => {
    const response = { status, headers, ...(body !== undefined && { body }) };
    return { name: named(response), response, means, ...rest };
  });
}

const SIGNATURE = 'Authorization signature is not valid';

/** The log names the offset; the test may run a while after the table was made. */
const AHEAD = /"reason":"the clocks differ: this machine's is 8[56]\d{3} s behind the service's"/;

/** The tests of other files may run first. */
const resetInAnHour = { 'X-Ratelimit-Remaining': '0', 'X-Ratelimit-Reset': String(Math.floor(Date.now() / 1000) + 3_600) };

const table: readonly Row[] = [
  ...rows('outcome-unknown', [envelope(500, 15), envelope(503, 20), envelope(503, '20')]),
  ...rows('outcome-unknown', [envelope(200, 15), envelope(408, 16), envelope(503, 20, 'Saved.', { 'Retry-After': '7' })]),
  ...rows('service-unavailable', [{ ...envelope(503, 21, 'Not saved.', { 'Retry-After': '7' }), retryAfter: [7, 7] }]),
  ...rows('service-unavailable', [envelope(503, 21)]),
  ...rows('service-unavailable', [
    envelope(400, 13), envelope(400, '14'), envelope(200, 13),
    { ...envelope(400, 14, 'No.', resetInAnHour), name: '400, code 14, X-Ratelimit-Reset in an hour', retryAfter: [1, 3_600] },
  ]),
  ...rows('service-refused', [
    { ...envelope(401, 18, 'Invalid access token', { Date: tomorrow() }), log: AHEAD },
    { ...envelope(400, 18, SIGNATURE, { Date: tomorrow() }), log: AHEAD },
    { ...envelope(401, 4, 'No.', { Date: tomorrow() }), log: AHEAD },
    { status: 401, headers: { Date: tomorrow() }, log: AHEAD },
    { ...envelope(401, 18, 'Late.', { Date: inSeconds(-86_400) }), log: /"reason":"the clocks differ: this machine's is 8[67]\d{3} s ahead of the service's"/ },
  ]),
  ...rows('not-signed-in', [envelope(401, 4), envelope(401, 18), envelope(401, '18'), envelope(400, 18, 'The access token has expired.')]),
  ...rows('not-signed-in', [envelope(400, 4), envelope(400, '4'), envelope(200, 4)]),
  ...rows('not-signed-in', [{ ...envelope(401, 18, 'No.', { Date: '-1' }), name: '401, code 18 with a Date that is none' }]),
  ...rows('service-refused', [{ ...envelope(400, 18, SIGNATURE), log: /VESTIBULE_SECRET_KEY/ }]),
  ...rows('service-refused', [
    { ...envelope(403, 5), log: /VESTIBULE_PUBLIC_KEY/ }, envelope(401, 5), envelope(400, 12), envelope(200, 2), envelope(500, 2),
  ]),
  ...rows('service-refused', [
    envelope(200, '12'), envelope(503, 2), envelope(503, 2, 'No.', { 'Retry-After': '7' }), envelope(429, 2), envelope(302, 2),
    envelope(200, '0012'), envelope(408, 2), envelope(200, -1),
    {
      status: 400, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: gzipSync('{"code":12,"response":"No."}'),
      name: '400, code 12 in gzip', log: /"service_code":"12"/,
    },
  ]),
  ...rows('service-unavailable', [
    { status: 429 },
    { status: 429, headers: { 'Retry-After': '7' }, retryAfter: [7, 7] },
    { status: 503, headers: { 'Retry-After': '7' }, retryAfter: [7, 7] },
    { status: 503, headers: { 'Retry-After': tomorrow() }, retryAfter: [1, 3_600], name: '503, Retry-After in an hour' },
  ]),
  ...rows('outcome-unknown', [
    { status: 500 }, { status: 502, headers: HTML_TYPE, body: '<h1>502</h1>', name: '502 with a page' }, { status: 503 }, { status: 504 },
    ...['<script>', '-1', '1.5'].map((value) => ({ status: 503, headers: { 'Retry-After': value } })),
    { status: 200, headers: HTML_TYPE, body: '<!doctype html><title>Oops</title>', name: '200 with a page' },
    { status: 200, headers: JSON_TYPE, body: '{"id":', name: '200 with broken JSON' },
    { status: 200, headers: JSON_TYPE, body: Buffer.from('{"ä":"ü"}', 'latin1'), name: '200 in another encoding than UTF-8' },
    { status: 200, headers: JSON_TYPE, body: JSON.stringify('a'.repeat(LIMIT_BYTES)), name: '200 with over 1 MiB' },
    ...Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }).map(([encoding, compress]) => ({
      status: 200, headers: { ...JSON_TYPE, 'Content-Encoding': encoding }, body: compress(JSON.stringify('a'.repeat(LIMIT_BYTES))),
      name: `200 with over 1 MiB in ${encoding}`,
    })),
    { status: 200, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, body: '{}', name: '200 with gzip that is none' },
    { status: 200, headers: { ...JSON_TYPE, 'Content-Encoding': 'zstd' }, body: '{}', name: '200 in an unknown encoding' },
    { status: 201, headers: HTML_TYPE, body: '<p>Thank you</p>', name: '201 with a page' },
  ]),
  ...rows('outcome-unknown', [{ status: 408 }]),
  ...rows('service-refused', [
    ...[300, 301, 302, 303, 307, 308].map((status) => ({ status, headers: { Location: 'https://other.example/' } })), { status: 304 },
    { status: 401 },
  ]),
  ...rows('service-refused', [
    { status: 400 }, { status: 403 }, { status: 404 },
    { status: 415, headers: { 'Content-Type': 'text/plain' }, body: 'Invalid format', name: '415 with a text' },
  ]),
];

/** A status line of its own: the emulated service sends no body with some statuses. */
function rawResponse({ status, headers = {}, body = '' }: ServiceResponse): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const lines = Object.entries({ Date: new Date().toUTCString(), ...headers, 'Content-Length': String(bytes.length), Connection: 'close' });
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`), bytes]);
}

/** Lines of the log before the test. */
let before = 0;

/** A BFF for all tests of a suite, each with a reader of its own. */
function sharedBff(): () => Bff {
  const bff = suiteResource(() => startBff({ rateLimits: 'off' }));
  beforeEach(() => { before = bff().log.length; });
  afterEach(() => { bff().service.faults.clear(); });
  return bff;
}

function warningsOf({ log }: Bff) {
  return log.slice(before).filter(({ level }) => Number(level) >= 40);
}

function checkProblem(bff: Bff, res: Parameters<typeof expectProblem>[0], { means, retryAfter, log }: Row): void {
  const { retryable } = expectProblem(res, means);
  assert.equal(retryable, means === 'service-unavailable');
  const seconds = Number(res.headers['retry-after'] ?? Number.NaN);
  if (retryable) assert.ok(seconds >= 1);
  if (retryAfter) assert.ok(seconds >= retryAfter[0] && seconds <= retryAfter[1], res.headers['retry-after']);
  const lines = warningsOf(bff);
  assert.equal(lines.length, 1, JSON.stringify(lines));
  if (log) assert.match(JSON.stringify(lines[0]), log);
}

describe('a response of the service', () => {
  const shared = sharedBff();

  for (const row of table) {
    const endsSession = row.means === 'not-signed-in';

    it(`to a post: ${row.name}: ${row.means}, the session is ${endsSession ? 'over' : 'kept'}`, async () => {
      const bff = shared();
      const reader = bff.browser();
      await reader.signIn();
      bff.service.faults.always('posts', { kind: 'raw', bytes: rawResponse(row.response) });
      checkProblem(bff, await reader.createPost('Hello'), row);
      assert.equal(await reader.state(), endsSession ? 'anonymous' : 'signed-in');
    });

    if (endsSession) continue;
    it(`to a token exchange: ${row.name}: ${row.means}`, async () => {
      const bff = shared();
      const reader = bff.browser();
      const shown = await reader.begin();
      bff.service.faults.always('token', { kind: 'raw', bytes: rawResponse(row.response) });
      checkProblem(bff, await reader.validateShown(shown), row);
      assert.notEqual(await reader.state(), 'signed-in');
    });
  }

  it('to a post: 401 without an envelope ends a session that is older than a minute', async () => {
    await using bff = await startBff();
    const reader = bff.browser();
    await reader.signIn();
    bff.service.faults.always('posts', { kind: 'status', status: 401, headers: HTML_TYPE, body: '<p>Unauthorized</p>' });
    expectProblem(await reader.createPost('Hello'), 'service-refused');
    bff.passTime(61);
    expectProblem(await reader.createPost('Hello'), 'not-signed-in');
    const lines = bff.log.filter(({ level, problem }) => Number(level) >= 40 && problem !== undefined);
    assert.deepEqual(lines.map(({ problem }) => problem), ['service-refused', 'not-signed-in']);
    for (const { setting } of lines) assert.match(String(setting), /VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY/);
    assert.equal(await reader.state(), 'anonymous');
  });

  for (const status of [200, 400, 401]) {
    it(`to a token exchange: ${status} with an error of OAuth 2: service-refused`, async () => {
      const bff = shared();
      const reader = bff.browser();
      const shown = await reader.begin();
      bff.service.faults.next('token', { kind: 'status', status, body: { error: 'invalid_grant', error_description: 'Too late.' } });
      assert.match(expectProblem(await reader.validateShown(shown), 'service-refused').detail, /Too late\./);
    });
  }

  it('to a token exchange: 500 with a member error, as frameworks send it: outcome-unknown', async () => {
    const bff = shared();
    const reader = bff.browser();
    const shown = await reader.begin();
    bff.service.faults.next('token', { kind: 'status', status: 500, body: { status: 500, error: 'Internal Server Error' } });
    expectProblem(await reader.validateShown(shown), 'outcome-unknown');
  });

  for (const [name, bytes] of Object.entries({
    'after a 100 Continue without an Expect': afterInterim('100 Continue'),
    'with a space before a colon': 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}',
  })) {
    it(`${name}, to a post: outcome-unknown, in one line of the log`, async () => {
      const bff = shared();
      const reader = bff.browser();
      await reader.signIn();
      bff.service.faults.next('posts', { kind: 'raw', bytes });
      expectProblem(await reader.createPost('Hello'), 'outcome-unknown');
      assert.equal(warningsOf(bff).length, 1);
    });
  }

  for (const door of ['post', 'exchange'] as const) {
    it(`that did not come, as nothing was sent, to a ${door}: service-unavailable`, async () => {
      const bff = shared();
      const reader = bff.browser();
      if (door === 'post') await reader.signIn();
      else await reader.begin();
      await bff.service.down();
      const res = await (door === 'post' ? reader.createPost('Hello') : reader.validate());
      assert.equal(expectProblem(res, 'service-unavailable').retryable, true);
      assert.ok(Number(res.headers['retry-after']) >= 1);
      await bff.service.up();
      expectStatus(await (door === 'post' ? reader.createPost('Hello') : reader.validate()), door === 'post' ? 201 : 200);
    });
  }
});

describe('a service whose name has several addresses', () => {
  it('is reached if the first one is dead', async () => {
    const NAME = 'comments.example.test';
    const addresses = ['127.0.0.2', '::1', '127.0.0.1'].map((address) => ({ address, family: address === '::1' ? 6 : 4 }));
    const { lookup } = dns;
    const mocked = mock.method(dns, 'lookup', ((name: string, options: object, done: (error: null, found: typeof addresses) => void) => {
      if (name === NAME) done(null, addresses);
      else (lookup as (...args: unknown[]) => void)(name, options, done);
    }) as typeof lookup);
    try {
      const port = await freePort();
      await using bff = await startBff({ serviceOptions: { port, publicUrl: `http://${NAME}:${port}` } });
      const reader = bff.browser();
      await reader.signIn();
      expectStatus(await reader.createPost('Hello'), 201);
      assert.ok(mocked.mock.callCount() > 0);
    } finally {
      mocked.mock.restore();
    }
  });
});

const encodings: readonly (readonly [string, Readonly<Record<string, string>>, (text: string) => Buffer])[] = [
  ['JSON', JSON_TYPE, (text) => Buffer.from(text)],
  ['JSON that is called a page', HTML_TYPE, (text) => Buffer.from(text)],
  ['JSON without a media type', {}, (text) => Buffer.from(text)],
  ['JSON after a byte order mark', JSON_TYPE, (text) => Buffer.from(`\ufeff${text}`)],
  ['unrequested gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync],
  ['unrequested deflate', { ...JSON_TYPE, 'Content-Encoding': 'deflate' }, deflateSync],
  ['unrequested br', { ...JSON_TYPE, 'Content-Encoding': 'br' }, brotliCompressSync],
  ['unrequested x-gzip', { ...JSON_TYPE, 'Content-Encoding': 'X-GZIP' }, gzipSync],
  ['JSON in ISO-8859-1', { 'Content-Type': 'application/json; charset=ISO-8859-1' }, (text) => Buffer.from(text, 'latin1')],
];

/** A successful response to a post after an interim one. */
function afterInterim(status: string): Buffer {
  const response = rawResponse({ status: 200, headers: JSON_TYPE, body: '{"code":0,"response":{"id":"7"}}' });
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n\r\n`), response]);
}

describe('a successful response of the service', () => {
  const shared = sharedBff();

  async function postOf(response: ServiceResponse): Promise<object> {
    const bff = shared();
    const reader = bff.browser();
    await reader.signIn();
    bff.service.faults.next('posts', { kind: 'raw', bytes: rawResponse(response) });
    const res = await reader.createPost('Hello');
    expectStatus(res, 201);
    return (res.body as { post: object }).post;
  }

  for (const [name, headers, encode] of encodings) {
    it(`may be ${name}, to a token exchange and to a post`, async () => {
      const bff = shared();
      const reader = bff.browser();
      const user = bff.service.readers[1];
      const post = { id: '7', message: 'Grüße' };
      const respond = (endpoint: 'token' | 'posts', json: object) => {
        bff.service.faults.next(endpoint, { kind: 'raw', bytes: rawResponse({ status: 200, headers, body: encode(JSON.stringify(json)) }) });
      };
      respond('token', { access_token: 'a-token', ...user });
      await reader.signIn(user);
      assert.deepEqual(await reader.user(), user);
      respond('posts', { code: 0, response: post });
      const res = await reader.createPost('Hello');
      expectStatus(res, 201);
      assert.deepEqual(res.body, { post });
    });
  }

  it('to a post may be JSON without an envelope', async () => {
    assert.deepEqual(await postOf({ status: 201, body: { id: '7' } }), { id: '7' });
  });

  it('to a post may have the code "0"', async () => {
    assert.deepEqual(await postOf({ status: 200, body: { code: '0', response: { id: '7' } } }), { id: '7' });
  });

  it('to a post may have a code that is neither a number nor digits', async () => {
    for (const code of ['created', '', null, true, '1e1', '-1']) assert.deepEqual(await postOf({ status: 200, body: { code, id: '7' } }), { code, id: '7' });
  });

  for (const status of ['102 Processing', '103 Early Hints\r\nLink: </a.css>; rel=preload']) {
    it(`to a post may come after ${status.slice(0, 3)}`, async () => {
      const bff = shared();
      const reader = bff.browser();
      await reader.signIn();
      bff.service.faults.next('posts', { kind: 'raw', bytes: afterInterim(status) });
      const res = await reader.createPost('Hello');
      expectStatus(res, 201);
      assert.deepEqual(res.body, { post: { id: '7' } });
    });
  }

  it('keeps the digits of ids over 2^53', async () => {
    const body = '{"code":0,"response":{"id":12345678901234567891,"parent":-9007199254740993,"likes":9007199254740991,"ratio":1.5}}';
    assert.deepEqual(await postOf({ status: 200, body }), {
      id: '12345678901234567891', parent: '-9007199254740993', likes: Number.MAX_SAFE_INTEGER, ratio: 1.5,
    });
    const bff = shared();
    const reader = bff.browser();
    const user = { user_id: '9007199254740993', username: 'Ada Quill' };
    const token = '{"access_token":"a-token","user_id":9007199254740993,"username":"Ada Quill"}';
    bff.service.faults.next('token', { kind: 'raw', bytes: rawResponse({ status: 200, body: token }) });
    expectStatus(await reader.validateShown(await reader.begin({ ...reader.issueReturn(), ...user })), 200);
    assert.deepEqual(await reader.user(), user);
  });

  it('to a post may be 204', async () => {
    assert.deepEqual(await postOf({ status: 204 }), {});
  });

  for (const status of [200, 201, 202]) {
    it(`to a post may be ${status} without a body`, async () => {
      assert.deepEqual(await postOf({ status }), {});
    });
  }

  for (const status of [200, 204]) {
    it(`to a token exchange is never ${status} without a body`, async () => {
      const bff = shared();
      const reader = bff.browser();
      const shown = await reader.begin();
      bff.service.faults.next('token', { kind: 'raw', bytes: rawResponse({ status }) });
      expectProblem(await reader.validateShown(shown), 'outcome-unknown');
      assert.notEqual(await reader.state(), 'signed-in');
    });
  }

  it('to a token exchange has an access_token', async () => {
    for (const body of [{ user_id: '31007' }, { access_token: 1 }, { access_token: '' }, [], 1, null]) {
      const bff = shared();
      const reader = bff.browser();
      const shown = await reader.begin();
      bff.service.faults.next('token', { kind: 'raw', bytes: rawResponse({ status: 200, body: JSON.stringify(body) }) });
      expectProblem(await reader.validateShown(shown), 'bad-service-response');
      assert.notEqual(await reader.state(), 'signed-in');
    }
  });
});
