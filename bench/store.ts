/** How the stores take their growth: lookups among a thousand sessions and among a hundred or a thousand times as many, in
 *  turns within every round; and durable writes, the two that each post needs. `get` is the store alone, `session found` what
 *  a request waits for, unsealed and parsed. No id is near the one before, so a large store's rows come from main memory and
 *  a small one's from the processor's caches: a `Map` shows what that is by itself. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId, sha256 } from '../../packages/bff/src/lib/identifiers.ts';
import { SessionManager, type Session } from '../../packages/bff/src/session/session-manager.ts';
import { EncryptedCollection } from '../../packages/bff/src/store/encrypted-collection.ts';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { RecordCipher } from '../../packages/bff/src/store/record-cipher.ts';
import { openRedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { openSqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { startRedis } from '../store/_redis-server.ts';
import { median } from '../lib/median.ts';
import { ratiosOf } from './_rounds.ts';
import type { BenchRow, BenchOptions } from './_row.ts';

const ROUNDS = 9;
const SLICE_MS = 60;

/** Long enough for every id: what a page of the file costs the first time belongs to a start. */
const WARMING_MS = 1_000;
const BATCH = 256;

/** Ids that a round looks up; more than fit a processor's caches together with their rows. */
const LOOKUPS = 20_000;

const DAY_MS = 86_400_000;
const session = {
  user: { user_id: '31007', username: 'Ada Quill' }, accessToken: '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c',
};

interface Kind {
  readonly name: string;
  /** Lookups at a time: what travels over a network is sent in groups. */
  readonly atOnce: number;
  /** Milliseconds: of this thread's work where that is all there is, so that what else the machine does hardly matters. */
  readonly clock: () => number;
  open(sessions: number): Promise<Store>;
}

/** `full`: a million sessions too, which take a minute to write and a gigabyte of disk. */
export async function benchStore({ full = true }: BenchOptions = {}): Promise<BenchRow[]> {
  const sizes = full ? [1_000, 100_000, 1_000_000] : [1_000, 100_000];
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-bench-'));
  await using redis = await startRedis({ parent: directory, settings: ['--databases', String(sizes.length + 1)] });
  const silent = { info: () => undefined, warn: () => undefined };
  const kinds: readonly Kind[] = [
    { name: 'memory', atOnce: 1, clock: threadMs, open: async () => new MemoryStore() },
    { name: 'sqlite', atOnce: 1, clock: threadMs, open: (sessions) => openSqliteStore(join(directory, `${sessions}.db`)) },
    {
      name: 'redis',
      atOnce: 32,
      clock: () => performance.now(),
      open: (sessions) => openRedisStore(`redis://${redis.host}/${sizes.indexOf(sessions) + 1}`, silent),
    },
  ];
  try {
    const rows: BenchRow[] = [];
    for (const kind of kinds) rows.push(...await benchLookups(kind, sizes));
    for (const kind of kinds) rows.push(await benchWrites(kind));
    return rows;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function benchLookups(kind: Kind, sizes: readonly number[]): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const contenders: { readonly name: string; readonly size: number; readonly look: Look }[] = [];
  for (const size of sizes) {
    const store = stack.use(await kind.open(size));
    const { sessions, ids } = await fill(store, size);
    const keys = ids.map((id) => `session:${sha256(id)}`);
    contenders.push({ name: 'get', size, look: eachOf(keys, (key) => store.get(key)) });
    contenders.push({ name: 'session found', size, look: eachOf(ids, (id) => sessions.find(id)) });
  }
  const figures = contenders.map(() => [] as number[]);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [i, { look }] of contenders.entries()) {
      if (round < 0) await lookupsPerSecond(look, kind, WARMING_MS);
      else figures[i]?.push(await lookupsPerSecond(look, kind));
    }
  }
  return contenders.map(({ name, size }, i) => {
    const baseline = figures[contenders.findIndex((one) => one.name === name)] ?? [];
    const ratios = ratiosOf(figures[i] ?? [], baseline);
    return {
      name: `store: ${kind.name}, ${name}, ${size.toLocaleString('en-US')} sessions`,
      value: median(figures[i] ?? []),
      unit: 'ops/s',
      ...(size !== sizes[0] && {
        ratio: median(ratios),
        baseline: `${sizes[0]?.toLocaleString('en-US')} sessions`,
        spread: [Math.min(...ratios), Math.max(...ratios)] as const,
        ...(size === 1_000_000 && kind.name !== 'memory' && { goal: { atLeast: 0.9 } }),
      }),
    };
  });
}

/** Sessions of a size and in a form as they are in earnest, and some of their ids in no order. */
async function fill(store: Store, size: number): Promise<{ sessions: SessionManager; ids: readonly string[] }> {
  const records = new EncryptedCollection<Session>('session', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) });
  const sessions = new SessionManager(records, { sessionIdleSeconds: 14 * 86_400, sessionAbsoluteSeconds: 90 * 86_400 });
  const ids: string[] = [];
  const every = Math.max(1, Math.floor(size / LOOKUPS));
  for (let begun = 0; begun < size; begun += 1_000) {
    const created = Array.from({ length: 1_000 }, () => randomId());
    await Promise.all(created.map((id) => sessions.create(id, session)));
    ids.push(...created.filter((_, i) => (begun + i) % every === 0));
  }
  return { sessions, ids: ids.sort() };
}

/** Looks up the next one; goes on where the slice before has ended. */
type Look = () => Promise<unknown>;

function eachOf(texts: readonly string[], lookUp: (text: string) => Promise<unknown>): Look {
  let next = 0;
  return () => {
    const text = texts[next] as string;
    next = (next + 1) % texts.length;
    return lookUp(text);
  };
}

async function lookupsPerSecond(look: Look, { atOnce, clock }: Kind, forMs = SLICE_MS): Promise<number> {
  const startedAt = clock();
  let done = 0;
  for (; clock() - startedAt < forMs; done += BATCH) {
    for (let i = 0; i < BATCH; i += atOnce) {
      const found = atOnce === 1
        ? [await look()]
        : await Promise.all(Array.from({ length: atOnce }, look));
      if (found.includes(undefined)) throw new Error('a session is missing');
    }
  }
  return done / (clock() - startedAt) * 1000;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What 64 readers who post at once ask of the store: an intent each and, when it is durable, an outcome. */
async function benchWrites(kind: Kind): Promise<BenchRow> {
  await using store = await kind.open(1_000);
  const value = 'v'.repeat(300);
  const figures: number[] = [];
  let posts = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const before = posts;
    await Promise.all(Array.from({ length: 64 }, async () => {
      while (performance.now() - startedAt < 4 * SLICE_MS) {
        const key = `post:${sha256(String(posts += 1))}`;
        if (!await store.setIfAbsent(key, value, DAY_MS)) throw new Error('a key was there before');
        await store.set(key, value, DAY_MS);
      }
    }));
    if (round >= 0) figures.push((posts - before) / (performance.now() - startedAt) * 1000);
  }
  return { name: `store: ${kind.name}, intent and outcome, 64 at once`, value: median(figures), unit: 'ops/s' };
}
