/** Requests that pages of other sites and look-alike origins send. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemOf, startWorld, type Browser, type World } from './_world.ts';

describe('a request forged by another site', () => {
  let world: World;
  let reader: Browser;
  let host: string;

  before(async () => {
    world = await startWorld({ allowedOrigins: ['https://www.example.com', 'https://m.example.com:8443'] });
    reader = world.browser();
    await reader.signIn();
    ({ host } = new URL(world.url));
  });
  after(() => world[Symbol.asyncDispose]());

  const lookAlikes = [
    'null', '', 'https://example.com', 'http://www.example.com', 'https://www.example.com.evil.example', 'https://evilwww.example.com',
    'https://www.example.com:8443', 'https://www.example.com:443', 'https://m.example.com', 'https://m.example.com:84433', 'https://WWW.EXAMPLE.COM',
    'https://www.example.com/', 'https://www.example.com.', 'https://www.exam\u0440le.com', 'https://www.example.com, https://evil.example',
    'https://evil.example https://www.example.com', 'https://www.example.com@evil.example', 'https://user@www.example.com', 'file://',
    'chrome-extension://abcdefghijklmnop', 'https://www.example.com%00.evil.example', 'https://www.example.com\\.evil.example', 'https://localhost', '*',
  ];

  for (const [method, path] of [['POST', '/posts'], ['POST', '/sync'], ['POST', '/sync/validation'], ['POST', '/sync/cancel'], ['DELETE', '/session']] as const) {
    it(`is refused at ${method} ${path} from each of ${lookAlikes.length} look-alike origins`, async () => {
      for (const origin of lookAlikes) {
        const headers = { origin: Buffer.from(origin).toString('latin1'), 'idempotency-key': crypto.randomUUID() };
        const answer = await reader.ask(path, { method, headers, ...(method === 'POST' && { json: { forum: 'news', message: 'forged' } }) });
        assert.equal(problemOf(answer), 'cross-site-request', origin);
        assert.equal(answer.headers.get('access-control-allow-origin'), null, origin);
      }
      assert.equal(await reader.state(), 'signed-in');
      assert.equal(world.service.posts.length, 0);
    });
  }

  it('is refused without Origin unless Sec-Fetch-Site is same-origin', async () => {
    for (const site of [undefined, 'cross-site', 'same-site', 'none', 'Same-Origin', 'same-origin, cross-site']) {
      const answer = await raw('DELETE', '/session', site === undefined ? {} : { 'sec-fetch-site': site });
      assert.equal(problemOf(answer), 'cross-site-request', String(site));
    }
    assert.equal(await reader.state(), 'signed-in');
  });

  it('cannot read a response: CORS allows exactly the listed origins, with credentials', async () => {
    for (const origin of ['https://www.example.com', 'https://m.example.com:8443', new URL(world.url).origin]) {
      const { headers } = await reader.ask('/session', { headers: { origin } });
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.match(headers.get('vary') ?? '', /Origin/);
    }
    for (const origin of lookAlikes) {
      const { headers } = await reader.ask('/session', { headers: { origin: Buffer.from(origin).toString('latin1') } });
      assert.equal(headers.get('access-control-allow-origin'), null, origin);
    }
  });

  it('fails its preflight; the preflight of an allowed origin succeeds', async () => {
    for (const path of ['/posts', '/sync', '/sync/validation', '/session']) {
      const preflight = (origin: string) => reader.ask(path, {
        method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,idempotency-key' },
      });
      assert.equal((await preflight('https://evil.example')).status, 403, path);
      const { status, headers } = await preflight('https://www.example.com');
      assert.equal(status, 204, path);
      assert.equal(headers.get('access-control-allow-origin'), 'https://www.example.com');
      assert.match(headers.get('access-control-allow-headers') ?? '', /Idempotency-Key/);
    }
  });

  it('is refused as a form or as text: only JSON is accepted', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json-patch+json', 'text/plain; application/json', '']) {
      const answer = await reader.ask('/posts', {
        method: 'POST', headers: { 'content-type': type, 'idempotency-key': crypto.randomUUID() }, body: '{"forum":"news","message":"forged"}',
      });
      assert.equal(problemOf(answer), 'unsupported-media-type', type);
    }
  });

  it('cannot frame the form page, which sends no referrer', async () => {
    const { headers } = await reader.ask('/sync/form', { headers: { accept: 'text/html' } });
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  it('cannot choose the host of a redirect by forwarding headers', async () => {
    const { headers } = await reader.ask(`/sync/authorize?forum=news&return_to=${encodeURIComponent('https://www.example.com/')}`, {
      headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    });
    assert.doesNotMatch(headers.get('location') ?? '', /evil/);
    assert.ok(headers.get('location')?.includes(encodeURIComponent(host)));
  });

  /** Sends no `Origin`. */
  async function raw(method: string, path: string, headers: Record<string, string>) {
    const response = await fetch(world.url + path, {
      method, headers: { ...headers, cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as unknown };
  }
});
