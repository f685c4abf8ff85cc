/** The service is away for a minute while readers post. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';
import { nothingLost, people, Posters } from './_posters.ts';

/** `VESTIBULE_LONG_SHARE=0.1` runs a tenth of the time. */
const share = Number(process.env['VESTIBULE_LONG_SHARE'] ?? 1);

const OUTAGE_MS = 60_000 * share;

async function start() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], readers: people, recordRequests: false }));
  const { path } = stack.use(await temporaryDirectory());
  const bff = stack.use(await startProcess(bffEnvironment(service, PUBLIC_URL, {
    VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_RATE_LIMITS: 'off', VESTIBULE_SERVICE_TIMEOUT_MS: '1000',
  })));
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
