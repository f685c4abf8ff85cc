import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRateLimits, type RateLimitDeps, type RateLimitKind } from './rate-limit.ts';
import { done, serve, type Served } from './_serve.ts';

const limits = { posts: 2, sync: 3, other: 4 };

interface Limited extends Served {
  /** What was logged, a level and a code each. */
  readonly lines: readonly string[];
}

/** The session of a request is what its `X-Session` says. */
async function serveLimited(
  kind: RateLimitKind = 'posts',
  given: typeof limits | 'off' = limits,
  storeFor?: RateLimitDeps['storeFor'],
): Promise<Limited> {
  const lines: string[] = [];
  const tell = (level: string) => ({ err }: { err: { code?: string } }) => { lines.push(`${level} ${err.code}`); };
  const log = { warn: tell('warn'), debug: tell('debug') };
  const limit = createRateLimits({ limits: given, sessionIdOf: (req) => req.get('X-Session'), log, storeFor })(kind);
  return { ...await serve(limit, done), lines };
}

async function statuses(served: Served, count: number, session?: string): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const request = served.request.get('/');
    found.push((await (session === undefined ? request : request.set('X-Session', session))).status);
  }
  return found;
}

describe('createRateLimits', () => {
  it('lets through as many as the kind of request allows', async () => {
    for (const kind of ['posts', 'sync', 'other'] as const) {
      await using served = await serveLimited(kind);
      assert.deepEqual(await statuses(served, limits[kind] + 1), [...Array<number>(limits[kind]).fill(204), 429]);
    }
  });

  it('counts each session, and an address without one, apart', async () => {
    await using served = await serveLimited();
    assert.deepEqual(await statuses(served, 3, 'a'), [204, 204, 429]);
    assert.deepEqual(await statuses(served, 3, 'b'), [204, 204, 429]);
    assert.deepEqual(await statuses(served, 3), [204, 204, 429]);
  });

  it('sends the RateLimit fields with every answer', async () => {
    await using served = await serveLimited();
    const { headers } = await served.request.get('/');
    assert.match(headers['ratelimit-policy'] ?? '', /^"posts"; q=2; w=60; pk=:[^:]+:$/);
    assert.match(headers['ratelimit'] ?? '', /^"posts"; r=1; t=\d+$/);
  });

  it('says when the window ends', async () => {
    await using served = await serveLimited();
    await statuses(served, 2);
    const { headers, body } = await served.request.get('/');
    assert.equal((body as { type: string }).type, 'urn:vestibule:too-many-requests');
    const rest = Number(/t=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    const retryAfter = Number(headers['retry-after']);
    assert.ok(retryAfter >= 1 && retryAfter <= 60 && retryAfter >= rest - 1, headers['retry-after']);
  });

  it('lets requests through while the counts cannot be kept, and says so at debug', async () => {
    const lost = () => Promise.reject(Object.assign(new Error('lost'), { code: 'LOST' }));
    await using served = await serveLimited('posts', limits, () => ({ increment: lost, decrement: lost, resetKey: lost }));
    assert.deepEqual(await statuses(served, 3), [204, 204, 204]);
    assert.deepEqual(served.lines, ['debug LOST', 'debug LOST', 'debug LOST']);
  });

  it('lets everything through where it is off', async () => {
    await using served = await serveLimited('posts', 'off');
    assert.deepEqual(await statuses(served, 5), [204, 204, 204, 204, 204]);
  });
});
