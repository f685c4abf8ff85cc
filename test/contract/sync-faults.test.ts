/** The store fails at operation n, for every n of a sign-in, of a post and of a sign-out (contract, section 3). */

import { startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { describeFaults, FaultRun, flows } from '../lib/fault-run.ts';

/** Runs at the same time: each waits for the retries of the BFF. */
const PARALLEL = 16;

type Failure = Parameters<FailingStore['failAt']>[1];

const failures: Readonly<Record<string, Failure>> = {
  'fails once without effect': { applied: false },
  'loses one reply': { applied: true },
  'is away from there until the request is answered': { applied: false, times: Infinity },
  'loses the replies from there until the request is answered': { applied: true, times: Infinity },
};

type Flow = (typeof flows)[string];

for (const [name, flow] of Object.entries(flows)) {
  for (const [what, failure] of Object.entries(failures)) {
    describeFaults(`${name}, while the store ${what}, at each of its operations`, async () => {
      const runs: FaultRun[] = [];
      while (runs.every(({ hasFailed }) => hasFailed)) {
        const n = runs.length + 1;
        runs.push(...await Promise.all(Array.from({ length: PARALLEL }, (_, i) => play(flow, failure, n + i))));
      }
      return runs;
    });
  }
}

async function play(flow: Flow, failure: Failure, n: number): Promise<FaultRun> {
  let now = Date.now;
  const store = new FailingStore(() => now());
  await using bff = await startBff({ rateLimits: 'off' }, { store });
  now = bff.now;
  const run = new FaultRun(flow, {
    service: bff.service,
    browser: () => bff.browser(),
    arm: () => { store.failAt(n, failure); },
    hasFailed: () => store.hasFailed,
    recover: () => { store.recover(); },
    pause: (seconds) => { bff.passTime(seconds); },
  }, `operation ${n}`);
  await run.play();
  return run;
}
