/** Attacks from a separate process, so that its CPU time is not the server's. Started by `fork`; one job at a time. */

import { setPriority } from 'node:os';
import { Attack } from './_attack.ts';
import type { Entrance } from './_entrance.ts';
import { holdingPatterns, patterns } from './_patterns.ts';
import { setAttacker, type Attacker } from './_request.ts';
import { findTargets } from './_targets.ts';

/** A pattern at a target, by their names. */
export interface Cell {
  readonly pattern: string;
  readonly target: string;
}

export interface AttackJob {
  readonly kind: 'attack';
  readonly entrance: Entrance;
  readonly attacker: Attacker;
  readonly cells: readonly Cell[];
  /** Rounds go on for at least this long; each cell has at least one. */
  readonly forMs: number;
}

export interface HoldJob {
  readonly kind: 'hold';
  readonly entrance: Entrance;
  readonly attacker: Attacker;
  readonly cells: readonly Cell[];
  /** How long connections are held. */
  readonly forMs: number;
  /** Whether a connection that is open after that is a fault. */
  readonly mustClose: boolean;
}

export interface AttackReport {
  readonly rounds: number;
  readonly answers: number;
  /** How often each fault occurred. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Cells in progress at a time. */
const CONCURRENCY = 4;

const HOLDER_ADDRESS = '127.0.0.4';

// Otherwise the server waits for the attacker on a machine with few cores.
setPriority(10);

const targets = await findTargets();

process.on('message', (job: AttackJob | HoldJob) => {
  const attack = new Attack(job.entrance);
  setAttacker(job.attacker);
  const running = job.kind === 'attack' ? runAttack(attack, job) : runHold(attack, job);
  void running.then((rounds) => {
    attack.end();
    const report: AttackReport = { rounds, answers: attack.answers, faults: Object.fromEntries(attack.faults) };
    process.send?.(report);
  });
});
process.on('disconnect', () => { process.exit(); });

async function runAttack(attack: Attack, { cells, forMs }: AttackJob): Promise<number> {
  const endsAt = performance.now() + forMs;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cells.length || performance.now() < endsAt) {
      const { pattern, target } = cells[next++ % cells.length] as Cell;
      await find(patterns, pattern).round(attack, find(targets, target));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return next;
}

async function runHold(attack: Attack, { cells, forMs, mustClose }: HoldJob): Promise<number> {
  await Promise.all(cells.map(async ({ pattern, target: name }) => {
    const target = find(targets, name);
    const { connections, hold } = find(holdingPatterns, pattern);
    await Promise.all(Array.from({ length: connections }, async () => {
      const connection = await attack.open(HOLDER_ADDRESS);
      const held = hold(connection, target, attack);
      if (!await connection.closes(forMs) && mustClose) attack.record(target, pattern, `still open after ${forMs / 1000} s`);
      connection.reset();
      await held;
    }));
  }));
  return cells.length;
}

function find<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((entry) => entry.name === name);
  if (!found) throw new Error(`There is no "${name}".`);
  return found;
}
