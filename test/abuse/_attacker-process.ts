/** Attacks from a separate process, so that its CPU time is not the server's. Started by `fork`; one job at a time. */

import { setPriority } from 'node:os';
import { Attack } from './_attack.ts';
import type { Entrance } from './_entrance.ts';
import { holdingPatterns } from './_holding-patterns.ts';
import { patterns } from './_patterns.ts';
import type { RawConnection } from './_raw-connection.ts';
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
  /** Each has at least one round; rounds go on until `stop`. */
  readonly cells: readonly Cell[];
}

export interface HoldJob {
  readonly kind: 'hold';
  readonly entrance: Entrance;
  readonly attacker: Attacker;
  readonly cells: readonly Cell[];
  /** When an open connection becomes a fault, in ms. Default: connections are held until `stop`. */
  readonly closesWithinMs?: number;
}

export interface Stop {
  readonly kind: 'stop';
}

export interface AttackReport {
  readonly rounds: number;
  readonly answers: number;
  /** How often each fault occurred. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Connections that a hold opens at a time: 2,000 connections at once are a pattern of their own. */
const OPENING = 4;

const HOLDER_ADDRESS = '127.0.0.4';

// Otherwise the server waits for the attacker on a machine with few cores.
setPriority(10);

const targets = await findTargets();

let stop = Promise.withResolvers<void>();

process.on('message', (message: AttackJob | HoldJob | Stop) => {
  if (message.kind === 'stop') stop.resolve();
  else void run(message);
});
process.on('disconnect', () => { process.exit(); });

async function run(job: AttackJob | HoldJob): Promise<void> {
  stop = Promise.withResolvers();
  const attack = new Attack(job.entrance);
  setAttacker(job.attacker);
  const rounds = await (job.kind === 'attack' ? runAttack(attack, job) : runHold(attack, job));
  attack.end();
  process.send?.({ rounds, answers: attack.answers, faults: Object.fromEntries(attack.faults) } satisfies AttackReport);
}

/** Attacks all targets at a time, each with one pattern after the other; meanwhile with the expensive patterns. */
async function runAttack(attack: Attack, { cells }: AttackJob): Promise<number> {
  let isStopped = false;
  void stop.promise.then(() => { isStopped = true; });
  let rounds = 0;
  const attackInTurn = async (some: readonly Cell[]): Promise<void> => {
    for (let i = 0; i < some.length || !isStopped; i += 1) {
      const { pattern, target } = some[i % some.length] as Cell;
      await find(patterns, pattern).round(attack, find(targets, target));
      rounds += 1;
    }
  };
  const laneOf = ({ pattern, target }: Cell): string => (find(patterns, pattern).isExpensive ? 'expensive patterns' : target);
  await Promise.all(Map.groupBy(cells, laneOf).values().map(attackInTurn));
  return rounds;
}

async function runHold(attack: Attack, { cells, closesWithinMs }: HoldJob): Promise<number> {
  const waiting = cells.flatMap((cell) => Array.from({ length: find(holdingPatterns, cell.pattern).connections }, () => cell));
  const held: Promise<void>[] = [];
  await Promise.all(Array.from({ length: OPENING }, async () => {
    for (let cell; (cell = waiting.pop());) {
      const { prepare, hold } = find(holdingPatterns, cell.pattern);
      const target = find(targets, cell.target);
      const connection = await attack.open(HOLDER_ADDRESS);
      await prepare?.(connection, target, attack);
      held.push(Promise.all([hold(connection, target), release(connection, cell)]).then(() => undefined));
    }
  }));
  await Promise.all(held);
  return cells.length;

  async function release(connection: RawConnection, { pattern, target }: Cell): Promise<void> {
    if (closesWithinMs === undefined) await stop.promise;
    else if (!await connection.closes(closesWithinMs)) attack.record(find(targets, target), pattern, `still open after ${closesWithinMs / 1000} s`);
    connection.reset();
  }
}

function find<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((entry) => entry.name === name);
  if (!found) throw new Error(`There is no "${name}".`);
  return found;
}
