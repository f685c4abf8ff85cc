/**
 * Runs the table of targets and patterns at one entrance, while further connections are held. A short run attacks with many
 * cells at a time; after a fault it repeats each pattern alone to name the cause. Behind a proxy it attacks two targets. A
 * long run (`VESTIBULE_TEST_LONG=1`) attacks with one pattern at a time.
 */

import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { isLong } from '../lib/long-run.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { AbuseRun, type Approach, type Hold, type Outcome } from './_abuse-run.ts';
import type { Cell } from './_attacker-process.ts';
import { holdingPatterns } from './_holding-patterns.ts';
import { patterns } from './_patterns.ts';
import { findTargets, groups, type Target } from './_targets.ts';

const ATTRIBUTION_MS = 40_000;

/** How long the server lets a client hold a connection: 15 s with unread responses, a second until the next check, and a
 *  margin for a busy machine. */
const MAX_HELD_MS = 22_000;
const targets = await findTargets();

const expensive = new Set(patterns.filter(({ isExpensive }) => isExpensive).map(({ name }) => name));

/** The first target of each group. */
const samples = groups.map((group) => targets.find((target) => target.group === group) as Target);

/** Behind a proxy, in a short run: a static file and an endpoint of readers. */
const proxiedSamples = [samples[0], samples.at(-1)] as readonly Target[];

export function describeAbuse(name: string, approach: Approach): void {
  const { isProxied } = approach;

  describe(`ten honest readers while one client abuses a BFF ${name}`, () => {
    const run = suiteResource(() => AbuseRun.start(approach));
    const batches = [groups.slice(0, 2), groups.slice(2)].map((some) => targets.filter(({ group }) => some.includes(group)));
    let hold: Hold;
    before(async () => {
      const warmUp = cellsAt(isLong ? targets : samples.slice(0, 1), { isTls: false });
      await run().measureQuiet(warmUp.filter(({ pattern }) => !expensive.has(pattern)));
      // nginx keeps a slow request away from the BFF, as long as its bytes arrive.
      const held = isLong || !isProxied ? targets : proxiedSamples;
      hold = run().hold(holdingCells(held), isProxied ? {} : { closesWithinMs: MAX_HELD_MS });
    });

    if (isLong) {
      for (const batch of batches) {
        for (const [pattern, cells] of Map.groupBy(cellsAt(batch, { isTls: isProxied }), (cell) => cell.pattern)) {
          it(`are served during ${pattern} at ${cells.map(({ target }) => target).join(', ')}`, async (t) => {
            expectNoFault(t, await run().attack(cells));
          });
        }
      }
    } else {
      for (const batch of isProxied ? [proxiedSamples] : batches) {
        it(`are served during every pattern of abuse at ${batch.map((target) => target.name).join(', ')}`, async (t) => {
          const cells = cellsAt(batch, { isTls: isProxied });
          const outcome = await run().attack(cells);
          if (outcome.faults.length > 0) await attribute(t, run(), cells);
          expectNoFault(t, outcome);
        });
      }
    }

    it(`share the BFF with connections that are held${isProxied ? '' : ' until it closes them'}`, async () => {
      if (isProxied) hold.release();
      assert.deepEqual(await hold.faults, []);
    });

    it('cost the BFF no memory that it does not give back', async (t) => {
      expectNoFault(t, await run().memory());
    });
  });
}

function cellsAt(attacked: readonly Target[], { isTls }: { readonly isTls: boolean }): readonly Cell[] {
  return patterns
    .filter(({ needsTls = false }) => isTls || !needsTls)
    .flatMap(({ name: pattern, appliesTo = () => true, isExpensive = false }) => {
      const tried = attacked.filter(appliesTo).filter((target) => !isExpensive || isLong || target === targets[0]);
      return tried.map(({ name: target }) => ({ pattern, target }));
    });
}

function holdingCells(attacked: readonly Target[]): readonly Cell[] {
  return holdingPatterns.flatMap(({ name: pattern, appliesTo = () => true }) => (
    attacked.filter(appliesTo).map(({ name: target }) => ({ pattern, target }))
  ));
}

/** Attacks with one pattern at a time, for at most `ATTRIBUTION_MS`. */
async function attribute(t: TestContext, run: AbuseRun, cells: readonly Cell[]): Promise<void> {
  const endsAt = performance.now() + ATTRIBUTION_MS;
  for (const [pattern, ofPattern] of Map.groupBy(cells, (cell) => cell.pattern)) {
    if (performance.now() > endsAt) return;
    const { faults } = await run.attack(ofPattern);
    if (faults.length > 0) t.diagnostic(`${pattern}: ${faults.join('; ')}`);
  }
}

function expectNoFault(t: TestContext, { faults, figures }: Outcome): void {
  t.diagnostic(figures);
  assert.deepEqual(faults, []);
}
