import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { PostList, SessionView } from '@vestibule/shared';
import { freePort } from '../lib/free-port.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startDemo, type Demo } from './demo.ts';

/** Same-origin JSON and a cookie. */
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

  /** By the embedded entrance, as the second reader of the service. */
  async validate(answers: object): Promise<Record<string, unknown>> {
    const { service, url } = this.#demo;
    const user = service.readers[1] as (typeof service.readers)[number];
    const view = await this.send('POST', '/sync', service.issueReturn({ redirectUri: `${url}/vestibule/sync/return`, user }));
    const { state, sync } = view as unknown as SessionView;
    assert.equal(state, 'validating');
    return this.send('POST', '/sync/validation', { sync: sync?.id, username: user.username, answers });
  }

  post(message: string): Promise<Record<string, unknown>> {
    const page = `${this.#demo.url}/articles/lamplighter`;
    return this.send('POST', '/posts', { forum: 'news', message, page }, { 'Idempotency-Key': crypto.randomUUID() });
  }
}

async function messagesOf({ vestibule, url }: Demo): Promise<readonly string[]> {
  const { posts }: PostList = await vestibule.listPosts({ page: `${url}/articles/lamplighter` });
  return posts.map(({ message }) => message);
}

const adult = { age: 40, rules: true, reads: 'paper' };

describe('startDemo', () => {
  it('takes a reader from the entrance to a post', async () => {
    await using demo = await startDemo({ port: 0 });
    const browser = new Browser(demo);
    const { outcome, completion_url } = await browser.validate(adult);
    assert.equal(outcome, 'accepted');
    const completion = await fetch(String(completion_url));
    assert.match(await completion.text(), new RegExp(`You’re in, Jörg Ünterwald[^]*href="${demo.url}/back"`));
    await browser.post('Keep her. 🕯️');
    assert.deepEqual(demo.service.posts.map(({ username, message }) => [username, message]), [['Jörg Ünterwald', 'Keep her. 🕯️']]);
    assert.deepEqual(await messagesOf(demo), ['Keep her. 🕯️']);
  });

  it('keeps posts and the session of a reader over a restart in its directory', async () => {
    await using directory = await temporaryDirectory();
    const options = { port: await freePort(), directory: directory.path };
    let browser: Browser;
    let before: readonly string[];
    {
      await using demo = await startDemo(options);
      browser = new Browser(demo);
      await browser.validate(adult);
      await browser.post('Before the restart');
      before = await messagesOf(demo);
      assert.ok(before.length > 1, 'a few comments at first');
      assert.equal(before[0], 'Before the restart');
    }
    await using demo = await startDemo(options);
    assert.deepEqual(await messagesOf(demo), before);
    assert.ok('post' in await browser.post('After the restart'));
    assert.equal(demo.service.posts.at(-1)?.message, 'After the restart');
  });

  it('rejects a reader who is not of age, and reports that to the service', async () => {
    await using demo = await startDemo({ port: 0 });
    const browser = new Browser(demo);
    const { outcome, completion_url } = await browser.validate({ age: 17, rules: true });
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
