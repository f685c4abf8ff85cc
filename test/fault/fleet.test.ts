/** Parts of a fleet die: no post is doubled, no acknowledged post is lost, no reader is signed out, and the fleet recovers. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLong } from '../lib/long-run.ts';
import { runFleet, type FleetEvent, type FleetReport } from './_fleet-run.ts';
import { startClusterTopology, startSentinelTopology } from './_redis-topologies.ts';

const events: readonly FleetEvent[] = ['kill a BFF', 'cut a BFF off', 'kill a master'];
const longEvents: readonly FleetEvent[] = [...events, 'kill a master while a BFF is cut off', 'kill a master'];

const scale = isLong
  ? { sessions: 200_000, posters: 500, pauseMs: 10_000, serviceTimeoutMs: 3_000, events: longEvents, restartsMasters: true }
  : { sessions: 500, posters: 12, pauseMs: 300, serviceTimeoutMs: 1_000, events, restartsMasters: false };

const RECOVERY_MS = isLong ? 30_000 : 20_000;

const topologies = { 'Redis Cluster': startClusterTopology, 'a master, a replica and Sentinels': startSentinelTopology };

describe('three BFFs behind nginx', { concurrency: !isLong }, () => {
  for (const [name, startTopology] of Object.entries(topologies)) {
    it(`on ${name} lose no acknowledged post and double none when BFFs and masters die`, { timeout: isLong ? 420_000 : 180_000 }, async (t) => {
      await using topology = await startTopology();
      const report = await runFleet({ topology, ...scale });
      t.diagnostic(figures(report));
      assert.deepEqual(broken(report), {});
      assert.ok(report.acknowledged > scale.posters, 'too few posts');
    });
  }
});

function figures(report: FleetReport): string {
  const recovered = report.recoveries.map(([event, ms]) => `${event} ${(ms / 1000).toFixed(1)} s`).join(', ');
  return `${report.acknowledged} posts acknowledged (${report.missing.length} missing), ${report.unknown} unknown, `
    + `${report.duplicates.length} doubled; ${report.sessions} sessions (${report.signedOut} signed out); `
    + `${report.reads} reads (${report.readsUnserved} unserved); recovered after: ${recovered}`;
}

/** Empty if every promise was kept. An unknown outcome is not a fault: under this load the emulated service responds late. */
function broken({ duplicates, missing, unexpected, signedOut, recoveries }: FleetReport): object {
  const found = { duplicates, missing, unexpected, slow: recoveries.filter(([, ms]) => ms > RECOVERY_MS) };
  return Object.fromEntries([
    ...Object.entries(found).filter(([, list]) => list.length > 0),
    ...(signedOut > 0 ? [['signedOut', signedOut]] : []),
  ]);
}
