/** Honest readers use a BFF process while one attacker abuses it. Measures the effect on the readers and on the process. */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { endProcess } from '../lib/end-process.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import type { AttackJob, AttackReport, Cell, HoldJob, Stop } from './_attacker-process.ts';
import { holdingPatterns } from './_holding-patterns.ts';
import { PUBLIC_URL, type Entrance } from './_entrance.ts';
import { HonestReader, REDIRECT_URI, type Sample } from './_honest-reader.ts';
import type { Attacker } from './_request.ts';
import { descriptorsOf, residentMiBOf, settle } from './_process-usage.ts';

const READERS = 10;

/** Requests of the honest readers in one measurement. Ten are above the 99th percentile: one moment that delays every reader
 *  once does not decide. */
const REQUESTS = 1_100;

/** The same without an attack. If their p99 is too low by chance, it is measured again with more. */
const QUIET_REQUESTS = 500;

const MAX_SLOWDOWN = 10;

/** Lower bound of the quiet p99: below it, other work on the machine decides. */
const LEAST_P99_MS = 10;

const DESCRIPTORS_WITHIN_MS = 5_000;

/** The BFF's own connections to the service come and go. */
const MAX_DESCRIPTORS_MORE = 24;

const MEMORY_WITHIN_MS = 20_000;
const MAX_MEMORY_MORE_MIB = 32;

/** Makes V8 collect garbage early, so that resident memory shows the memory in use. */
const SMALL_HEAP = '--optimize-for-size';

/** Higher than the default, so that requests pass the rate limits. */
const RATE_LIMITS = 'posts=6000,sync=6000,other=12000';

/** How clients reach the BFF. */
export interface Approach {
  /** Returns the entrance to a BFF that listens on `port`. What it adds to `stack` is disposed of with the run. */
  readonly enter: (port: number, stack: AsyncDisposableStack) => Promise<Passage>;
  readonly isProxied: boolean;
}

export interface Passage {
  readonly entrance: Entrance;
  /** Processes of the proxy, whose descriptors count too. Default: none. */
  readonly proxies?: readonly number[];
}

type Job = Omit<AttackJob, 'entrance' | 'attacker'> | Omit<HoldJob, 'entrance' | 'attacker'>;

/** Shorter than the default, so that slow requests end within a short run. */
const REQUEST_TIMEOUT_MS = 12_000;

/** Connections that another process holds. */
export interface Hold {
  /** Resolves when the server has closed them, or after `release`. @returns one sentence per kind that was open too long */
  readonly faults: Promise<readonly string[]>;
  readonly release: () => void;
}

export interface Outcome {
  /** One sentence per promise that was broken. */
  readonly faults: readonly string[];
  readonly figures: string;
}

export class AbuseRun implements AsyncDisposable {
  readonly #bff: VestibuleProcess;
  readonly #attacking: ChildProcess;
  readonly #holder: ChildProcess;
  readonly #readers: readonly HonestReader[];
  readonly #entrance: Entrance;
  readonly #proxies: readonly number[];
  readonly #attacker: Attacker;
  readonly #disposal: AsyncDisposableStack;
  #quietP99 = Number.NaN;
  #residentMiB = Number.NaN;
  #descriptors = Number.NaN;
  /** Connections that a hold may open or close at any moment. */
  #held = 0;

  private constructor(parts: {
    readonly bff: VestibuleProcess;
    readonly attacking: ChildProcess;
    readonly holder: ChildProcess;
    readonly readers: readonly HonestReader[];
    readonly passage: Passage;
    readonly attacker: Attacker;
    readonly disposal: AsyncDisposableStack;
  }) {
    this.#bff = parts.bff;
    this.#attacking = parts.attacking;
    this.#holder = parts.holder;
    this.#readers = parts.readers;
    this.#entrance = parts.passage.entrance;
    this.#proxies = parts.passage.proxies ?? [];
    this.#attacker = parts.attacker;
    this.#disposal = parts.disposal;
  }

  static async start({ enter, isProxied }: Approach): Promise<AbuseRun> {
    await using stack = new AsyncDisposableStack();
    const people = Array.from({ length: READERS + 1 }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
    const redirectUris = [REDIRECT_URI];
    const service = stack.use(await startEmulatedService({ redirectUris, readers: people, recordRequests: false }));
    const { path: cwd } = stack.use(await temporaryDirectory());
    const bff = stack.use(new VestibuleProcess({
      cwd,
      args: ['serve'],
      nodeArgs: [SMALL_HEAP],
      env: bffEnvironment(service, PUBLIC_URL, {
        NODE_ENV: 'production',
        VESTIBULE_CONFIG: join(import.meta.dirname, '_config.ts'),
        VESTIBULE_RATE_LIMITS: RATE_LIMITS,
        VESTIBULE_REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS),
        ...(isProxied && { VESTIBULE_TRUST_PROXY: '127.0.0.1' }),
      }),
    }));
    const passage = await enter(Number(new URL(await bff.origin()).port), stack);
    const { entrance } = passage;
    const [attacking, holder] = [startAttacker(stack), startAttacker(stack)];
    const [mallory, ...readers] = people.map((person, i) => (
      new HonestReader({ entrance, service, person, localAddress: `127.0.0.${20 + i}` }, i)
    )) as [HonestReader, ...HonestReader[]];
    stack.defer(() => { for (const reader of [mallory, ...readers]) reader.disconnect(); });
    const attacker = await mallory.prepareAttack();
    await Promise.all(readers.map((reader) => reader.signIn()));
    return new AbuseRun({ bff, attacking, holder, readers, passage, attacker, disposal: stack.move() });
  }

  get #pid(): number {
    return this.#bff.child.pid as number;
  }

  /** Measures the reference without an attack. Runs `cells` before, so that code is compiled and pools have grown. */
  async measureQuiet(cells: readonly Cell[]): Promise<void> {
    const warmedUp = this.#order(this.#attacking, { kind: 'attack', cells });
    this.#attacking.send({ kind: 'stop' } satisfies Stop);
    await this.#readWhile(warmedUp);
    this.#quietP99 = await this.#measureQuietP99(QUIET_REQUESTS);
    this.#residentMiB = await residentMiBOf(this.#pid);
    this.#descriptors = await this.#countDescriptors();
  }

  /** Holds connections while attacks go on. @param options `closesWithinMs`: an open connection becomes a fault */
  hold(cells: readonly Cell[], options: Pick<HoldJob, 'closesWithinMs'> = {}): Hold {
    this.#held = countHeld(cells);
    const faults = this.#order(this.#holder, { kind: 'hold', cells, ...options }).then((report) => {
      this.#held = 0;
      return Object.keys(report.faults);
    });
    return { faults, release: () => { this.#holder.send({ kind: 'stop' } satisfies Stop); } };
  }

  /** Compares resident memory with `measureQuiet`, after time to release it. */
  async memory(): Promise<Outcome> {
    const bound = this.#residentMiB + MAX_MEMORY_MORE_MIB;
    // Ordinary requests, so that garbage is collected.
    const settled = settle(() => residentMiBOf(this.#pid), (mib) => mib <= bound, MEMORY_WITHIN_MS);
    await this.#readWhile(settled);
    const after = await settled;
    const figures = `${after.toFixed(0)} MiB resident, ${this.#residentMiB.toFixed(0)} before`;
    return { faults: after <= bound ? [] : [figures], figures };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposal.disposeAsync();
  }

  /** Attacks until the readers have sent `REQUESTS`. */
  async attack(cells: readonly Cell[]): Promise<Outcome> {
    const firstLine = this.#bff.lines.length;
    const held = this.#held;
    const attacked = this.#order(this.#attacking, { kind: 'attack', cells });
    const enough = Promise.withResolvers<void>();
    void enough.promise.then(() => this.#attacking.send({ kind: 'stop' } satisfies Stop));
    const samples = await this.#readWhile(attacked, { requests: REQUESTS, onEnough: enough.resolve });
    const { rounds, answers, faults } = await attacked;
    if (this.#bff.child.exitCode !== null || this.#bff.child.signalCode !== null) {
      return { faults: [`the BFF ended: ${(await this.#bff.end()).stderr}`, ...this.#bff.lines.slice(-1)], figures: 'none' };
    }
    const bound = this.#descriptors + MAX_DESCRIPTORS_MORE + held;
    const after = await settle(() => this.#countDescriptors(), (count) => count <= bound, DESCRIPTORS_WITHIN_MS);
    const [slowest, quietP99] = [p99(samples), await this.#quietP99Around(p99(samples))];
    const memory = await this.memory();
    return {
      faults: [
        ...tally(samples.flatMap(({ request, failure }) => (failure === undefined ? [] : [`an honest ${request}: ${failure}`]))),
        ...(slowest <= maxP99(quietP99) ? [] : [`honest p99 ${slowest.toFixed(0)} ms, ${quietP99.toFixed(1)} ms without the attack`]),
        ...(after <= bound ? [] : [`${after} descriptors ${DESCRIPTORS_WITHIN_MS / 1000} s after the attack, ${this.#descriptors} at the start`]),
        ...memory.faults,
        ...Object.entries(faults).map(([fault, count]) => `${fault} (${count} times)`),
        ...tally(this.#bff.lines.slice(firstLine).flatMap(failureInLine)),
      ],
      figures: `${rounds} rounds, ${answers} answers; ${samples.length} honest requests, p99 ${slowest.toFixed(1)} ms, `
        + `${quietP99.toFixed(1)} ms without the attack; ${memory.figures}`,
    };
  }

  /** The reference of one attack. If the attack was slower than the first one allows, the machine may have become busier: then
   *  the reference is measured again after the attack. */
  async #quietP99Around(slowest: number): Promise<number> {
    if (slowest <= maxP99(this.#quietP99)) return this.#quietP99;
    return Math.max(this.#quietP99, await this.#measureQuietP99());
  }

  async #measureQuietP99(requests = REQUESTS): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    return p99(await this.#readWhile(promise, { requests, onEnough: resolve }));
  }

  /** Of the BFF and of the proxy. */
  async #countDescriptors(): Promise<number> {
    const counts = await Promise.all([this.#pid, ...this.#proxies].map(descriptorsOf));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #order(process: ChildProcess, job: Job): Promise<AttackReport> {
    process.send({ ...job, entrance: this.#entrance, attacker: this.#attacker });
    const [report] = await once(process, 'message') as [AttackReport];
    return report;
  }

  /** The readers go on until `work` settles. @param options `onEnough` is called when they have sent `requests` */
  async #readWhile(
    work: Promise<unknown>,
    { requests = Infinity, onEnough }: { readonly requests?: number; readonly onEnough?: () => void } = {},
  ): Promise<readonly Sample[]> {
    let isOver = false;
    void work.finally(() => { isOver = true; });
    await Promise.all(this.#readers.map((reader) => reader.read(() => {
      if (this.#readers.reduce((sum, { samples }) => sum + samples.length, 0) >= requests) onEnough?.();
      return !isOver;
    })));
    return this.#readers.flatMap((reader) => reader.takeSamples());
  }
}

function maxP99(quietP99: number): number {
  return MAX_SLOWDOWN * Math.max(quietP99, LEAST_P99_MS);
}

/** Connections of a hold. */
function countHeld(cells: readonly Cell[]): number {
  const connectionsOf = new Map(holdingPatterns.map(({ name, connections }) => [name, connections]));
  return cells.reduce((sum, { pattern }) => sum + (connectionsOf.get(pattern) ?? 0), 0);
}

function startAttacker(stack: AsyncDisposableStack): ChildProcess {
  const attacker = fork(join(import.meta.dirname, '_attacker-process.ts'), { execArgv: ['--conditions=@vestibule/source'] });
  stack.defer(() => endProcess(attacker, 'SIGKILL'));
  return attacker;
}

/** A log line that reports a crash, an error, or a failed request that is not a deliberate refusal. */
function failureInLine(line: string): readonly string[] {
  const { level, msg, status, route } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const isFailure = (typeof level === 'number' && level >= 50) || level === 'error' || level === 'fatal';
  const isFailedRequest = typeof status === 'number' && status >= 500;
  return isFailure || isFailedRequest ? [`log: ${String(msg)} ${String(route ?? '')} ${String(status ?? '')}`] : [];
}

/** Each distinct text with its count. */
function tally(texts: readonly string[]): readonly string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, all]) => `${text} (${all.length} times)`);
}

function p99(samples: readonly Sample[]): number {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
