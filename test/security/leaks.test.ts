/** Canaries in everything that must not get out, through whole flows and through every failure of them. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Response } from 'supertest';
import { startBff, type Bff } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { setCookies, type ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

/** One of each kind. */
const FLOWS = 12;

const BUNDLE = join(import.meta.dirname, '../../packages/widget/dist/browser');

/** What each kind of secret may appear in is stated where it is checked. */
interface Canaries {
  readonly codes: Set<string>;
  readonly tokens: Set<string>;
  readonly cookies: Set<string>;
  readonly texts: Set<string>;
}

const all: readonly (keyof Canaries)[] = ['codes', 'tokens', 'cookies', 'texts'];

describe('a secret', () => {
  it(`is in no log, problem, URL, bundle or plain byte of the store, after ${FLOWS} flows with failures`, async () => {
    await using directory = await temporaryDirectory();
    await using bff = await startBff({
      store: `sqlite:${join(directory.path, 'store.db')}`,
      serviceTimeoutMs: 2_000,
      rateLimits: 'off',
      validation: {
        fields: [{ name: 'age', type: 'number', label: 'Your age', min: 18, onFail: 'reject' }, { name: 'about', type: 'text', label: 'About you' }],
        onAccepted: ({ answers }) => {
          if (answers['age'] === 99) throw new Error(`${String(answers['about'])} broke the hook`);
        },
      },
    });
    const canaries: Canaries = { codes: new Set(), tokens: new Set(), cookies: new Set(), texts: new Set() };
    const responses: Response[] = [];
    for (let flow = 0; flow < FLOWS; flow += 1) await walk(bff, flow, canaries, responses);
    collectTokens(bff, canaries);
    const sizes = all.map((kind) => canaries[kind].size);
    assert.ok(sizes.every((size) => size > FLOWS / 2), sizes.join(' '));

    assert.ok(bff.log.length > FLOWS);
    // At `debug` alone the message of a hook's error is there, which this hook made of an answer.
    const lines = bff.log.filter(({ error_message: message }) => message === undefined);
    assert.equal(bff.log.length, lines.length + 1);
    assertClean('the log', JSON.stringify(lines), bff, canaries, all);
    for (const res of responses) {
      if (res.status >= 400) assertClean(`a problem with status ${res.status}`, res.text, bff, canaries, all);
      // The completion URL contains the token, as the service requires.
      const allowed = JSON.stringify((res.body as { completion_url?: string }).completion_url ?? '').slice(1, -1);
      assertClean('a body', allowed === '' ? res.text : res.text.replaceAll(allowed, ''), bff, canaries, ['codes', 'tokens']);
      assertClean('a header', JSON.stringify({ ...res.headers, 'set-cookie': '' }), bff, canaries, all);
      assertClean('a cookie', setCookies(res).join('\n'), bff, canaries, ['codes', 'tokens', 'texts']);
    }
    for (const { endpoint, path, headers } of bff.service.requests) {
      assertClean(`the URL of a request to ${endpoint}`, path, bff, canaries, all);
      assertClean(`the headers of a request to ${endpoint}`, JSON.stringify({ ...headers, authorization: '' }), bff, canaries, all);
    }
    assertClean('inspect() of the library', inspect(bff.vestibule, { depth: 4 }), bff, canaries, all);
    assertClean('the metrics', await bff.vestibule.metrics(), bff, canaries, all);
    for (const file of await readdir(directory.path)) {
      assertClean(`the store's file ${file}`, (await readFile(join(directory.path, file))).toString('latin1'), bff, canaries, all);
    }
    for (const file of (await readdir(BUNDLE, { recursive: true })).filter((name) => name.endsWith('.js'))) {
      assert.doesNotMatch(await readFile(join(BUNDLE, file), 'utf8'), /hmac|client_secret|secretKey/i, file);
    }
  });
});

/** The flow of one reader: most kinds fail at a place of their own. */
async function walk(bff: Bff, flow: number, canaries: Canaries, responses: Response[]): Promise<void> {
  const { faults } = bff.service;
  const browser = bff.browser();
  const keep = async (response: PromiseLike<Response>) => {
    responses.push(await response);
    noteCookies(browser, canaries);
  };
  const text = `textcanary${flow}x${crypto.randomUUID()}`;
  canaries.texts.add(text);
  const syncReturn = browser.issueReturn();
  canaries.codes.add(syncReturn.code);
  if (flow === 1) await keep(browser.receive(syncReturn, { Accept: 'text/html' }));
  if (flow === 2) await keep(browser.start({ ...syncReturn, audiencesync_uri: 'https://evil.example/' }));
  await keep(browser.start(syncReturn));
  if (flow === 3) await keep(browser.start(syncReturn));
  if (flow === 4) faults.next('token', { kind: 'reset' });
  if (flow === 5) faults.next('token', { kind: 'html' });
  if (flow === 6) faults.next('token', { kind: 'status', status: 400, body: { error: 'invalid_grant' } });
  if (flow === 7) await keep(browser.validate({ age: 99, about: text }));
  const shown = await browser.shown();
  if (flow === 8) await keep(browser.cancelShown(shown));
  for (const _ of ['first', 'repeated']) await keep(browser.validateShown(shown, { age: flow === 9 ? 12 : 30, about: text }));
  if (flow === 10) faults.next('posts', { kind: 'reset-after-commit' });
  if (flow === 11) faults.next('posts', { kind: 'html' });
  const key = crypto.randomUUID();
  await keep(browser.createPost(text, { key, forum: text }));
  const posted = await browser.createPost(text, { key });
  if (!posted.ok) await keep(Promise.resolve(posted));
  await keep(browser.createPost(text, { key: 'short' }));
  await keep(browser.post('/posts', `{"forum":"news","message":"${text}`).set('Idempotency-Key', key));
  await keep(browser.get('/session'));
  faults.clear();
}

/** The secret part of each cookie: the id in `id.tag` of a session, whose tag names the reader in the log; otherwise the last. */
function noteCookies(browser: ReaderClient, { cookies }: Canaries): void {
  for (const pair of browser.cookies().split('; ')) {
    const secret = decodeURIComponent(pair).split('.').at(pair.startsWith('vestibule=') ? -3 : -2);
    if (secret !== undefined) cookies.add(secret);
  }
}

/** The tokens that the service issued, as they came back to it. */
function collectTokens({ service }: Bff, { tokens }: Canaries): void {
  for (const { headers } of service.requests) {
    const token = /access_token="([^"]+)"/.exec(headers['authorization']?.[0] ?? '')?.[1];
    if (token !== undefined) tokens.add(token);
  }
}

function assertClean(where: string, content: string, { service }: Bff, canaries: Canaries, kinds: typeof all): void {
  assert.ok(![service.secretKey, COOKIE_SECRET].some((secret) => content.includes(secret)), `a key is in ${where}`);
  for (const kind of kinds) {
    for (const canary of canaries[kind]) assert.ok(!content.includes(canary), `one of the ${kind} is in ${where}`);
  }
}
