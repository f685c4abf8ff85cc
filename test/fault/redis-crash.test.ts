/** Kills a Redis with an append-only file and the BFF in turn, while readers post. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isLong } from '../lib/long-run.ts';
import { startRedis, type RedisServer } from '../store/_redis-server.ts';
import { broken, figures, runCrashes } from './_crash-run.ts';
import type { MortalBff } from './_mortal-bff.ts';
import type { Outages } from './_outages.ts';

const KILLS = isLong ? 100 : 9;

const READY_TIMEOUT_MS = 30_000;

describe('a Redis that is killed repeatedly', () => {
  it('loses no session, doubles no post, and loses no acknowledged post', { timeout: 1_100_000 }, async (t) => {
    await using redis = await startRedis({ settings: ['--appendfsync', 'always'] });
    let turn = 0;
    const report = await runCrashes({
      store: `redis://${redis.host}`,
      kills: KILLS,
      kill: async (bff, outages) => (turn++ % 3 < 2 ? killRedis(redis, bff, outages) : bff.killAndRestart()),
    });
    t.diagnostic(figures(report));
    assert.deepEqual(broken(report), {});
    assert.ok(report.acknowledged > 0 && report.unknown > 0 && report.acknowledged + report.unknown > KILLS, 'too few posts');
  });
});

/** The outage ends when the BFF is ready again. */
async function killRedis(redis: RedisServer, bff: MortalBff, outages: Outages): Promise<void> {
  const over = outages.begin();
  await redis.kill();
  await redis.start();
  const readiness = `${await bff.url}/readyz`;
  // A connection above the limits of the BFF is closed.
  const isReady = () => fetch(readiness, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).then(({ ok }) => ok, () => false);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!await isReady()) {
    if (performance.now() > deadline) throw new Error('the BFF is not ready after a restart of Redis');
    await wait(20);
  }
  over();
}
