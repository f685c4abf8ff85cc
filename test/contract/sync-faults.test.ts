/** The store fails at operation n, for every n of a sign-in, of a post and of a sign-out (contract, section 3). */

import { startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { describeFaults, FaultRun, flows } from '../lib/fault-run.ts';

/** Runs of one sweep at the same time: each waits for the retries of the BFF. Those beyond the last operation are for nothing. */
const PARALLEL = 4;

type Failure = Parameters<FailingStore['failAt']>[1];

const failures: Readonly<Record<string, Failure>> = {
  'fails once without effect': { applied: false },
  'loses one reply': { applied: true },
  'is away from there until the request is answered': { applied: false, times: Infinity },
  'loses the replies from there until the request is answered': { applied: true, times: Infinity },
};

type Flow = (typeof flows)[string];

const sweeps = Object.entries(flows).flatMap(([name, flow]) => Object.entries(failures).map(([what, failure]) => (
  { name: `${name}, while the store ${what}, at each of its operations`, run: () => sweep(flow, failure) }
)));

/** The sweeps, which wait more than they compute, run together. */
let running: readonly Promise<FaultRun[]>[] | undefined;

for (const [i, { name }] of sweeps.entries()) {
  describeFaults(name, () => (running ??= sweeps.map(({ run }) => run()))[i]!);
}

async function sweep(flow: Flow, failure: Failure): Promise<FaultRun[]> {
  const runs: FaultRun[] = [];
  while (runs.every(({ hasFailed }) => hasFailed)) {
    const n = runs.length + 1;
    runs.push(...await Promise.all(Array.from({ length: PARALLEL }, (_, i) => play(flow, failure, n + i))));
  }
  return runs;
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
    // A request that the failure interrupted counts as at work for 15 s.
    pause: (seconds) => { bff.passTime(Math.max(seconds, 20)); },
  }, `operation ${n}`);
  await run.play();
  return run;
}
