/** Servers under load in turns: each has a slice of every round, so a slow phase of the machine concerns all of them. Each
 *  ratio compares two measurements of the same round. */

import { median } from '../lib/median.ts';
import type { Load } from './_load.ts';
import type { LoadOptions } from './_load-process.ts';
import type { MeasuredProcess } from './_measured-process.ts';
import { ratiosOf } from './_rounds.ts';
import type { BenchRow } from './_row.ts';

export interface LoadedServer {
  readonly name: string;
  readonly server: MeasuredProcess;
  readonly load: Load;
  readonly options: Omit<LoadOptions, 'port' | 'durationMs'>;
}

export interface SliceOptions {
  readonly rounds: number;
  /** Of each server in a round. */
  readonly sliceMs: number;
}

export interface ServerFigures {
  readonly perSecond: readonly number[];
  /** CPU time of the server. */
  readonly cpuUs: readonly number[];
  readonly p50Ms: readonly number[];
  readonly p99Ms: readonly number[];
}

/** Measures after one round of twice the length that is thrown away. */
export async function measureServers(
  servers: readonly LoadedServer[],
  { rounds, sliceMs }: SliceOptions,
): Promise<ReadonlyMap<string, ServerFigures>> {
  const figures = new Map(servers.map(({ name }) => [name, new Kept()]));
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < servers.length; turn += 1) {
      const { name, server, load, options } = servers[(turn + round + servers.length) % servers.length] as LoadedServer;
      const cpuBefore = server.cpuMs();
      const durationMs = round < 0 ? 2 * sliceMs : sliceMs;
      const { responses, seconds, p50Ms, p99Ms } = await load.apply({ ...options, port: server.port, durationMs });
      const kept = figures.get(name);
      if (round < 0 || !kept) continue;
      kept.perSecond.push(responses / seconds);
      kept.cpuUs.push((server.cpuMs() - cpuBefore) / responses * 1000);
      kept.p50Ms.push(p50Ms);
      kept.p99Ms.push(p99Ms);
    }
  }
  return figures;
}

class Kept implements ServerFigures {
  readonly perSecond: number[] = [];
  readonly cpuUs: number[] = [];
  readonly p50Ms: number[] = [];
  readonly p99Ms: number[] = [];
}

export interface RowsOptions {
  readonly title: string;
  readonly figures: ReadonlyMap<string, ServerFigures>;
  /** Name of the server that the others are compared with. */
  readonly baseline: string;
  /** Least ratios of requests a second, by server. */
  readonly goals?: Readonly<Record<string, number>>;
}

/** Requests a second, CPU per request, and the latencies of each server. */
export function serverRows({ title, figures, baseline, goals = {} }: RowsOptions): BenchRow[] {
  const base = figures.get(baseline);
  if (!base) throw new Error(`there is no ${baseline}`);
  return [...figures].flatMap(([name, own]) => {
    const compared = (measure: keyof ServerFigures) => {
      if (name === baseline) return {};
      const ratios = ratiosOf(own[measure], base[measure]);
      // A clock that is too coarse for the baseline gives no ratio.
      if (!ratios.every(Number.isFinite)) return {};
      return { ratio: median(ratios), baseline, spread: [Math.min(...ratios), Math.max(...ratios)] } as const;
    };
    const goal = goals[name] === undefined ? {} : { goal: { atLeast: goals[name] } };
    return [
      { name: `${title}: ${name}`, value: median(own.perSecond), unit: 'req/s', ...compared('perSecond'), ...goal },
      { name: `${title}: ${name}, CPU per request`, value: median(own.cpuUs), unit: 'µs', ...compared('cpuUs') },
      { name: `${title}: ${name}, p50`, value: median(own.p50Ms), unit: 'ms', ...compared('p50Ms') },
      { name: `${title}: ${name}, p99`, value: median(own.p99Ms), unit: 'ms', ...compared('p99Ms') },
    ];
  });
}
