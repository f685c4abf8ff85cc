import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { Store as LimiterStore } from 'express-rate-limit';
import type { Request } from 'express';
import { sha256 } from '../lib/identifiers.ts';
import { clientAddressHash, createRateLimits, type RateLimitDeps, type RateLimitKind } from './rate-limit.ts';
import { done, serveApp, type Served } from './_serve.ts';

const limits = { posts: 2, sync: 3, other: 4 };

interface Limited extends Served {
  /** Level, error and message of each line. */
  readonly lines: readonly (readonly [level: string, err: unknown, message: string | undefined])[];
}

/** `X-User` stands for the user of a live session, `X-Forwarded-For` for the client address. */
async function serveLimited(
  kind: RateLimitKind = 'posts',
  given: typeof limits | 'off' = limits,
  storeFor?: RateLimitDeps['storeFor'],
): Promise<Limited> {
  const lines: [string, unknown, string | undefined][] = [];
  const record = (level: string) => ({ err }: { err: unknown }, message?: string) => { lines.push([level, err, message]); };
  const log = { warn: record('warn'), debug: record('debug') };
  const limiters = createRateLimits({ limits: given, userIdOf: async (req) => req.get('X-User'), log, storeFor });
  return { ...await serveApp((app) => { app.set('trust proxy', 'loopback').use(limiters[kind], done); }), lines };
}

/** A store that does `increment`. */
function storeOf(increment: LimiterStore['increment']): LimiterStore {
  return { increment, decrement: () => undefined, resetKey: () => undefined };
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
    assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit')), []);
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

  for (const [remainingMs, retryAfter] of [[30_001, '31'], [30_000, '30'], [1, '1'], [0, '1'], [-5_000, '1']] as const) {
    it(`sends Retry-After: ${retryAfter} when ${remainingMs} ms of the window remain`, async (t) => {
      const now = 1_800_000_000_000;
      t.mock.timers.enable({ apis: ['Date'], now });
      await using served = await serveLimited('posts', limits, () => (
        storeOf(() => ({ totalHits: 3, resetTime: new Date(now + remainingMs) }))
      ));
      const { status, headers } = await served.request.get('/');
      assert.deepEqual([status, headers['retry-after']], [429, retryAfter]);
    });
  }

  for (const failure of [Object.assign(new Error('lost'), { code: 'LOST' }), new Error('lost'), 'lost', undefined]) {
    it(`allows requests while the store throws ${inspect(failure).split('\n')[0]}, and logs that at debug`, async () => {
      const message = 'express-rate-limit: error from store, allowing request without rate-limiting.';
      await using served = await serveLimited('posts', limits, () => storeOf(() => { throw failure; }));
      assert.deepEqual(await statuses(served, 3), [204, 204, 204]);
      assert.deepEqual(served.lines, Array(3).fill(['debug', failure, message]));
    });
  }

  it('logs a misconfiguration at warn', async () => {
    const resetTime = new Date(Date.now() + 60_000);
    await using served = await serveLimited('posts', limits, () => storeOf(() => ({ totalHits: 0, resetTime })));
    assert.deepEqual(await statuses(served, 1), [204]);
    const [[level, err, message] = [], ...others] = served.lines;
    const { code } = err as NodeJS.ErrnoException;
    assert.deepEqual([level, code, message, others], ['warn', 'ERR_ERL_INVALID_HITS', 'rate limiter', []]);
  });

  it('counts nothing if limits are off', async () => {
    await using served = await serveLimited('posts', 'off');
    assert.deepEqual(await statuses(served, 10), Array(10).fill(204));
    assert.equal((await served.request.get('/')).headers['ratelimit'], undefined);
  });
});

describe('clientAddressHash', () => {
  for (const [ip, network] of [
    ['192.0.2.7', '192.0.2.7'], ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'], [undefined, ''],
  ] as const) {
    it(`hashes ${network || 'the empty text'} for ${ip ?? 'a closed connection'}`, () => {
      assert.equal(clientAddressHash({ ip } as Request), sha256('address', network));
    });
  }
});
