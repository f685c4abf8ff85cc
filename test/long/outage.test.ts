/** The service is away for a minute, or fails at random for minutes, while readers post. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { startEmulatedService } from '../service/index.ts';
import { nothingLost, people, Posters } from './_posters.ts';

/** `VESTIBULE_LONG_SHARE=0.1` runs a tenth of the time. */
const share = Number(process.env['VESTIBULE_LONG_SHARE'] ?? 1);

const OUTAGE_MS = 60_000 * share;
const SOAK_MS = 240_000 * share;
const WARM_UP_MS = 40_000 * share;
const CENSUS_EVERY_MS = 10_000 * share;
const MAX_GROWTH_BYTES_A_MINUTE = 1024 * 1024;

const faults = [
  { probability: 0.02, fault: { kind: 'hang-after-commit' } },
  { probability: 0.03, fault: { kind: 'reset-after-commit' } },
  { probability: 0.05, fault: { kind: 'status', status: 502 } },
  { probability: 0.1, fault: { kind: 'delay', delayMs: 200 } },
] as const;

async function start(nodeArgs: readonly string[] = []) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], readers: people, recordRequests: false }));
  const { path } = stack.use(await temporaryDirectory({ inMemory: true }));
  const bff = stack.use(await startProcess(bffEnvironment(service, PUBLIC_URL, {
    VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_RATE_LIMITS: 'off', VESTIBULE_SERVICE_TIMEOUT_MS: '1000',
  }), [], { nodeArgs }));
  const posters = stack.use(await Posters.start(() => bff.browser(service)));
  const disposal = stack.move();
  return { service, bff, posters, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}

describe(`an outage of the service of ${OUTAGE_MS / 1_000} s`, () => {
  const outages = {
    'refused connections': (service) => service.down().then(() => () => service.up()),
    'no responses': async (service) => {
      service.faults.always('posts', { kind: 'hang' });
      return async () => { service.faults.clear(); };
    },
  } satisfies Record<string, (service: Awaited<ReturnType<typeof start>>['service']) => Promise<() => Promise<void>>>;

  for (const [what, begin] of Object.entries(outages)) {
    it(`with ${what} loses nothing, keeps sessions readable, and ends by itself`, async (t) => {
      await using run = await start();
      const { service, bff, posters } = run;
      await posters.served();
      const end = await begin(service);
      const endsAt = performance.now() + OUTAGE_MS;
      while (performance.now() < endsAt) {
        assert.equal((await fetch(`${bff.url}/session`)).status, 200);
        await pause(500);
      }
      await end();
      await posters.served();
      assert.deepEqual(await posters.report(service), nothingLost);
      t.diagnostic(`${posters.acknowledged.length} comments acknowledged, ${posters.unknown.length} unknown`);
    });
  }
});

describe(`${SOAK_MS / 1_000} s before a service that fails at random`, () => {
  it('lose nothing, and leave the heap level', async (t) => {
    await using run = await start(['--expose-gc', '--import', import.meta.resolve('./_census.ts')]);
    const { service, bff, posters } = run;
    service.faults.mix('posts', faults, 7);
    const heaps: { readonly at: number; readonly bytes: number }[] = [];
    const startedAt = performance.now();
    for (let n = 1; performance.now() - startedAt < SOAK_MS; n += 1) {
      await pause(CENSUS_EVERY_MS);
      bff.process.child.kill('SIGUSR2');
      const { heapBytes } = await until('a census', () => bff.process.logged(`census ${n}`));
      if (performance.now() - startedAt > WARM_UP_MS) heaps.push({ at: performance.now(), bytes: Number(heapBytes) });
    }
    const growth = growthAMinute(heaps);
    assert.deepEqual(await posters.report(service), nothingLost);
    t.diagnostic(`${posters.acknowledged.length} comments acknowledged; the heap grows by ${Math.round(growth / 1024)} KiB a minute`);
    assert.ok(growth <= MAX_GROWTH_BYTES_A_MINUTE, `${Math.round(growth / 1024)} KiB a minute`);
  });
});

/** The slope of the line that fits best. */
function growthAMinute(heaps: readonly { readonly at: number; readonly bytes: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanAt, meanBytes] = [mean(heaps.map(({ at }) => at)), mean(heaps.map(({ bytes }) => bytes))];
  const covariance = mean(heaps.map(({ at, bytes }) => (at - meanAt) * (bytes - meanBytes)));
  return covariance / mean(heaps.map(({ at }) => (at - meanAt) ** 2)) * 60_000;
}
