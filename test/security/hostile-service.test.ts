/** Responses of a hostile or broken service. `test/contract/service-responses.test.ts` has those that are valid HTTP. */

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import type { ProblemType } from '@vestibule/shared';
import { startBff } from '../lib/bff.ts';
import { listen } from '../lib/loopback-server.ts';
import { expectProblem } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import type { Fault } from '../service/index.ts';
import { startSignedIn } from './_signed-in.ts';

const LIMIT_MS = 2_000;

const MIB = 1024 * 1024;

type Door = 'token' | 'posts';

interface Row {
  readonly name: string;
  readonly fault: Fault;
  readonly means: ProblemType;
  /** Default both. */
  readonly doors?: readonly Door[];
}

const both: readonly Door[] = ['token', 'posts'];

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

const raw = (bytes: string | Buffer): Fault => ({ kind: 'raw', bytes });
const json = (body: string, status = '200 OK') => raw(`HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
const unknown = (name: string, fault: Fault): Row => ({ name, fault, means: 'outcome-unknown' });
const refused = (name: string, envelope: object): Row => ({ name, fault: json(JSON.stringify(envelope), '400 Bad Request'), means: 'service-refused' });
const badToken = (name: string, body: string): Row => ({ name, fault: json(body), means: 'bad-service-response', doors: ['token'] });

const rows: readonly Row[] = [
  unknown('a compressed bomb', { kind: 'gzip-bomb', bytes: 200 * MIB }),
  { ...unknown('a body without an end', raw(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`)), doors: ['posts'] },
  unknown('a truncated body', { kind: 'truncate', bytes: 10 }),
  unknown('a status that is no number', raw('HTTP/1.1 abc OK\r\n\r\n')),
  unknown('10,000 headers', raw(`${JSON_HEAD}${'X: y\r\n'.repeat(10_000)}Content-Length: 2\r\n\r\n{}`)),
  refused('a refusal with markup', { code: 2, response: '<img src=x onerror=alert(1)>', error: '<img src=x onerror=alert(1)>' }),
  refused('a refusal with line breaks and bidi marks', { code: 2, response: 'a\r\nSet-Cookie: b\u202ec\0', error: 'a\r\nb\u202e' }),
  refused('a refusal that is no text', { code: 2, response: { a: [1] }, error: { a: 1 } }),
  badToken('a token that breaks a header', '{"access_token":"a\\"\\r\\nX: y","user_id":"1"}'),
];

function expectFit(res: Response, means: ProblemType): void {
  const { detail } = expectProblem(res, means);
  assert.equal(res.headers['x-content-type-options'], 'nosniff');
  assert.doesNotMatch(detail, /[\p{Cc}\u202e\u2028]/u);
  assert.ok(res.text.length < 2_000);
}

describe('a hostile service', () => {
  const world = suiteResource(() => startSignedIn({ serviceTimeoutMs: LIMIT_MS, serviceConnectTimeoutMs: LIMIT_MS, rateLimits: 'off' }));

  for (const { name, fault, means, doors = both } of rows) {
    for (const door of doors) {
      it(`that responds with ${name} to ${door}: ${means}`, async () => {
        const { bff, reader } = world();
        bff.service.faults.next(door, fault);
        const browser = door === 'token' ? bff.browser() : reader;
        if (door === 'token') await browser.begin();
        expectFit(await (door === 'token' ? browser.validate() : browser.createPost('Hello')), means);
        assert.equal(await browser.state() === 'signed-in', door === 'posts');
      });
    }
  }

  it('is not followed to another host or address', async () => {
    const { bff, reader } = world();
    let connections = 0;
    const stranger = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const elsewhere = await listen(stranger as never);
    const sent = bff.service.requests.length;
    const locations = [`${elsewhere}/`, `//${new URL(elsewhere).host}/`, `${bff.service.url}/api/3.0/posts/create.json`];
    for (const location of locations) {
      bff.service.faults.next('posts', { kind: 'redirect', status: 307, location });
      assert.ok((await reader.createPost('Hello')).status >= 500);
    }
    stranger.close();
    assert.deepEqual([connections, bff.service.requests.length - sent], [0, locations.length]);
  });

  it('that echoes the key, a code or a token as it is or percent-encoded delivers none of them to a reader or to the log', async () => {
    await using bff = await startBff({ serviceOptions: { secretKey: 'secret+key/with=signs'.repeat(2) } });
    const reader = bff.browser();
    await reader.signIn();
    await reader.createPost('Hello');
    const { headers } = bff.service.requests.findLast(({ endpoint }) => endpoint === 'posts') ?? {};
    const token = /access_token="([^"]+)"/.exec(String(headers?.['authorization']))?.[1] ?? '';
    const syncReturn = reader.issueReturn();
    const secrets = [bff.service.secretKey, token, syncReturn.code].flatMap((secret) => [secret, encodeURIComponent(secret)]);
    const texts: string[] = [];
    for (const secret of secrets.slice(0, 4)) {
      bff.service.faults.next('posts', { kind: 'status', status: 400, body: { code: 2, response: `Sent: ${secret}.` } });
      texts.push((await reader.createPost('Hello')).text);
    }
    await reader.begin(syncReturn);
    const [key, , , , code] = secrets;
    bff.service.faults.next('token', { kind: 'status', status: 400, body: { error: 'invalid_grant', error_description: `Sent: ${key} ${code}` } });
    texts.push((await reader.validate()).text);
    assert.ok(texts.every((text) => text.includes('Sent: ')), texts.join('\n'));
    const delivered = texts.join('\n') + JSON.stringify(bff.log);
    assert.deepEqual(secrets.filter((secret) => delivered.includes(secret)), []);
  });

  it('never receives the secret key in a signed request', () => {
    const { service } = world().bff;
    for (const { endpoint, headers, body } of service.requests) {
      const sent = JSON.stringify(headers) + (endpoint === 'token' ? '' : body.toString('latin1'));
      assert.ok(!sent.includes(service.secretKey), endpoint);
    }
  });
});
