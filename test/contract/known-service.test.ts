/** Promises of the contract about calls to the service that reviews found broken. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
import { exchangesOf, expectProblem, expectStatus } from '../lib/reader.ts';
import { until } from '../lib/until.ts';
import type { ServiceOptions } from '../service/index.ts';

const reader = { user_id: '9471037434', username: 'Nightwatch' };

const KEY = 'correct-horse-battery-staple-of-2026';

interface Overlap {
  readonly token?: string;
  readonly message?: string;
  readonly user?: Partial<typeof reader>;
}

/** Texts that overlap with the key or the token and do not contain it. */
const overlaps: Readonly<Record<string, Overlap>> = {
  'a token that starts with the user id': { token: `${reader.user_id}-AbCdEfGhIjKlMnOp` },
  'a token that ends with the name': { token: `AbCdEfGhIjKl-${reader.username}` },
  'a text with most of the key': { message: `My favourite comic: ${KEY.slice(0, -4)}!` },
  'a name with most of the key': { user: { username: KEY.slice(0, 20) } },
};

describe('a user id, a name or a text that overlaps with a key or token', () => {
  for (const [name, { token = 'AbCdEfGhIjKlMnOpQrStUv', message = 'Hello', user = {} }] of Object.entries(overlaps)) {
    const test = async () => {
      await using bff = await startBff({ serviceOptions: { secretKey: KEY } satisfies ServiceOptions });
      const browser = bff.browser();
      const known = { ...reader, ...user };
      bff.service.faults.next('token', { kind: 'status', status: 200, body: { access_token: token, ...known } });
      const shown = await browser.begin(browser.issueReturn(known));
      expectStatus(await browser.validateShown(shown), 200);
      assert.deepEqual((await browser.session()).user, known);
      const post = { id: '7', author: { id: known.user_id, username: known.username }, message };
      bff.service.faults.next('posts', { kind: 'status', status: 200, body: { code: 0, response: post } });
      const res = await browser.createPost(message);
      expectStatus(res, 201);
      assert.deepEqual((res.body as { post: object }).post, post);
    };
    it(`arrives unchanged and signs in: ${name}`, test);
  }
});

describe('VESTIBULE_SERVICE_MAX_IN_FLIGHT', () => {
  it('limits posts and exchanges apart; a call beyond it is service-unavailable and is not sent', async () => {
    await using bff = await startBff({ serviceMaxInFlight: 4 });
    const readers = await Promise.all(Array.from({ length: 6 }, async (_, i) => {
      const browser = bff.browser();
      await browser.signIn({ user_id: String(i), username: `reader ${i}` });
      return browser;
    }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.always('posts', { kind: 'held', until: released });
    const exchanges = exchangesOf(bff);
    let refused = 0;
    const posts = readers.map(async (browser) => {
      const res = await browser.createPost('Hello');
      if (res.status === 503) {
        expectProblem(res, 'service-unavailable');
        refused += 1;
      }
      return res;
    });
    await until('two posts are refused', () => refused === 2);
    await bff.browser().signIn();
    assert.equal(exchangesOf(bff) - exchanges, 1);
    release();
    const statuses = (await Promise.all(posts)).map(({ status }) => status).toSorted();
    assert.deepEqual([statuses, bff.service.posts.length], [[201, 201, 201, 201, 503, 503], 4]);
  });

  it('leaves posts their places while calls of hooks hang', async () => {
    await using bff = await startBff({
      serviceMaxInFlight: 8,
      serviceOptions: { threads: true },
      posts: {
        list: async ({ service }) => {
          await service.request('GET', '/api/3.0/posts/list.json', { thread: '42' });
          return { posts: [] };
        },
      },
    });
    const browser = bff.browser();
    await browser.signIn();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.always('postList', { kind: 'held', until: released });
    const received = bff.service.whenReceived('postList');
    const lists = Array.from({ length: 20 }, async (_, i) => bff.browser().get(`/posts?forum=news&page=${encodeURIComponent(`${bff.origin}/${i}`)}`));
    await received;
    expectStatus(await browser.createPost('Hello'), 201);
    release();
    await Promise.all(lists);
  });
});
