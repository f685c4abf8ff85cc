/** Timing of synchronous work, in CPU time of its thread: what else the machine does then hardly matters. The contenders
 *  take turns within every round, so that what slows the machine for a while slows all of them, and each ratio is of two
 *  measurements of the same round. Each contender's garbage is collected within its own time: a hash object that is freed
 *  while the next one is measured would be charged to that one. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type Contenders<Name extends string> = Readonly<Record<Name, () => unknown>>;

export interface RoundOptions {
  /** Default 21. */
  readonly rounds?: number;
  /** Of each contender in a round, at least. Default 40. */
  readonly sliceMs?: number;
}

/** Operations a second of CPU time of each contender, one figure a round, in the order of the rounds. */
export type Figures<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/** Measures after one round that is thrown away. */
export function measureRounds<Name extends string>(
  contenders: Contenders<Name>,
  { rounds = 21, sliceMs = 40 }: RoundOptions = {},
): Figures<Name> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length] as Name;
      const figure = operationsPerSecond(contenders[name], sliceMs);
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** `values` divided by `baseline`, round by round. */
export function ratiosOf(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, round) => value / (baseline[round] ?? Number.NaN));
}

const BATCH = 200;

/** What the last operation gave, so that none can be optimized away. */
const kept: { result?: unknown } = {};

function operationsPerSecond(operation: () => unknown, sliceMs: number): number {
  const startedAt = cpuMs();
  let done = 0;
  do {
    for (let i = 0; i < BATCH; i += 1) kept.result = operation();
    done += BATCH;
  } while (cpuMs() - startedAt < sliceMs);
  collectYoungGarbage();
  return done / (cpuMs() - startedAt) * 1000;
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;

function collectYoungGarbage(): void {
  gc({ type: 'minor' });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
