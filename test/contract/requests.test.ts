/** The table of requests (contract, section 2): method and path, by reader, origin and body, and what they get. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response, Test } from 'supertest';
import { PROBLEM_TYPE_PREFIX, type Problem, type ProblemType } from '@vestibule/shared';
import { MOUNT, startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { expectStatus, NO_SYNC, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';

/** A status, and the type of a problem; without it, a success or a page. */
type Outcome = `${number}` | `${number} ${ProblemType}`;

interface Row {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** A good query, and a bad one. */
  readonly query?: readonly [good: string, bad?: string];
  /** A good body. */
  readonly body?: (browser: ReaderClient) => object;
  readonly anonymous: Outcome;
  /** Default: as `anonymous`. */
  readonly session?: Outcome;
  /** With the origin of a page that is not allowed. Default: as `anonymous` for GET, 403 for other methods. */
  readonly foreign?: Outcome;
  /** With the bad query, or an unknown member in the body. */
  readonly bad?: Outcome;
}

const PAGE = 'https://www.example.com/article';

const settings: BffSettings = {
  allowedOrigins: ['https://www.example.com'],
  rateLimits: 'off',
  posts: { list: () => ({ posts: [] }) },
};

const page = `page=${encodeURIComponent(PAGE)}`;

const rows: readonly Row[] = [
  { method: 'GET', path: '/session', anonymous: '200' },
  { method: 'DELETE', path: '/session', anonymous: '204' },
  {
    method: 'GET', path: '/sync/authorize', query: ['?forum=sport&display=page', '?display=window'],
    anonymous: '302', foreign: '403', bad: '400 invalid-request',
  },
  {
    method: 'GET', path: '/sync/authorize', query: [`?return_to=${PAGE}`, '?return_to=https://evil.example/'],
    anonymous: '302', foreign: '403', bad: '400 untrusted-return-uri',
  },
  { method: 'GET', path: '/sync/return', query: ['?code=a&username=b&user_id=c&audiencesync_uri=d', '?code=a&code=b'], anonymous: '200', bad: '200' },
  { method: 'GET', path: '/sync/form', anonymous: '200' },
  { method: 'POST', path: '/sync', body: (browser) => browser.issueReturn(), anonymous: '201', bad: '400 invalid-request' },
  {
    method: 'POST', path: '/sync/validation', body: () => ({ sync: NO_SYNC, username: 'Ada Quill', answers: {} }),
    anonymous: '409 no-sync-in-progress', bad: '400 invalid-request',
  },
  { method: 'POST', path: '/sync/cancel', body: () => ({ sync: NO_SYNC }), anonymous: '409 no-sync-in-progress', bad: '400 invalid-request' },
  {
    method: 'POST', path: '/posts', body: () => ({ forum: 'news', message: 'Hello' }),
    anonymous: '401 not-signed-in', session: '201', bad: '401 not-signed-in',
  },
  { method: 'GET', path: '/posts', query: [`?${page}`, '?page=https://evil.example/'], anonymous: '200', bad: '400 invalid-request' },
  { method: 'GET', path: '/posts', query: [`?${page}&order=oldest`, `?${page}&forum=other`], anonymous: '200', bad: '403 forum-not-allowed' },
  { method: 'GET', path: '/posts', query: [`?${page}&order=best`], anonymous: '400 invalid-request' },
  { method: 'GET', path: '/comments', query: ['?forum=sport', '?forum=other'], anonymous: '200', bad: '403 forum-not-allowed' },
  { method: 'GET', path: '/healthz', anonymous: '200' },
  { method: 'GET', path: '/readyz', anonymous: '200' },
  { method: 'GET', path: '/widget.js', anonymous: '200' },
  { method: 'GET', path: '/count.js', anonymous: '200' },
  { method: 'GET', path: '/', anonymous: '200' },
  { method: 'GET', path: '/nothing', anonymous: '404 not-found' },
  { method: 'GET', path: '/assets/nothing.js', anonymous: '404 not-found' },
];

function outcomeOf(res: Response): string {
  if (!res.type.endsWith('problem+json')) return String(res.status);
  return `${res.status} ${(JSON.parse(res.text) as Problem).type.replace(PROBLEM_TYPE_PREFIX, '')}`;
}

describe('a request', () => {
  const bff = suiteResource(() => startBff(settings));

  function send(browser: ReaderClient, { method, path, query: [query] = [''], body }: Row): Test {
    if (method === 'GET') return browser.get(path + query);
    if (method === 'DELETE') return browser.delete(path + query);
    return browser.post(path + query, body?.(browser)).set('Idempotency-Key', crypto.randomUUID()).redirects(0);
  }

  for (const row of rows) {
    const { method, path, query = [], body, anonymous, session = anonymous, bad } = row;
    const { foreign = method === 'GET' ? anonymous : '403 cross-site-request' } = row;
    const name = `${method} ${path}${query[0] ?? ''}`;

    const badRow: Row = body
      ? { ...row, body: (browser) => ({ ...body(browser), other: 1 }) }
      : { ...row, query: [query[1] ?? ''] };
    const cells: Readonly<Record<string, readonly [Outcome, () => PromiseLike<Response>]>> = {
      'without a session': [anonymous, () => send(bff().browser(), row)],
      'with a session': [session, async () => {
        const browser = bff().browser();
        await browser.signIn();
        return send(browser, row);
      }],
      'from another site': [
        foreign, () => send(bff().browser(), row).set({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }),
      ],
      ...(bad !== undefined && {
        [body ? 'with an unknown member' : `as ${query[1]}`]: [bad, () => send(bff().browser(), badRow)],
      }),
    };
    for (const [when, [outcome, request]] of Object.entries(cells)) {
      it(`${name} ${when} gets ${outcome}`, async () => { assert.equal(outcomeOf(await request()), outcome); });
    }
  }

  const routes = rows.filter(({ path }) => !/\.js$|nothing/.test(path));
  const methods = Map.groupBy(routes, ({ path }) => path);
  for (const [path, known] of methods) {
    const allowed = ['DELETE', 'GET', 'HEAD', 'POST'].filter((one) => known.some(({ method }) => method === one.replace('HEAD', 'GET')));
    it(`PUT ${path} gets 405 with Allow: ${allowed.join(', ')}`, async () => {
      const res = await bff().browser().agent.put(MOUNT + path).set('Origin', bff().origin);
      assert.equal(outcomeOf(res), '405 method-not-allowed');
      assert.deepEqual(res.headers['allow']?.split(', ').toSorted(), allowed);
    });
  }
});

describe('GET /posts/counts', () => {
  const counting = (count: (context: { readonly pages: readonly string[] }) => readonly (number | null)[]): Promise<Bff> => (
    startBff({ ...settings, posts: { count } })
  );

  it('is not-found without a hook', async () => {
    await using bff = await startBff(settings);
    assert.equal(outcomeOf(await bff.browser().get(`/posts/counts?${page}`)), '404 not-found');
  });

  it('is the number of comments of each page in turn, null for a page that is not allowed', async () => {
    await using bff = await counting(({ pages }) => pages.map((_, i) => i + 7));
    const res = await bff.browser().get(`/posts/counts?forum=news&${page}&page=https://evil.example/&${page}2`);
    expectStatus(res, 200);
    assert.deepEqual(res.body, { counts: [7, null, 8] });
  });

  it('is null for a page whose number the hook does not know', async () => {
    await using bff = await counting(() => [7, null]);
    assert.deepEqual((await bff.browser().get(`/posts/counts?forum=news&${page}&${page}2`)).body, { counts: [7, null] });
  });

  it('shares numbers for 60 s, and reads again after a failure', async () => {
    const asked: (readonly string[])[] = [];
    let isBroken = false;
    await using bff = await counting(({ pages }) => {
      asked.push(pages);
      return isBroken ? [-1] : pages.map(() => 1);
    });
    const read = async (more: string) => outcomeOf(await bff.browser().get(`/posts/counts?${page}${more}`));
    await Promise.all([read(''), read('')]);
    assert.equal(await read(`&${page}2`), '200');
    assert.deepEqual(asked, [['https://www.example.com/article'], ['https://www.example.com/article2']]);
    isBroken = true;
    bff.passTime(61);
    assert.equal(await read(''), '500 internal-error');
    isBroken = false;
    assert.equal(await read(''), '200');
  });

  it('is cached by forum', async () => {
    let calls = 0;
    await using bff = await counting(({ pages }) => pages.map(() => calls += 1));
    const read = async (forum: string) => (await bff.browser().get(`/posts/counts?forum=${forum}&${page}`)).body as object;
    assert.deepEqual([await read('news'), await read('sport'), await read('news')], [{ counts: [1] }, { counts: [2] }, { counts: [1] }]);
  });

  it('is cached by the spelling of the address', async () => {
    await using bff = await counting(({ pages }) => pages.map((one) => (one.endsWith('/article-') ? 3 : 0)));
    const counts = async (...spellings: string[]) => (await bff.browser().get(`/posts/counts?${spellings.join('&')}`)).body as object;
    assert.deepEqual(await counts(`${page}%252d`), { counts: [0] });
    assert.deepEqual(await counts(`${page}-`), { counts: [3] });
    assert.deepEqual(await counts(`${page}%252d`, `${page}-`), { counts: [0, 3] });
  });

  it('is read again after the clock was set back', async () => {
    let calls = 0;
    await using bff = await counting(({ pages }) => pages.map(() => calls += 1));
    const read = async () => {
      const { body, headers } = await bff.browser().get(`/posts/counts?${page}`);
      return [body, headers['cache-control']] as unknown;
    };
    assert.deepEqual(await read(), [{ counts: [1] }, 'public, max-age=60']);
    bff.passTime(-7200);
    assert.deepEqual(await read(), [{ counts: [2] }, 'public, max-age=60']);
  });

  it('takes ten pages', async () => {
    await using bff = await counting(({ pages }) => pages.map(() => 0));
    const path = (count: number) => `/posts/counts?${Array.from({ length: count }, (_, i) => page + i).join('&')}`;
    assert.equal(outcomeOf(await bff.browser().get(path(10))), '200');
    assert.equal(outcomeOf(await bff.browser().get(path(11))), '400 invalid-request');
  });
});
