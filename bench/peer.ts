/** The BFF beside the one that a publisher would otherwise write (`peer/`), on SQLite and on Redis: requests per second, CPU time
 *  of the server per request, latencies, and the memory of a record in Redis. The two take turns in every round, and each ratio
 *  compares measurements of one round. */

import { join } from 'node:path';
import { bffEnvironment } from '../test/lib/bff-environment.ts';
import { startRedis, type RedisServer } from '../test/lib/redis-server.ts';
import { temporaryDirectory } from '../test/lib/temporary-directory.ts';
import type { EmulatedService } from '../test/service/index.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';
import { Client } from './scenarios.ts';

const CONNECTIONS = 32;
const READERS = 200;

const fileOf = (name: string): string => join(import.meta.dirname, name);

const FIGURES = { perSecond: 'req/s', cpuUs: 'µs', p50Ms: 'ms', p99Ms: 'ms' } as const;
const LABELS = { perSecond: '', cpuUs: ', CPU per request', p50Ms: ', p50', p99Ms: ', p99' } as const;

type Figures = Record<keyof typeof FIGURES, number>;

interface Loaded {
  readonly server: MeasuredProcess;
  readonly client: Client;
  readonly cookies: readonly string[];
}

export async function benchPeer({ quick }: BenchOptions): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const upstream = stack.use(await startMeasured([fileOf('upstream.ts')]));
  const redis = stack.use(await startRedis());
  const rows: Row[] = [];
  for (const [name, ourStore, peerStore] of [
    ['SQLite', `sqlite:${join(path, 'ours.db')}`, { SQLITE_FILE: join(path, 'peer.db') }],
    ['Redis', `redis://${redis.host}/1`, { REDIS_URL: `redis://${redis.host}/2` }],
  ] as const) {
    await using servers = new AsyncDisposableStack();
    const ours = servers.use(await startOurs(ourStore, upstream.origin));
    const peer = servers.use(await startMeasured([fileOf('peer/main.ts')], { SERVICE_URL: upstream.origin, ...peerStore }));
    const loaded: Record<string, Loaded> = {};
    for (const [role, server] of Object.entries({ peer, ours })) {
      const client = new Client(server.origin, { connections: CONNECTIONS, serviceUrl: upstream.origin });
      servers.defer(() => client.close());
      const cookies = await Promise.all(Array.from({ length: READERS }, () => client.signIn()));
      loaded[role] = { server, client, cookies };
    }
    if (name === 'Redis') rows.push(...await recordRows(redis, loaded['ours'] as Loaded));
    for (const title of Object.keys(loaded['ours']?.client.scenarios ?? {})) {
      const figures: Record<string, Figures[]> = { peer: [], ours: [] };
      for (let round = -1; round < (quick ? 3 : 7); round += 1) {
        for (const [role, one] of Object.entries(loaded)) {
          const measured = await applyLoad(one, title, quick ? 700 : 2_500);
          if (round >= 0) figures[role]?.push(measured);
        }
      }
      for (const role of ['peer', 'ours']) rows.push(...rowsOf(`${title}, ${name}`, role, figures));
    }
    for (const [role, { server }] of Object.entries(loaded)) rows.push(rowOf(`memory after the load, ${name}: ${role}`, 'MiB', [server.privateMiB()]));
  }
  return rows;
}

/** Memory of one record, its key included. */
async function recordRows(redis: RedisServer, { client, cookies }: Loaded): Promise<readonly Row[]> {
  await Promise.all(cookies.map((cookie) => client.scenarios['POST /posts']?.([cookie])));
  return Promise.all(['session', 'post'].map(async (kind) => {
    const [, ...keys] = (await redis.command('-n', '1', 'SCAN', '0', 'MATCH', `vestibule:${kind}:*`, 'COUNT', '100000')).split('\n');
    const sizes = await Promise.all(keys.slice(0, 20).map((key) => redis.command('-n', '1', 'MEMORY', 'USAGE', key)));
    return rowOf(`one record of a ${kind}, Redis: ours`, 'bytes', sizes.map(Number));
  }));
}

/** The published build, at the default log level; the limits are counted, and never reached. */
function startOurs(store: string, serviceUrl: string): Promise<MeasuredProcess> {
  const service = { url: serviceUrl, publicKey: 'fca519c9211a4022abaed1915abffd11', secretKey: '88bb61a451cf4796859df6f0eeec5249' } as EmulatedService;
  return startMeasured([fileOf('../packages/bff/bin/vestibule.js'), 'serve'], bffEnvironment(service, 'https://www.example.com/vestibule', {
    VESTIBULE_STORE: store,
    VESTIBULE_RATE_LIMITS: 'posts=100000000,sync=100000000,other=100000000',
    VESTIBULE_SERVICE_MAX_IN_FLIGHT: '256',
    VESTIBULE_TRUST_PROXY: 'loopback',
    VESTIBULE_CONFIG: fileOf('posts-config.ts'),
  }));
}

async function applyLoad({ server, client, cookies }: Loaded, title: string, forMs: number): Promise<Figures> {
  const run = client.scenarios[title];
  if (!run) throw new Error(`There is no scenario ${title}.`);
  const latencies: number[] = [];
  const cpuBefore = server.cpuMs();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, connection) => {
    // Each has readers of its own: five posts of one reader at once are refused.
    const own = cookies.filter((_cookie, reader) => reader % CONNECTIONS === connection);
    for (let sentAt = performance.now(); sentAt - startedAt < forMs; sentAt = performance.now()) {
      await run(own);
      latencies.push(performance.now() - sentAt);
    }
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return {
    perSecond: latencies.length / seconds,
    cpuUs: (server.cpuMs() - cpuBefore) / latencies.length * 1000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function rowsOf(title: string, role: string, figures: Readonly<Record<string, readonly Figures[]>>): readonly Row[] {
  return (Object.keys(FIGURES) as (keyof Figures)[]).map((figure) => {
    const [own = [], base = []] = [role, 'peer'].map((name) => figures[name]?.map((measured) => measured[figure]));
    return rowOf(`${title}: ${role}${LABELS[figure]}`, FIGURES[figure], own, role === 'peer' ? undefined : 'peer', base);
  });
}
