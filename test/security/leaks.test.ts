/** Canaries in everything that must not get out, through whole flows and through every failure of them. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { isLong } from '../lib/long-run.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { widgetFiles } from './_widget-files.ts';
import { startWorld, type Answer, type Browser, type World } from './_world.ts';

/** Flows in one run: all of them in the long one. */
const FLOWS = isLong ? 1_000 : 60;

interface Canaries {
  readonly codes: Set<string>;
  readonly tokens: Set<string>;
  readonly cookies: Set<string>;
  readonly texts: Set<string>;
}

const all: readonly (keyof Canaries)[] = ['codes', 'tokens', 'cookies', 'texts'];

describe('nothing leaks', () => {
  it(`through ${FLOWS} flows, failures included: not to a log, a problem, an address, the bundle or a plain byte of the store`, async () => {
    await using directory = await temporaryDirectory();
    await using world = await startWorld({
      store: `sqlite:${join(directory.path, 'store.db')}`,
      serviceTimeoutMs: 250,
      validation: {
        fields: [{ name: 'age', type: 'number', label: 'Your age', min: 18, onFail: 'reject' }, { name: 'about', type: 'text', label: 'About you' }],
        onAccepted: ({ answers }) => {
          if (answers['age'] === 99) throw new Error(`${String(answers['about'])} broke the hook`);
        },
      },
    });
    const canaries: Canaries = { codes: new Set(), tokens: new Set(), cookies: new Set(), texts: new Set() };
    const answers: Answer[] = [];
    for (let flow = 0; flow < FLOWS; flow += 1) await walk(world, flow, canaries, answers);
    collectTokens(world, canaries);
    assert.equal(canaries.codes.size, FLOWS);
    assert.ok(canaries.tokens.size > 5 && canaries.texts.size >= FLOWS && canaries.cookies.size > FLOWS / 2);

    const log = world.log.join('');
    assert.ok(log.length > 1_000);
    assertClean('the log', log, world, canaries, all);
    for (const { text, status } of answers.filter((answer) => answer.status >= 400)) {
      assertClean(`a problem with status ${status}`, text, world, canaries, all);
    }
    for (const answer of answers) {
      const allowed = (answer.json as { completion_url?: string } | undefined)?.completion_url ?? '';
      const body = answer.text.replaceAll(JSON.stringify(allowed).slice(1, -1), '');
      assertClean('an answer', body, world, canaries, ['codes', 'tokens']);
      const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie');
      assertClean('a header', JSON.stringify(headers), world, canaries, all);
      assertClean('a cookie', JSON.stringify(answer.headers.getSetCookie()), world, canaries, ['codes', 'tokens', 'texts']);
    }
    for (const { endpoint, path, headers } of world.service.requests) {
      assertClean(`the address of a request to ${endpoint}`, path, world, canaries, all);
      assertClean(`the headers of a request to ${endpoint}`, JSON.stringify({ ...headers, authorization: '' }), world, canaries, all);
    }
    assertClean('inspect() of the library', inspect(world.vestibule, { depth: 4 }), world, canaries, all);
    assertClean('the metrics', await world.vestibule.metrics(), world, canaries, all);
    for (const file of await readdir(directory.path)) {
      const bytes = (await readFile(join(directory.path, file))).toString('latin1');
      assertClean(`the store's file ${file}`, bytes, world, canaries, all);
    }
    for (const [name, content] of await widgetFiles()) {
      assertClean(`the bundle's ${name}`, content, world, canaries, []);
      assert.doesNotMatch(content, /hmac|client_secret|secretKey|createHmac/i, name);
    }
  });
});

/** The flow of one reader: most kinds fail at a place of their own. */
async function walk(world: World, flow: number, canaries: Canaries, answers: Answer[]): Promise<void> {
  const { faults } = world.service;
  const browser = world.browser();
  const keep = async (asked: Promise<Answer>) => {
    answers.push(await asked);
    noteCookies(browser, canaries);
  };
  const text = `textcanary${flow}x${crypto.randomUUID()}`;
  canaries.texts.add(text);
  const syncReturn = browser.issueReturn();
  canaries.codes.add(syncReturn['code'] as string);
  const kind = flow % 12;
  if (kind === 1) await keep(browser.ask(`/sync/return?${new URLSearchParams(syncReturn)}`, { headers: { accept: 'text/html' } }));
  if (kind === 2) await keep(browser.start({ ...syncReturn, audiencesync_uri: 'https://evil.example/' }));
  await keep(browser.start(syncReturn));
  if (kind === 3) await keep(browser.start(syncReturn));
  if (kind === 4) faults.next('token', { kind: 'reset' });
  if (kind === 5) faults.next('token', { kind: 'html' });
  if (kind === 6) faults.next('token', { kind: 'status', status: 400, body: { error: 'invalid_grant' } });
  if (kind === 7) await keep(browser.validate({ age: 99, about: text }));
  const shown = await browser.shown();
  if (kind === 8) await keep(browser.ask('/sync/cancel', { method: 'POST', json: { sync: shown.sync } }));
  for (const _ of ['first', 'repeated']) await keep(browser.validateShown(shown, { age: kind === 9 ? 12 : 30, about: text }));
  if (kind === 10) faults.next('posts', { kind: 'reset-after-commit' });
  if (kind === 11) faults.next('posts', { kind: 'html' });
  const key = crypto.randomUUID();
  await keep(browser.ask('/posts', { method: 'POST', headers: { 'idempotency-key': key }, json: { forum: text, message: text } }));
  answers.push(...(await Promise.all([browser.post(text, key)])).filter(({ status }) => status >= 400));
  await keep(browser.ask('/posts', { method: 'POST', headers: { 'idempotency-key': 'short' }, json: { forum: 'news', message: text } }));
  await keep(browser.ask('/posts', { method: 'POST', headers: { 'idempotency-key': key }, body: `{"forum":"news","message":"${text}` }));
  await keep(browser.ask('/session'));
  faults.clear();
}

function noteCookies(browser: Browser, { cookies }: Canaries): void {
  for (const value of browser.cookies.values()) cookies.add(decodeURIComponent(value).slice(2).split('.')[1] as string);
}

/** The tokens that the service gave out, as it saw them come back. */
function collectTokens({ service }: World, { tokens }: Canaries): void {
  for (const { headers } of service.requests) {
    const token = /access_token="([^"]+)"/.exec(headers['authorization']?.[0] ?? '')?.[1];
    if (token !== undefined) tokens.add(token);
  }
}

function assertClean(
  where: string,
  content: string,
  { service }: World,
  canaries: Canaries,
  kinds: readonly (keyof Canaries)[],
): void {
  assert.ok(!content.includes(service.secretKey), `the secret key is in ${where}`);
  assert.ok(!content.includes(COOKIE_SECRET), `the cookie secret is in ${where}`);
  for (const kind of kinds) {
    for (const canary of canaries[kind]) assert.ok(!content.includes(canary), `one of the ${kind} is in ${where}`);
  }
}
