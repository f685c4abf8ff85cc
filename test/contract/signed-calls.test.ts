/** `vestibule.service.request`: any signed call, before a service that keeps what it gets and checks each MAC by itself. */

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createVestibule, type Vestibule } from '@vestibule/bff';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectedMac } from '../service/signature.ts';

const SECRET_KEY = 'the-secret-key';

describe('vestibule.service.request', () => {
  let server: Server;
  let origin: string;
  let vestibule: Vestibule;
  let received: { readonly req: IncomingMessage; readonly body: string }[];
  let answer: { status: number; json: unknown };
  before(async () => {
    server = createServer((req, res) => {
      void text(req).then((body) => {
        received.push({ req, body });
        res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.json));
      });
    });
    origin = await listen(server);
    vestibule = await vestibuleAt('/base');
  });
  beforeEach(() => {
    received = [];
    answer = { status: 200, json: { code: 0, response: { id: 7 } } };
  });
  after(async () => {
    await vestibule.close();
    await closeServer(server);
  });

  function vestibuleAt(basePath: string): Promise<Vestibule> {
    return createVestibule({
      serviceUrl: origin + basePath,
      publicKey: 'the-public-key',
      secretKey: SECRET_KEY,
      forums: ['news'],
      publicUrl: 'http://127.0.0.1/vestibule',
      cookieSecrets: [COOKIE_SECRET],
      store: 'memory:',
      logLevel: 'silent',
    });
  }

  /** The attributes of the one request that arrived, its MAC as it must be. */
  function signedAs(params: readonly (readonly [string, string])[] | null): Readonly<Record<string, string>> {
    const [{ req }, ...more] = received as [(typeof received)[number]];
    assert.deepEqual(more, []);
    const header = req.headers.authorization ?? '';
    assert.match(header, /^MAC /);
    const { nonce = '', mac, ...rest } = Object.fromEntries([...header.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
    const port = Number(new URL(origin).port);
    const expected = expectedMac({ method: req.method ?? '', path: req.url ?? '', host: '127.0.0.1', port, nonce, params, key: SECRET_KEY });
    assert.equal(mac, expected.mac);
    assert.equal(rest['body-hash'], expected.bodyHash);
    return rest;
  }

  it('signs a GET with its query, and returns the response', async () => {
    const found = await vestibule.service.request('get', '/api/3.0/users/details.json', { user: 5, q: 'ä b', all: true });
    assert.deepEqual(found, { id: 7 });
    assert.equal(received[0]?.req.url, '/base/api/3.0/users/details.json?all=true&q=%C3%A4%20b&user=5');
    assert.deepEqual([received[0]?.req.method, received[0]?.body], ['GET', '']);
    assert.equal(signedAs(null)['id'], 'the-public-key');
  });

  it('signs other methods with their form body, and without a token for no user', async () => {
    await vestibule.service.request('POST', '/api/3.0/forums/update.json', { forum: 'news', name: 'The News' });
    assert.equal(received[0]?.body, 'forum=news&name=The%20News');
    assert.equal('access_token' in signedAs([['forum', 'news'], ['name', 'The News']]), false);
  });

  it('returns the envelope on request: a cursor may be beside `response`', async () => {
    answer = { status: 200, json: { cursor: { hasNext: true, next: '7' }, code: 0, response: [{ id: 7 }] } };
    assert.deepEqual(await vestibule.service.request('GET', '/api/3.0/threads/listPosts.json'), [{ id: 7 }]);
    assert.deepEqual(await vestibule.service.request('GET', '/api/3.0/threads/listPosts.json', {}, { envelope: true }), answer.json);
    answer = { status: 400, json: { code: 2, response: 'no' } };
    await assert.rejects(vestibule.service.request('GET', '/', {}, { envelope: true }), { type: 'service-refused' });
  });

  it('rejects with a problem where the service refuses, its words as text', async () => {
    answer = { status: 400, json: { code: 2, response: 'no such <b>forum</b>' } };
    await assert.rejects(vestibule.service.request('GET', '/api/3.0/forums/details.json'), { name: 'ProblemError', type: 'service-refused' });
    answer = { status: 401, json: { code: 18, response: 'gone' } };
    await assert.rejects(vestibule.service.request('GET', '/'), { type: 'not-signed-in' });
  });

  it('goes to the service and nowhere else', async () => {
    await using atRoot = await vestibuleAt('');
    for (const path of ['@elsewhere.example/', '.elsewhere.example/', '1/']) {
      await assert.rejects(atRoot.service.request('GET', path), TypeError, path);
    }
    await assert.rejects(vestibule.service.request('GET', 'api/3.0/forums/details.json'), TypeError);
    await vestibule.service.request('GET', '//elsewhere.example/');
    assert.deepEqual(received.map(({ req }) => req.url), ['/base//elsewhere.example/']);
  });
});
