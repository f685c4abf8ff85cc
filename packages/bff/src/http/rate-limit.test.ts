import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateLimits, type RateLimitDeps, type RateLimitKind } from './rate-limit.ts';
import { done, serveApp, type Served } from './_serve.ts';

const limits = { posts: 2, sync: 3, other: 4 };

interface Limited extends Served {
  /** Level and code of each logged error. */
  readonly lines: readonly string[];
}

/** `X-User` stands for the user of a live session, `X-Forwarded-For` for the client address. */
async function serveLimited(
  kind: RateLimitKind = 'posts',
  given: typeof limits | 'off' = limits,
  storeFor?: RateLimitDeps['storeFor'],
): Promise<Limited> {
  const lines: string[] = [];
  const record = (level: string) => ({ err }: { err: { code?: string } }) => { lines.push(`${level} ${err.code}`); };
  const log = { warn: record('warn'), debug: record('debug') };
  const limiters = createRateLimits({ limits: given, userIdOf: async (req) => req.get('X-User'), log, storeFor });
  return { ...await serveApp((app) => { app.set('trust proxy', 'loopback').use(limiters[kind], done); }), lines };
}

async function statuses(served: Served, count: number, headers: Readonly<Record<string, string>> = {}): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) found.push((await served.request.get('/').set(headers)).status);
  return found;
}

describe('createRateLimits', () => {
  it('allows as many requests as the limit of their kind', async () => {
    for (const kind of ['posts', 'sync', 'other'] as const) {
      await using served = await serveLimited(kind);
      assert.deepEqual(await statuses(served, limits[kind] + 1), [...Array<number>(limits[kind]).fill(204), 429]);
    }
  });

  for (const kind of ['posts', 'other'] as const) {
    it(`counts ${kind} per user, and per address without one`, async () => {
      await using served = await serveLimited(kind);
      const exhausted = [...Array<number>(limits[kind]).fill(204), 429];
      assert.deepEqual(await statuses(served, limits[kind] + 1, { 'X-User': 'a' }), exhausted);
      assert.deepEqual(await statuses(served, 1, { 'X-User': 'a', 'X-Forwarded-For': '192.0.2.7' }), [429]);
      assert.deepEqual(await statuses(served, limits[kind] + 1, { 'X-User': 'b' }), exhausted);
      assert.deepEqual(await statuses(served, limits[kind] + 1), exhausted);
      assert.deepEqual(await statuses(served, 1, { 'X-Forwarded-For': '192.0.2.7' }), [204]);
    });
  }

  it('counts sync per address, also for signed-in readers', async () => {
    await using served = await serveLimited('sync');
    assert.deepEqual(await statuses(served, 2, { 'X-User': 'a' }), [204, 204]);
    assert.deepEqual(await statuses(served, 2, { 'X-User': 'b' }), [204, 429]);
    assert.deepEqual(await statuses(served, 1), [429]);
    assert.deepEqual(await statuses(served, 1, { 'X-Forwarded-For': '192.0.2.7' }), [204]);
  });

  it('counts all addresses of an IPv6 /64 together, and IPv4 addresses apart', async () => {
    await using served = await serveLimited('sync');
    const statusesOf = async (...addresses: string[]) => (
      (await Promise.all(addresses.map((address) => statuses(served, 1, { 'X-Forwarded-For': address })))).flat()
    );
    assert.deepEqual(await statusesOf('2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3'), [204, 204, 204]);
    assert.deepEqual(await statusesOf('2001:db8:1:2:abcd:ef01:2345:6789', '2001:db8:1:3::1'), [429, 204]);
    assert.deepEqual(await statusesOf('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1'), [204, 204, 204, 204, 429]);
  });

  it('sends the RateLimit fields with each response', async () => {
    await using served = await serveLimited();
    const { headers } = await served.request.get('/');
    assert.match(headers['ratelimit-policy'] ?? '', /^"posts"; q=2; w=60; pk=:[^:]+:$/);
    assert.match(headers['ratelimit'] ?? '', /^"posts"; r=1; t=\d+$/);
  });

  it('sends Retry-After until the end of the window', async () => {
    await using served = await serveLimited();
    await statuses(served, 2);
    const { headers, body } = await served.request.get('/');
    assert.equal((body as { type: string }).type, 'urn:vestibule:too-many-requests');
    const rest = Number(/t=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    const retryAfter = Number(headers['retry-after']);
    assert.ok(retryAfter >= 1 && retryAfter <= 60 && retryAfter >= rest - 1, headers['retry-after']);
  });

  it('allows requests while the store fails, and logs that at debug', async () => {
    const lost = () => Promise.reject(Object.assign(new Error('lost'), { code: 'LOST' }));
    await using served = await serveLimited('posts', limits, () => ({ increment: lost, decrement: lost, resetKey: lost }));
    assert.deepEqual(await statuses(served, 3), [204, 204, 204]);
    assert.deepEqual(served.lines, ['debug LOST', 'debug LOST', 'debug LOST']);
  });

  it('allows every request if limits are off', async () => {
    await using served = await serveLimited('posts', 'off');
    assert.deepEqual(await statuses(served, 5), [204, 204, 204, 204, 204]);
  });
});
