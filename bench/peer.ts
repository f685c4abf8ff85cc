/** The BFF against the one that a publisher would otherwise write (`peer/`), on SQLite and on Redis: requests per second,
 *  CPU time of the server's process per request, latencies. Both enforce rate limits, log and measure each request. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../store/_redis-server.ts';
import { startBff } from './_bff-process.ts';
import { startLoad, type Load } from './_load.ts';
import { prefer, startMeasured, startPlain, type MeasuredProcess } from './_measured-process.ts';
import type { BenchRow, BenchOptions } from './_row.ts';
import { createScenario, type ScenarioName } from './_scenarios.ts';
import { measureServers, serverRows, type SliceOptions } from './_server-rounds.ts';
import { renderTable } from './_table.ts';

const CONNECTIONS = 32;
const READERS = 200;

const CPU_GOAL = 0.8;
const P99_GOAL = 1;
const LIST_GOAL = 0.5;

const PEER = join(import.meta.dirname, 'peer/main.ts');

const routes: readonly { readonly title: string; readonly scenario: ScenarioName }[] = [
  { title: 'POST /posts', scenario: 'posts' },
  { title: 'GET /session', scenario: 'session' },
  { title: 'sign-in', scenario: 'sync' },
  { title: 'GET /posts', scenario: 'list' },
];

export interface PeerOptions extends BenchOptions {
  readonly scenarios?: readonly string[];
}

export async function benchPeer({ full = true, scenarios }: PeerOptions = {}): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-bench-peer-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const upstream = stack.use(await startPlain('upstream'));
  const serviceUrl = `http://127.0.0.1:${upstream.port}`;
  const redis = stack.use(await startRedis({ parent: directory }));
  prefer(redis.pid);

  const rows: BenchRow[] = [];
  for (const [name, ourStore, peerStore] of [
    ['SQLite', `sqlite:${join(directory, 'ours.db')}`, { SQLITE_FILE: join(directory, 'peer.db') }],
    ['Redis', `redis://${redis.host}/1`, { REDIS_URL: `redis://${redis.host}/2` }],
  ] as const) {
    await using servers = new AsyncDisposableStack();
    const ours = servers.use(await startBff({ store: ourStore, serviceUrl }));
    const peer = servers.use(await startMeasured({ args: [PEER], env: { SERVICE_URL: serviceUrl, ...peerStore } }));
    const loads = new Map<MeasuredProcess, Load>();
    for (const server of [ours, peer]) {
      loads.set(server, servers.use(startLoad({ serviceUrl, cookies: await signIn(server.port, serviceUrl) })));
    }
    for (const { title, scenario } of routes) {
      if (scenarios && !scenarios.includes(scenario)) continue;
      const figures = await measureServers(([['peer', peer], ['ours', ours]] as const).map(([role, server]) => ({
        name: role, server, load: loads.get(server) as Load, options: { scenario, connections: CONNECTIONS },
      })), slicesOf(full));
      rows.push(...withGoals(serverRows({ title: `${title}, ${name}`, figures, baseline: 'peer' })));
    }
    rows.push(...startRows(name, { peer, ours }));
  }
  return rows;
}

/** `GET /posts` against one Express route that sends the same JSON. */
export async function benchList({ full = true }: BenchOptions = {}): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const serviceUrl = 'http://127.0.0.1:9';
  const servers = {
    'bare Express': stack.use(await startPlain('express')),
    ours: stack.use(await startBff({ store: 'memory:', serviceUrl })),
  };
  const load = stack.use(startLoad({ serviceUrl, cookies: [] }));
  const figures = await measureServers(Object.entries(servers).map(([name, server]) => (
    { name, server, load, options: { scenario: 'list', connections: CONNECTIONS } }
  )), slicesOf(full));
  return serverRows({ title: 'GET /posts', figures, baseline: 'bare Express', goals: { ours: LIST_GOAL } });
}

function slicesOf(full: boolean): SliceOptions {
  return full ? { rounds: 7, sliceMs: 2_500 } : { rounds: 5, sliceMs: 1_000 };
}

/** Start and memory of a process after the load. */
function startRows(store: string, { peer, ours }: Readonly<Record<'peer' | 'ours', MeasuredProcess>>): BenchRow[] {
  return ([
    ['start', 'ms', (server: MeasuredProcess) => server.startMs],
    ['memory after the load', 'MiB', (server: MeasuredProcess) => server.privateBytes() / 1024 / 1024],
  ] as const).flatMap(([title, unit, measure]) => {
    const [base, value] = [measure(peer), measure(ours)];
    const ratio = value / base;
    return [
      { name: `${title}, ${store}: peer`, value: base, unit },
      { name: `${title}, ${store}: ours`, value, unit, ratio, baseline: 'peer', spread: [ratio, ratio] },
    ];
  });
}

function withGoals(rows: readonly BenchRow[]): BenchRow[] {
  return rows.map((row) => {
    if (row.ratio !== undefined && row.name.endsWith('CPU per request')) return { ...row, goal: { atMost: CPU_GOAL } };
    return row.ratio !== undefined && row.name.endsWith('p99') ? { ...row, goal: { atMost: P99_GOAL } } : row;
  });
}

/** Signs readers in by requests. @returns their `Cookie` headers */
async function signIn(port: number, serviceUrl: string): Promise<string[]> {
  const cookies: string[] = [];
  while (cookies.length < READERS) {
    const scenario = createScenario('sync', { cookies: [], serviceUrl });
    const start = await send(port, scenario.next(''));
    const validation = await send(port, scenario.next(await textOf(start)));
    const cookie = validation.headers.getSetCookie().find((line) => !line.includes('Expires=Thu, 01 Jan 1970'))?.split(';')[0];
    if (validation.status !== 200 || cookie === undefined) throw new Error(`Signing in failed with ${validation.status}.`);
    cookies.push(cookie);
  }
  return cookies;
}

/** Sends a request that a scenario wrote. */
async function send(port: number, text: string): Promise<Response> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = lines.map((line) => line.split(': ') as [string, string]).filter(([name]) => !['Host', 'Content-Length'].includes(name));
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
}

async function textOf(response: Response): Promise<string> {
  return [...response.headers.getSetCookie().map((line) => `Set-Cookie: ${line}`), '', await response.text()].join('\r\n');
}

if (import.meta.main) {
  const scenarios = process.argv.slice(2);
  console.log(renderTable(await benchPeer({ full: false, ...(scenarios.length > 0 && { scenarios }) })));
}
