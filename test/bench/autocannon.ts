/** The two goals of the routes once more, with somebody else's load: autocannon asks where `routes.ts` asks by bare sockets.
 *  It takes more of the machine for itself than those do, so its figures are lower; the ratios are what to compare. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { openSqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { startRedis } from '../store/_redis-server.ts';
import type { CannonResult, CannonWish } from './_autocannon-process.ts';
import { startBff } from './_bff-process.ts';
import type { Load } from './_load.ts';
import type { LoadWish } from './_load-process.ts';
import { prefer, startPlain } from './_measured-process.ts';
import type { BenchRow, BenchWish } from './_row.ts';
import { measureServers, serverRows } from './_server-rounds.ts';
import { signIn } from './_signed-in.ts';
import { renderTable } from './_table.ts';

const READERS = 200;
const CONNECTIONS = 32;

const PEERS = { posts: 'bare forwarder', session: 'bare Express' } as const;
const SQLITE = 'ours, SQLite';
const REDIS = 'ours, Redis';

export async function benchAutocannon({ full = true }: BenchWish = {}): Promise<readonly BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'vestibule-bench-autocannon-'));
  stack.defer(() => { rmSync(directory, { recursive: true }); });
  const upstream = stack.use(await startPlain('upstream'));
  const serviceUrl = `http://127.0.0.1:${upstream.port}`;
  const redis = stack.use(await startRedis({ parent: tmpdir() }));
  prefer(redis.pid);
  const redisAddress = `redis://${redis.host}`;
  const file = join(directory, 'vestibule.db');
  const servers = {
    posts: stack.use(await startPlain('forwarder', { UPSTREAM: serviceUrl })),
    session: stack.use(await startPlain('express')),
    [SQLITE]: stack.use(await startBff({ store: `sqlite:${file}`, serviceUrl })),
    [REDIS]: stack.use(await startBff({ store: redisAddress, serviceUrl })),
  };
  const toSqlite = stack.use(startCannon(await cookiesIn(await openSqliteStore(file))));
  const toRedis = stack.use(startCannon(await cookiesIn(await openRedisStore(redisAddress, console))));
  const rows: BenchRow[] = [];
  for (const scenario of ['posts', 'session'] as const) {
    const peer = PEERS[scenario];
    const contenders = [
      { name: peer, server: servers[scenario], load: toSqlite },
      { name: SQLITE, server: servers[SQLITE], load: toSqlite },
      { name: REDIS, server: servers[REDIS], load: toRedis },
    ].map((one) => ({ ...one, wish: { scenario, connections: CONNECTIONS } }));
    const figures = await measureServers(contenders, { rounds: full ? 5 : 3, sliceMs: full ? 3_000 : 1_000 });
    const title = scenario === 'posts' ? 'POST /posts' : 'GET /session';
    rows.push(...serverRows({ title: `autocannon: ${title}`, figures, baseline: peer }));
  }
  return rows;
}

function startCannon(cookies: readonly string[]): Load {
  const child = fork(join(import.meta.dirname, '_autocannon-process.ts'));
  prefer(child.pid);
  return {
    async apply({ port, connections, durationMs, scenario }: LoadWish) {
      const seconds = durationMs / 1000;
      child.send({ port, connections, seconds, scenario, cookies } as CannonWish);
      const [{ perSecond, p50Ms, p99Ms, failed }] = await once(child, 'message') as [CannonResult];
      if (failed > 0) throw new Error(`${failed} requests of ${scenario} failed`);
      return { answered: perSecond * seconds, failed, seconds, p50Ms, p99Ms };
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function cookiesIn(store: Store): Promise<string[]> {
  await using open = store;
  return await signIn(open, READERS);
}

if (import.meta.main) console.log(renderTable(await benchAutocannon({ full: false })));
