/** The BFF's routes under load, against a bare `node:http` server, a bare Express 5 route, and a bare Express 5 forwarder
 *  that sends the same bytes. Every server is a process of its own and so are the readers. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { openSqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';
import { startRedis } from '../store/_redis-server.ts';
import { startBff } from './_bff-process.ts';
import { startLoad } from './_load.ts';
import { prefer, startPlain, type MeasuredProcess } from './_measured-process.ts';
import type { BenchRow } from './_row.ts';
import type { ScenarioName } from './_scenarios.ts';
import { measureServers, serverRows } from './_server-rounds.ts';
import { signIn } from './_signed-in.ts';
import { renderTable } from './_table.ts';

const READERS = 1_000;
const CONNECTIONS = 32;

const HTTP = 'bare node:http';
const EXPRESS = 'bare Express';
const FORWARDER = 'bare forwarder';
const SQLITE = 'ours, SQLite';
const REDIS = 'ours, Redis';

type ServerName = typeof HTTP | typeof EXPRESS | typeof FORWARDER | typeof SQLITE | typeof REDIS;

interface Route {
  readonly title: string;
  readonly scenario: ScenarioName;
  readonly baseline: ServerName;
  readonly servers: readonly ServerName[];
  readonly goals: Partial<Readonly<Record<ServerName, number>>>;
}

const routes: readonly Route[] = [
  {
    title: 'POST /posts', scenario: 'posts', baseline: FORWARDER,
    servers: [HTTP, EXPRESS, FORWARDER, SQLITE, REDIS], goals: { [SQLITE]: 0.75, [REDIS]: 0.85 },
  },
  {
    title: 'GET /session', scenario: 'session', baseline: EXPRESS,
    servers: [HTTP, EXPRESS, SQLITE, REDIS], goals: { [SQLITE]: 0.8, [REDIS]: 0.8 },
  },
  { title: 'GET /session, anonymous', scenario: 'anonymous', baseline: EXPRESS, servers: [EXPRESS, SQLITE], goals: {} },
  { title: 'GET /posts', scenario: 'list', baseline: EXPRESS, servers: [EXPRESS, SQLITE], goals: { [SQLITE]: 0.5 } },
  { title: 'POST /sync + /sync/validation', scenario: 'sync', baseline: FORWARDER, servers: [FORWARDER, SQLITE, REDIS], goals: {} },
];

export interface RoutesWish {
  readonly rounds?: number;
  /** Of each server in a round. */
  readonly sliceMs?: number;
  readonly scenarios?: readonly string[];
}

export async function benchRoutes({ rounds = 5, sliceMs = 2_500, scenarios }: RoutesWish = {}): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'vestibule-bench-routes-'));
  stack.defer(() => { rmSync(directory, { recursive: true }); });
  const upstream = stack.use(await startPlain('upstream'));
  const serviceUrl = `http://127.0.0.1:${upstream.port}`;
  const redis = stack.use(await startRedis({ parent: tmpdir() }));
  prefer(redis.pid);
  const redisAddress = `redis://${redis.host}`;
  const file = join(directory, 'vestibule.db');
  const servers: Readonly<Record<ServerName, MeasuredProcess>> = {
    [HTTP]: stack.use(await startPlain('http')),
    [EXPRESS]: stack.use(await startPlain('express')),
    [FORWARDER]: stack.use(await startPlain('forwarder', { UPSTREAM: serviceUrl })),
    [SQLITE]: stack.use(await startBff({ store: `sqlite:${file}`, serviceUrl })),
    [REDIS]: stack.use(await startBff({ store: redisAddress, serviceUrl })),
  };
  const toSqlite = stack.use(startLoad({ serviceUrl, cookies: await cookiesIn(await openSqliteStore(file)) }));
  const toRedis = stack.use(startLoad({ serviceUrl, cookies: await cookiesIn(await openRedisStore(redisAddress, console)) }));

  const rows: BenchRow[] = [];
  for (const { title, scenario, baseline, servers: names, goals } of routes) {
    if (scenarios && !scenarios.includes(scenario)) continue;
    const contenders = names.map((name) => ({
      name, server: servers[name], load: name === REDIS ? toRedis : toSqlite, wish: { scenario, connections: CONNECTIONS },
    }));
    const figures = await measureServers(contenders, { rounds, sliceMs });
    rows.push(...serverRows({ title, figures, baseline, goals }));
  }
  return rows;
}

async function cookiesIn(store: Parameters<typeof signIn>[0]): Promise<string[]> {
  await using open = store;
  return await signIn(open, READERS);
}

if (import.meta.main) {
  const [rounds = '3', sliceMs = '700', ...scenarios] = process.argv.slice(2);
  const wish = { rounds: Number(rounds), sliceMs: Number(sliceMs) };
  console.log(renderTable(await benchRoutes(scenarios.length > 0 ? { ...wish, scenarios } : wish)));
}
