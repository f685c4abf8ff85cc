import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import cookieParser from 'cookie-parser';
import type { Request } from 'express';
import { Cookies, type CookieConfig } from './cookies.ts';
import { serve, type Served } from './_serve.ts';

const NEW = 'a-cookie-secret-that-is-new-and-long';
const OLD = 'a-cookie-secret-that-is-old-and-long';

/** Writes and clears by path; reports in JSON what it reads. */
function serveCookies(config: Partial<CookieConfig> = {}): Promise<Served> {
  const cookies = new Cookies({ cookieSecrets: [NEW], publicUrl: 'http://bff.example', ...config });
  return serve((req, res) => {
    if (req.path === '/write') cookies.write(res, 'id', 'välue; =', { sameSite: 'strict', maxAgeMs: 5_000 });
    if (req.path.startsWith('/write/')) cookies.write(res, req.path.slice(7), 'value', { sameSite: 'strict', maxAgeMs: 5_000 });
    if (req.path === '/lax') cookies.write(res, 'id', 'value', { sameSite: 'lax', maxAgeMs: 5_000 });
    if (req.path === '/clear') cookies.clear(res, 'id', 'strict');
    res.json({ one: cookies.read(req, 'id') ?? null, many: [...cookies.readAll(req, 'id-')] });
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
  it('sets HttpOnly, SameSite and Path=/, but no Domain; on http neither Secure nor a prefix', async () => {
    await using served = await serveCookies();
    assert.match(await written(served), /^id=s%3A\S+; Max-Age=5; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    assert.match(await written(served, '/lax'), /; HttpOnly; SameSite=Lax$/);
  });

  it('sets Secure and the prefix __Host-Http- on https', async () => {
    await using served = await serveCookies({ publicUrl: 'https://bff.example' });
    assert.match(await written(served), /^__Host-Http-id=s%3A\S+; Max-Age=5; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('clears a cookie with the attributes that set it', async () => {
    await using served = await serveCookies({ publicUrl: 'https://bff.example' });
    assert.equal(await written(served, '/clear'), '__Host-Http-id=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict');
  });

  it('reads the value that it wrote, among other cookies', async () => {
    await using served = await serveCookies();
    const pair = pairOf(await written(served));
    assert.equal(await read(served, pair), 'välue; =');
    assert.equal(await read(served, `a=1; ${pair}; id2=x`), 'välue; =');
    assert.equal(await read(served, ''), null);
    assert.equal(await read(served, 'id'), null);
  });

  it('ignores spaces around a name and a value, and texts without =', async () => {
    await using served = await serveCookies();
    const pair = pairOf(await written(served));
    for (const header of [`a = 1 ; ${pair.replace('=', ' = ')} ; b`, `idx; ${pair}`, `${pair}; idx`]) {
      assert.equal(await read(served, header), 'välue; =', header);
    }
  });

  it('ignores names without the prefix on https and names in another case', async () => {
    await using served = await serveCookies({ publicUrl: 'https://bff.example' });
    const pair = pairOf(await written(served));
    assert.equal(await read(served, pair), 'välue; =');
    assert.equal(await read(served, pair.replace('__Host-Http-', '')), null);
    assert.equal(await read(served, pair.replace('__Host-Http-', '__host-http-')), null);
  });

  it('ignores duplicate cookies, in either order, even with the same value', async () => {
    await using served = await serveCookies();
    const pair = pairOf(await written(served));
    for (const header of [`${pair}; id=tossed`, `id=tossed; ${pair}`, `${pair}; ${pair}`, `${pair};id=`]) {
      assert.equal(await read(served, header), null, header);
    }
  });

  it('ignores cookies that are altered, unsigned, or signed with another secret', async () => {
    await using served = await serveCookies();
    await using stranger = await serveCookies({ cookieSecrets: [OLD] });
    const pair = pairOf(await written(served));
    for (const cookie of [
      pair.replace('lue', 'lua'), pair.slice(0, -1), `${pair}a`, 'id=value', 'id=s%3Avalue', 'id=s%3Avalue.', 'id=s:.', 'id=j%3A%7B%7D', 'id=%',
      'id=%E0%A4%A', pairOf(await written(stranger)),
    ]) assert.equal(await read(served, cookie), null, cookie);
  });

  it('reads a signed value that is not percent-encoded', async () => {
    await using served = await serveCookies();
    const signature = createHmac('sha256', NEW).update('id.50%').digest('base64').replace('=', '');
    assert.equal(await read(served, `id=s:id.50%.${signature}`), '50%');
  });

  it('signs with the newest secret and accepts all of them, so that secrets can be rotated', async () => {
    await using before = await serveCookies({ cookieSecrets: [OLD] });
    await using during = await serveCookies({ cookieSecrets: [NEW, OLD] });
    await using afterwards = await serveCookies({ cookieSecrets: [NEW] });
    assert.equal(await read(during, pairOf(await written(before))), 'välue; =');
    assert.equal(await read(afterwards, pairOf(await written(during))), 'välue; =');
    assert.equal(await read(afterwards, pairOf(await written(before))), null);
  });

  it('accepts a cookie under its own name only', async () => {
    await using served = await serveCookies();
    const value = pairOf(await written(served)).slice('id='.length);
    const { many } = (await served.request.get('/').set('Cookie', `id-a=${value}`)).body as { many: unknown };
    assert.deepEqual(many, []);
    const other = pairOf(await written(served, '/write/id-a')).slice('id-a='.length);
    assert.equal(await read(served, `id=${other}`), null);
  });

  it('reads cookies by prefix, each signed and unique', async () => {
    await using served = await serveCookies();
    const [a, b, c, x, proto] = await Promise.all(
      ['id-a', 'id-b', 'id-c', 'x', 'id-__proto__'].map(async (name) => pairOf(await written(served, `/write/${name}`))),
    ) as [string, string, string, string, string];
    const { body } = await served.request.get('/').set('Cookie', [a, `${b}x`, c, c, x, proto].join('; '));
    assert.deepEqual((body as { many: unknown }).many, [['a', 'value'], ['__proto__', 'value']]);
  });

  it('verifies 16 cookies of one prefix', async () => {
    await using served = await serveCookies();
    const pairs = await Promise.all(Array.from({ length: 17 }, async (_, i) => pairOf(await written(served, `/write/id-${i}`))));
    const { many } = (await served.request.get('/').set('Cookie', pairs.join('; '))).body as { many: unknown };
    assert.deepEqual(many, Array.from({ length: 16 }, (_, i) => [String(i), 'value']));
  });

  it('parses the header of a request once', () => {
    const cookies = new Cookies({ cookieSecrets: [NEW], publicUrl: 'http://bff.example' });
    let reads = 0;
    const headers = { get cookie() { reads += 1; return 'id=a'; } };
    const req = { headers } as unknown as Request;
    cookies.read(req, 'id');
    cookies.readAll(req, 'id-');
    assert.equal(reads, 1);
  });

  it('reads a header at the size limit within 5 ms', () => {
    const cookies = new Cookies({ cookieSecrets: [NEW, OLD, `${OLD}er`], publicUrl: 'http://bff.example' });
    const forged = Array.from({ length: 700 }, (_, i) => `id-${i}=s:id-${i}.v.x`).join('; ');
    assert.ok(forged.length > 12_000 && forged.length < 16_384);
    for (const cookie of [forged, 'a=;'.repeat(5_000), ';'.repeat(16_000), 'id=s:id.'.repeat(2_000)]) {
      const req = { headers: { cookie } } as Request;
      const durations = Array.from({ length: 5 }, () => {
        const beganAt = performance.now();
        cookies.read(req, 'id');
        cookies.readAll(req, 'id-');
        return performance.now() - beganAt;
      });
      assert.ok(Math.min(...durations) < 5, `${Math.min(...durations)} ms`);
    }
  });

  it('leaves the secret of a host application in place if the response was sent before', async () => {
    const cookies = new Cookies({ cookieSecrets: [NEW], publicUrl: 'http://bff.example' });
    let thrown: unknown;
    let secret: string | undefined;
    await using served = await serve(cookieParser('the secret of the host application'), (req, res) => {
      res.end();
      try {
        cookies.write(res, 'id', 'value', { sameSite: 'strict', maxAgeMs: 5_000 });
      } catch (error) {
        thrown = error;
      }
      ({ secret } = req as { readonly secret?: string });
    });
    await served.request.get('/');
    assert.equal((thrown as NodeJS.ErrnoException).code, 'ERR_HTTP_HEADERS_SENT');
    assert.equal(secret, 'the secret of the host application');
  });

  it('ignores the cookie-parser of a host application and leaves its secret in place', async () => {
    const cookies = new Cookies({ cookieSecrets: [NEW], publicUrl: 'http://bff.example' });
    await using served = await serve(cookieParser('the secret of the host application'), (req, res) => {
      if (req.path === '/write') cookies.write(res, 'id', 'value', { sameSite: 'strict', maxAgeMs: 5_000 });
      res.cookie('theirs', 'value', { signed: true });
      res.json({ ours: cookies.read(req, 'id') ?? null, theirs: (req.signedCookies as { theirs?: string }).theirs ?? null });
    });
    const lines = (await served.request.get('/write')).headers['set-cookie'] as unknown as string[];
    const { body } = await served.request.get('/').set('Cookie', lines.map(pairOf).join('; '));
    assert.deepEqual(body, { ours: 'value', theirs: 'value' });
  });
});
