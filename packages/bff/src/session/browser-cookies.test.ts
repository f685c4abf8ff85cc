import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cookies } from '../http/cookies.ts';
import { serve, type Served } from '../http/_serve.ts';
import { randomId } from '../lib/identifiers.ts';
import { BrowserCookies } from './browser-cookies.ts';

interface Found {
  readonly id: string;
  readonly session?: string;
  readonly syncs: readonly string[];
  readonly attempts: readonly string[];
}

type Answer = Awaited<ReturnType<Served['request']['get']>>;

/** Sets or clears a cookie as the path says; responds with the identifiers of the request. */
function serveCookies(): Promise<Served> {
  const cookies = new BrowserCookies(
    new Cookies({ cookieSecrets: ['a-cookie-secret-of-at-least-32-bytes'], publicUrl: 'https://bff.example' }),
    { sessionAbsoluteSeconds: 100, syncSeconds: 10 },
  );
  return serve((req, res) => {
    const id = randomId();
    if (req.path === '/session') cookies.setSessionId(res, id);
    if (req.path === '/sync') cookies.setSyncKey(res, id, cookies.syncKeys(req));
    if (req.path === '/attempt') cookies.setAttempt(res, id);
    if (req.path === '/sync/again') cookies.setSyncKey(res, cookies.syncKeys(req)[0] as string, cookies.syncKeys(req));
    if (req.path === '/clear') {
      cookies.clearSessionId(res);
      for (const key of cookies.syncKeys(req)) cookies.clearSyncKey(res, key);
      for (const suffix of cookies.attempts(req).keys()) cookies.clearAttempt(res, suffix);
    }
    const attempts = [...cookies.attempts(req).values()];
    res.json({ id, session: cookies.sessionId(req), syncs: cookies.syncKeys(req), attempts });
  });
}

const bodyOf = ({ body }: Answer) => body as Found;
const linesOf = ({ headers }: Answer) => headers['set-cookie'] as unknown as string[];
const pairOf = (line = '') => line.split(';')[0] ?? '';
const nameOf = (line = '') => line.split('=')[0] ?? '';
const isCleared = (line: string) => line.includes('Expires=Thu, 01 Jan 1970');

describe('BrowserCookies', () => {
  it('keeps the session in one Strict cookie for the absolute lifetime', async () => {
    await using served = await serveCookies();
    const [line, ...rest] = linesOf(await served.request.get('/session'));
    assert.match(line ?? '', /^__Host-Http-vestibule=s%3A__Host-Http-vestibule\.[\w-]{43}\.\S+; Max-Age=100; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/);
    assert.deepEqual(rest, []);
  });

  for (const [path, sameSite] of [['sync', 'Strict'], ['attempt', 'Lax']] as const) {
    it(`keeps each ${path} in a ${sameSite} cookie of its own for the lifetime of a sign-in`, async () => {
      await using served = await serveCookies();
      const [one, other] = [await served.request.get(`/${path}`), await served.request.get(`/${path}`)].map((res) => linesOf(res)[0]);
      assert.match(one ?? '', new RegExp(String.raw`^__Host-Http-vestibule-${path}-[\w-]{8}=s%3A\S+; Max-Age=10; Path=/; .*HttpOnly; Secure; SameSite=${sameSite}$`));
      assert.notEqual(nameOf(one), nameOf(other));
    });
  }

  it('reveals no part of a sign-in\'s key in a cookie name', async () => {
    await using served = await serveCookies();
    const res = await served.request.get('/sync');
    assert.ok(!bodyOf(res).id.startsWith(nameOf(linesOf(res)[0]).slice(-8)));
  });

  it('reads back each kind, apart', async () => {
    await using served = await serveCookies();
    const [session, sync, other, attempt] = [
      await served.request.get('/session'), await served.request.get('/sync'), await served.request.get('/sync'), await served.request.get('/attempt'),
    ];
    const cookie = [attempt, other, session, sync].map((res) => pairOf(linesOf(res)[0])).join('; ');
    const found = bodyOf(await served.request.get('/').set('Cookie', cookie));
    assert.equal(found.session, bodyOf(session).id);
    assert.deepEqual(found.syncs, [bodyOf(other).id, bodyOf(sync).id]);
    assert.deepEqual(found.attempts, [bodyOf(attempt).id]);
  });

  it('accepts no cookie under the name of another kind', async () => {
    await using served = await serveCookies();
    const value = (line = '') => pairOf(line).slice(pairOf(line).indexOf('=') + 1);
    for (const path of ['session', 'sync', 'attempt']) {
      const line = linesOf(await served.request.get(`/${path}`))[0];
      const names = ['vestibule', 'vestibule-sync-abcdefgh', 'vestibule-attempt-abcdefgh'].map((name) => `__Host-Http-${name}`);
      const cookie = names.filter((name) => name !== nameOf(line)).map((name) => `${name}=${value(line)}`).join('; ');
      const { session, syncs, attempts } = bodyOf(await served.request.get('/').set('Cookie', cookie));
      assert.deepEqual([session, syncs, attempts], [undefined, [], []], path);
    }
  });

  it('keeps five sign-ins of one browser: a further one clears the cookie of the oldest', async () => {
    await using served = await serveCookies();
    const pairs: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const lines = linesOf(await served.request.get('/sync').set('Cookie', pairs.join('; ')));
      assert.equal(lines.length, 1);
      pairs.push(pairOf(lines[0]));
    }
    const lines = linesOf(await served.request.get('/sync').set('Cookie', pairs.join('; ')));
    assert.deepEqual(lines.filter(isCleared).map(nameOf), [nameOf(pairs[0])]);
    const again = linesOf(await served.request.get('/sync/again').set('Cookie', pairs.join('; ')));
    assert.deepEqual(again.map(nameOf), [nameOf(pairs[0])]);
    assert.ok(!isCleared(again[0] ?? ''));
  });

  it('clears each kind under its name, with the attributes that it was set with', async () => {
    await using served = await serveCookies();
    const set = await Promise.all(['session', 'sync', 'attempt'].map(async (path) => linesOf(await served.request.get(`/${path}`))[0] ?? ''));
    const cleared = linesOf(await served.request.get('/clear').set('Cookie', set.map(pairOf).join('; ')));
    assert.ok(cleared.every(isCleared));
    const attributesOf = (line: string) => [nameOf(line), ...line.split('; ').filter((part) => /^(?:Path|HttpOnly|Secure|SameSite)/.test(part))];
    assert.deepEqual(cleared.map(attributesOf), set.map(attributesOf));
  });

  it('reads at most eight cookies of a kind', async () => {
    await using served = await serveCookies();
    for (const [path, kind] of [['sync', 'syncs'], ['attempt', 'attempts']] as const) {
      const pairs = await Promise.all(Array.from({ length: 12 }, async () => pairOf(linesOf(await served.request.get(`/${path}`))[0])));
      assert.equal(bodyOf(await served.request.get('/').set('Cookie', pairs.join('; ')))[kind].length, 8);
    }
  });

  it('reads none where there are none', async () => {
    await using served = await serveCookies();
    const { session, syncs, attempts } = bodyOf(await served.request.get('/'));
    assert.deepEqual([session, syncs, attempts], [undefined, [], []]);
  });
});
