/** Each failed sign-in and post leaves one log line at `warn` or above, which the problem's `instance` finds (contract,
 *  section 4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Response } from 'supertest';
import type { Problem } from '@vestibule/shared';
import { createLogId } from '../../packages/bff/src/lib/identifiers.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { startBff, type Bff, type BffSettings, type Browser } from './_bff.ts';

const WARN = 40;

interface Row {
  readonly mistake: string;
  readonly settings?: BffSettings;
  readonly make: (browser: Browser, bff: Bff) => Promise<Response>;
  /** Members of the line, beside `request_id`. */
  readonly line: Readonly<Record<string, unknown>>;
}

const throwing = () => { throw new Error('canary'); };

async function validating(browser: Browser): Promise<Browser> {
  await browser.start();
  return browser;
}

async function signedIn(browser: Browser): Promise<Browser> {
  await browser.signIn();
  return browser;
}

const rows: readonly Row[] = [
  {
    mistake: 'an origin that is not allowed (www against apex)',
    make: async (browser) => browser.start().set('Origin', 'https://example.com'),
    line: { msg: 'sign-in failed', problem: 'cross-site-request', origin: 'https://example.com', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
  },
  {
    mistake: 'a request without Origin and Fetch Metadata',
    make: async (browser) => (await signedIn(browser)).createPost('canary').unset('Origin'),
    line: { msg: 'post failed', problem: 'cross-site-request', reason: 'the request has neither Origin nor Sec-Fetch-Site: same-origin' },
  },
  {
    mistake: 'a page of another origin to return to',
    make: async (browser) => browser.get('/sync/authorize?return_to=https://other.example/canary'),
    line: { msg: 'sign-in failed', problem: 'untrusted-return-uri', origin: 'https://other.example', setting: 'VESTIBULE_ALLOWED_ORIGINS' },
  },
  {
    mistake: 'an unknown forum in the tag',
    make: async (browser) => browser.get('/sync/authorize?forum=mistyped'),
    line: { msg: 'sign-in failed', problem: 'forum-not-allowed', setting: 'VESTIBULE_FORUMS' },
  },
  {
    mistake: 'a completion endpoint of another service',
    make: async (browser) => browser.start({ ...browser.issueReturn(), audiencesync_uri: 'https://other.example/audiencesync/complete/' }),
    line: { msg: 'sign-in failed', problem: 'untrusted-completion-uri', setting: 'VESTIBULE_SERVICE_URL' },
  },
  {
    mistake: 'a wrong secret key',
    settings: { secretKey: 'wrong' },
    make: async (browser) => (await validating(browser)).validate(),
    line: { msg: 'sign-in failed', problem: 'service-refused', setting: 'VESTIBULE_PUBLIC_KEY, VESTIBULE_SECRET_KEY, VESTIBULE_REDIRECT_URI' },
  },
  {
    mistake: 'a code that was handed in before',
    make: async (browser, bff) => {
      const syncReturn = browser.issueReturn();
      await browser.start(syncReturn);
      return bff.browser().start(syncReturn);
    },
    line: { msg: 'sign-in failed', problem: 'code-already-used' },
  },
  {
    mistake: 'a sign-in whose cookie does not arrive',
    make: async (browser) => browser.validate(),
    line: { msg: 'sign-in failed', problem: 'no-sync-in-progress', reason: 'no cookie of a sign-in arrived' },
  },
  {
    mistake: 'a sign-in of another browser',
    make: async (browser, bff) => {
      const { body } = await bff.browser().start();
      await browser.start();
      return browser.validateShown({ sync: body.sync.id, username: 'Ada Quill' });
    },
    line: { msg: 'sign-in failed', problem: 'no-sync-in-progress', reason: 'the sign-in belongs to another browser, or expired' },
  },
  {
    mistake: 'a return whose user_id was altered',
    make: async (browser) => {
      await browser.start({ ...browser.issueReturn(), user_id: '1' });
      return browser.validate();
    },
    line: { msg: 'sign-in failed', problem: 'user-mismatch' },
  },
  {
    mistake: 'validate that throws',
    settings: { validation: { fields: [], validate: throwing } },
    make: async (browser) => (await validating(browser)).validate(),
    line: { level: 50, msg: 'sign-in failed', problem: 'internal-error' },
  },
  {
    mistake: 'validate that returns true',
    settings: { validation: { fields: [], validate: () => true as never } },
    make: async (browser) => (await validating(browser)).validate(),
    line: { level: 50, msg: 'sign-in failed', problem: 'internal-error' },
  },
  {
    mistake: 'a session cookie that does not arrive',
    make: async (browser) => browser.createPost('canary'),
    line: { msg: 'post failed', problem: 'not-signed-in', reason: 'no session cookie arrived' },
  },
  {
    mistake: 'an access token that the service revoked',
    make: async (browser, bff) => {
      await signedIn(browser);
      bff.service.revokeTokensOf('31007');
      return browser.createPost('canary');
    },
    line: { msg: 'post failed', problem: 'not-signed-in', user: createLogId(COOKIE_SECRET)('31007') },
  },
  {
    mistake: 'prepare that returns nothing',
    settings: { posts: { prepare: () => undefined as never } },
    make: async (browser) => (await signedIn(browser)).createPost('canary'),
    line: { level: 50, msg: 'post failed', problem: 'internal-error', user: createLogId(COOKIE_SECRET)('31007') },
  },
  {
    mistake: 'a post that the publisher refuses',
    settings: { posts: { prepare: () => ({ ok: false, reason: 'canary' }) } },
    make: async (browser) => (await signedIn(browser)).createPost('canary'),
    line: { msg: 'post failed', problem: 'post-rejected', reason: 'the hook posts.prepare refused the post' },
  },
  {
    mistake: 'a service that is down',
    make: async (browser, bff) => {
      await signedIn(browser);
      await bff.service.down();
      return browser.createPost('canary');
    },
    line: { msg: 'post failed', problem: 'service-unavailable', setting: 'VESTIBULE_SERVICE_URL, VESTIBULE_STORE' },
  },
];

describe('a failure in the log', () => {
  for (const { mistake, settings = {}, make, line } of rows) {
    it(`has one line with the reason of ${mistake}`, async () => {
      await using bff = await startBff(settings);
      const response = await make(bff.browser(), bff);
      const problem = JSON.parse(response.text) as Problem;
      const id = problem.instance?.replace('urn:vestibule:request:', '');
      assert.equal(id, response.headers['x-request-id']);
      const [logged, ...more] = bff.log.filter((one) => one['request_id'] === id && (one['level'] as number) >= WARN);
      assert.deepEqual(more, []);
      assert.ok(logged, 'one line');
      for (const [name, value] of Object.entries({ level: WARN, ...line })) assert.equal(logged[name], value, name);
      assert.match(String(logged['reason']), /^\w/);
      assert.doesNotMatch(JSON.stringify(bff.log), /canary|Ada Quill/);
    });
  }

  it('is found by the reference on the page of a sign-in that failed', async () => {
    await using bff = await startBff();
    const { text, headers } = await bff.browser().get('/sync/authorize?forum=mistyped').set('Accept', 'text/html');
    assert.match(headers['content-type'] ?? '', /^text\/html/);
    const reference = /<p>Reference: <code>([\da-f]{8})<\/code><\/p>/.exec(text)?.[1] ?? 'no reference';
    const found = bff.log.filter((line) => (line['level'] as number) >= WARN && JSON.stringify(line).includes(reference));
    assert.deepEqual(found.map(({ msg, problem, request_id }) => [msg, problem, request_id]), [
      ['sign-in failed', 'forum-not-allowed', headers['x-request-id']],
    ]);
  });

  it('has none for what the form corrects', async () => {
    await using bff = await startBff({ validation: { fields: [{ name: 'age', type: 'number', label: 'Age', required: true }] } });
    const browser = bff.browser();
    await browser.start();
    await browser.validate();
    assert.deepEqual(bff.log.filter(({ level }) => (level as number) >= WARN), []);
  });
});
