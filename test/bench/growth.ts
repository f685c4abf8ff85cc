/** What it costs as the work grows: sessions in the store, connections, the length of a message; how long a start takes and
 *  how much memory a process holds. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';
import { startBff } from './_bff-process.ts';
import { startLoad, type Load } from './_load.ts';
import { startPlain, type MeasuredProcess } from './_measured-process.ts';
import { median, ratiosOf } from './_rounds.ts';
import type { BenchRow } from './_row.ts';
import { measureServers, serverRows, type LoadedServer } from './_server-rounds.ts';
import { signIn } from './_signed-in.ts';
import { renderTable } from './_table.ts';

const SESSIONS = [1_000, 10_000, 100_000];
const MANY_SESSIONS = 1_000_000;
const CONNECTIONS = [10, 100, 1_000];

/** The last one is the default limit. */
const MESSAGE_BYTES = [10, 200, 2_000, 10_000];

const STARTS = 7;
const PER_SESSIONS = 10_000;

const FORWARDER = 'bare forwarder';
const OURS = 'ours, SQLite';

export interface GrowthWish {
  readonly rounds?: number;
  /** Of each contender in a round. */
  readonly sliceMs?: number;
  /** Whether a million sessions are tried too. Default: they are. */
  readonly full?: boolean;
}

export async function benchSessions(wish: GrowthWish = {}): Promise<readonly BenchRow[]> {
  const { rounds = 5, sliceMs = 1_500, full = true } = wish;
  await using stack = new AsyncDisposableStack();
  const directory = temporaryDirectory(stack);
  const serviceUrl = 'http://127.0.0.1:9';
  const counts = full ? [...SESSIONS, MANY_SESSIONS] : SESSIONS;
  const servers: LoadedServer[] = [];
  for (const count of counts) {
    const file = join(directory, `${count}.db`);
    const cookies = await cookiesIn(file, count);
    const server = stack.use(await startBff({ store: `sqlite:${file}`, serviceUrl }));
    const load = stack.use(startLoad({ serviceUrl, cookies }));
    servers.push({ name: amount(count), server, load, wish: { scenario: 'session', connections: 32 } });
  }
  const atRest = servers.map(({ server }) => server.privateBytes());
  const figures = await measureServers(servers, { rounds, sliceMs });
  const [least, most] = [counts[0] as number, counts.at(-1) as number];
  const grown = (atRest.at(-1) as number) - (atRest[0] as number);
  return [
    ...serverRows({
      title: 'GET /session by sessions in the store', figures, baseline: amount(least), goals: { [amount(most)]: 0.9 },
    }),
    { name: `memory per ${amount(PER_SESSIONS)} sessions at rest, SQLite`, value: grown / (most - least) * PER_SESSIONS / 1024, unit: 'KiB' },
  ];
}

export async function benchConnections(wish: GrowthWish = {}): Promise<readonly BenchRow[]> {
  return againstForwarder(wish, (name, server, load) => CONNECTIONS.map((connections) => (
    { name: `${name}, ${amount(connections)} connections`, server, load, wish: { scenario: 'posts', connections } }
  )));
}

export async function benchMessages(wish: GrowthWish = {}): Promise<readonly BenchRow[]> {
  return againstForwarder(wish, (name, server, load) => MESSAGE_BYTES.map((messageBytes) => (
    { name: `${name}, ${amount(messageBytes)} B`, server, load, wish: { scenario: 'posts', connections: 32, messageBytes } }
  )));
}

/** From the spawning to the first answer, against a process that does nothing but listen; and what it holds then. */
export async function benchStart(): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const directory = temporaryDirectory(stack);
  const serviceUrl = 'http://127.0.0.1:9';
  const starts: Readonly<Record<string, () => Promise<MeasuredProcess>>> = {
    'bare node:http': () => startPlain('http'),
    [FORWARDER]: () => startPlain('forwarder', { UPSTREAM: serviceUrl }),
    [OURS]: () => startBff({ store: `sqlite:${join(directory, 'vestibule.db')}`, serviceUrl }),
  };
  const figures = Object.entries(starts).map(([name, start]) => ({ name, start, ms: [] as number[], bytes: [] as number[] }));
  for (let round = 0; round < STARTS; round += 1) {
    for (const { start, ms, bytes } of figures) {
      await using started = await start();
      ms.push(started.startMs);
      bytes.push(started.privateBytes());
    }
  }
  const base = figures.find(({ name }) => name === FORWARDER) as (typeof figures)[number];
  return figures.flatMap(({ name, ms, bytes }) => [
    { name: `start to ready: ${name}`, value: median(ms), unit: 'ms', ...compared(ms, base.ms) },
    { name: `memory at rest: ${name}`, value: median(bytes) / 1024 / 1024, unit: 'MiB', ...compared(bytes, base.bytes) },
  ]);

  function compared(values: readonly number[], baseline: readonly number[]) {
    const ratios = ratiosOf(values, baseline);
    return { ratio: median(ratios), baseline: base.name, spread: [Math.min(...ratios), Math.max(...ratios)] as const };
  }
}

type Variants = (name: string, server: MeasuredProcess, load: Load) => readonly LoadedServer[];

/** `POST /posts` in variants; ours and the forwarder's take turns, and each of ours is compared with the forwarder's. */
async function againstForwarder({ rounds = 5, sliceMs = 1_200 }: GrowthWish, variantsOf: Variants): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const file = join(temporaryDirectory(stack), 'vestibule.db');
  const upstream = stack.use(await startPlain('upstream'));
  const serviceUrl = `http://127.0.0.1:${upstream.port}`;
  const forwarder = stack.use(await startPlain('forwarder', { UPSTREAM: serviceUrl }));
  const load = stack.use(startLoad({ serviceUrl, cookies: await cookiesIn(file, 1_000) }));
  const ours = stack.use(await startBff({ store: `sqlite:${file}`, serviceUrl }));
  const theirs = variantsOf(FORWARDER, forwarder, load);
  const rows: BenchRow[] = [];
  for (const [i, variant] of variantsOf(OURS, ours, load).entries()) {
    const baseline = theirs[i] as LoadedServer;
    const figures = await measureServers([baseline, variant], { rounds, sliceMs });
    rows.push(...serverRows({ title: 'POST /posts', figures, baseline: baseline.name }));
  }
  return rows;
}

async function cookiesIn(file: string, readers: number): Promise<string[]> {
  await using store = await openSqliteStore(file);
  return await signIn(store, readers);
}

function temporaryDirectory(stack: AsyncDisposableStack): string {
  const path = mkdtempSync(join(tmpdir(), 'vestibule-bench-growth-'));
  stack.defer(() => { rmSync(path, { recursive: true }); });
  return path;
}

function amount(count: number): string {
  return count.toLocaleString('en-US');
}

if (import.meta.main) {
  const wish = { rounds: 3, sliceMs: 500 };
  console.log(renderTable([
    ...await benchStart(), ...await benchConnections(wish), ...await benchMessages(wish),
    ...await benchSessions({ ...wish, full: false }),
  ]));
}
