import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startDemo, type Demo } from './demo.ts';

/** A browser as far as this road needs one: same-origin JSON and a cookie. */
class Browser {
  readonly #demo: Demo;
  #cookie = '';

  constructor(demo: Demo) {
    this.#demo = demo;
  }

  async send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#demo.url}/vestibule${path}`, {
      method,
      redirect: 'manual',
      headers: { Origin: this.#demo.url, Cookie: this.#cookie, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    this.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    return JSON.parse(await response.text()) as Record<string, unknown>;
  }

  /** By the embedded entrance: as the service returns its second reader. */
  begin(): Promise<Record<string, unknown>> {
    const { service } = this.#demo;
    const user = service.readers[1] as (typeof service.readers)[number];
    return this.send('POST', '/sync', service.issueReturn({ redirectUri: `${this.#demo.url}/vestibule/sync/return`, user }));
  }
}

describe('startDemo', () => {
  it('takes a reader from the entrance to a post', async () => {
    await using demo = await startDemo({ port: 0 });
    const browser = new Browser(demo);
    assert.equal((await browser.begin())['state'], 'validating');
    const { outcome, completion_url } = await browser.send('POST', '/sync/validation', { answers: { age: 40, rules: true, reads: 'paper' } });
    assert.equal(outcome, 'accepted');
    const completion = await fetch(String(completion_url));
    assert.match(await completion.text(), new RegExp(`You’re in, Jörg Ünterwald[^]*href="${demo.url}/back"`));
    await browser.send('POST', '/posts', { forum: 'news', message: 'Keep her. 🕯️' }, { 'Idempotency-Key': '"a-first-comment"' });
    assert.deepEqual(demo.service.posts.map(({ username, message }) => [username, message]), [['Jörg Ünterwald', 'Keep her. 🕯️']]);
  });

  it('turns away who is not of age, and tells the service', async () => {
    await using demo = await startDemo({ port: 0 });
    const browser = new Browser(demo);
    await browser.begin();
    const { outcome, completion_url } = await browser.send('POST', '/sync/validation', { answers: { age: 17, rules: true } });
    assert.equal(outcome, 'rejected');
    assert.match(await (await fetch(String(completion_url))).text(), /You were not signed in/);
    assert.deepEqual(demo.service.completions.map(({ success }) => success), ['0']);
  });

  it('serves the newspaper on another host than the service', async () => {
    await using demo = await startDemo({ port: 0 });
    assert.equal((await fetch(`${demo.url}/articles/lamplighter`)).status, 200);
    assert.notEqual(new URL(demo.url).hostname, new URL(demo.service.url).hostname);
  });

  it('makes its secrets afresh', async () => {
    await using one = await startDemo({ port: 0 });
    await using other = await startDemo({ port: 0 });
    assert.notEqual(one.service.secretKey, other.service.secretKey);
  });

  it('fails where the port that was asked for is taken', async () => {
    const taken = createServer().listen(0, 'localhost');
    await once(taken, 'listening');
    await assert.rejects(startDemo({ port: (taken.address() as AddressInfo).port }), { code: 'EADDRINUSE' });
    taken.close();
  });
});
