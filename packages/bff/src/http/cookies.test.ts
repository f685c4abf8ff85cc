import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Cookies, type CookieSettings } from './cookies.ts';
import { serve, type Served } from './_serve.ts';

const NEW = 'a-cookie-secret-that-is-new-and-long';
const OLD = 'a-cookie-secret-that-is-old-and-long';

/** Writes and clears by path, tells by JSON what it reads. */
function serveCookies(settings: Partial<CookieSettings> = {}): Promise<Served> {
  const cookies = new Cookies({ cookieSecrets: [NEW], secure: false, ...settings });
  return serve((req, res) => {
    if (req.path === '/write') cookies.write(res, 'id', 'välue; =', { sameSite: 'strict', maxAgeMs: 5_000 });
    if (req.path === '/lax') cookies.write(res, 'id', 'value', { sameSite: 'lax', maxAgeMs: 5_000 });
    if (req.path === '/clear') cookies.clear(res, 'id', 'strict');
    const many = cookies.readAll(req, 'id');
    res.json({ one: many.get('') ?? null, many: Object.fromEntries(many) });
  });
}

async function written(served: Served, path = '/write'): Promise<string> {
  const [line, ...rest] = (await served.request.get(path)).headers['set-cookie'] as unknown as string[];
  assert.deepEqual(rest, []);
  return line ?? '';
}

/** The pair as a browser sends it back. */
const pairOf = (line: string): string => line.split(';')[0] ?? '';

async function read(served: Served, cookie: string): Promise<string | null> {
  return ((await served.request.get('/').set('Cookie', cookie)).body as { one: string | null }).one;
}

describe('Cookies', () => {
  it('sets HttpOnly, SameSite, Path=/ and no Domain; on http neither Secure nor a prefix', async () => {
    await using served = await serveCookies();
    assert.match(await written(served), /^id=s%3A\S+; Max-Age=5; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.match(await written(served, '/lax'), /; HttpOnly; SameSite=Lax$/);
  });

  it('sets Secure and the name __Host-Http- on https', async () => {
    await using served = await serveCookies({ secure: true });
    assert.match(await written(served), /^__Host-Http-id=s%3A\S+; Max-Age=5; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('clears with the attributes that it set', async () => {
    await using served = await serveCookies({ secure: true });
    assert.equal(await written(served, '/clear'), '__Host-Http-id=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict');
  });

  it('reads back what it wrote, among others', async () => {
    await using served = await serveCookies();
    const pair = pairOf(await written(served));
    assert.equal(await read(served, pair), 'välue; =');
    assert.equal(await read(served, `a=1; ${pair}; id2=x`), 'välue; =');
    assert.equal(await read(served, ''), null);
    assert.equal(await read(served, 'id'), null);
  });

  it('believes neither a name without the prefix on https nor one of another case', async () => {
    await using served = await serveCookies({ secure: true });
    const pair = pairOf(await written(served));
    assert.equal(await read(served, pair), 'välue; =');
    assert.equal(await read(served, pair.replace('__Host-Http-', '')), null);
    assert.equal(await read(served, pair.replace('__Host-Http-', '__host-http-')), null);
  });

  it('believes no cookie that arrives twice, in either order, even with one value', async () => {
    await using served = await serveCookies();
    const pair = pairOf(await written(served));
    for (const header of [`${pair}; id=tossed`, `id=tossed; ${pair}`, `${pair}; ${pair}`, `${pair};id=`]) {
      assert.equal(await read(served, header), null, header);
    }
  });

  it('believes no cookie that is altered, unsigned, or signed by another secret', async () => {
    await using served = await serveCookies();
    await using stranger = await serveCookies({ cookieSecrets: [OLD] });
    const pair = pairOf(await written(served));
    for (const cookie of [
      pair.replace('lue', 'lua'), pair.slice(0, -1), `${pair}a`, 'id=value', 'id=s%3Avalue', 'id=s%3Avalue.', 'id=s:.', 'id=j%3A%7B%7D', 'id=%',
      'id=%E0%A4%A', pairOf(await written(stranger)),
    ]) assert.equal(await read(served, cookie), null, cookie);
  });

  it('signs with the newest secret and believes all of them, so that secrets rotate', async () => {
    await using before = await serveCookies({ cookieSecrets: [OLD] });
    await using during = await serveCookies({ cookieSecrets: [NEW, OLD] });
    await using afterwards = await serveCookies({ cookieSecrets: [NEW] });
    assert.equal(await read(during, pairOf(await written(before))), 'välue; =');
    assert.equal(await read(afterwards, pairOf(await written(during))), 'välue; =');
    assert.equal(await read(afterwards, pairOf(await written(before))), null);
  });

  it('reads all whose name starts alike, each with a good signature, once', async () => {
    await using served = await serveCookies();
    const value = pairOf(await written(served)).slice('id='.length);
    const header = `id-a=${value}; id-b=tampered; id-c=${value}; id-c=${value}; x=${value}; id-__proto__=${value}`;
    const { many } = (await served.request.get('/').set('Cookie', header)).body as { many: object };
    assert.deepEqual(Object.entries(many).map(([name, found]) => [name, found as string]), [['-a', 'välue; ='], ['-__proto__', 'välue; =']]);
  });
});
