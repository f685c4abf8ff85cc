/** Reads of records among a thousand and among a hundred times as many, and the two durable writes that each post needs. */

import { join } from 'node:path';
import { openStore } from '../packages/bff/src/store/open.ts';
import type { Store } from '../packages/bff/src/store/store.ts';
import { startRedis } from '../test/lib/redis-server.ts';
import { temporaryDirectory } from '../test/lib/temporary-directory.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

const FEW = 1_000;
const MANY = 100_000;
const AT_ONCE = 32;
const SLICE_MS = 200;
const DAY_MS = 86_400_000;
const VALUE = 'v'.repeat(300);

export async function benchStore({ quick }: BenchOptions): Promise<readonly Row[]> {
  const rounds = quick ? 3 : 9;
  await using directory = await temporaryDirectory();
  await using redis = await startRedis();
  const addresses: Readonly<Record<string, (size: number) => string>> = {
    memory: () => 'memory:',
    sqlite: (size) => `sqlite:${join(directory.path, `${size}.db`)}`,
    redis: (size) => `redis://${redis.host}/${size === FEW ? 1 : 2}`,
  };
  const rows: Row[] = [];
  for (const [name, addressOf] of Object.entries(addresses)) {
    await using few = await fill(addressOf(FEW), FEW);
    await using many = await fill(addressOf(MANY), MANY);
    const figures = { few: [] as number[], many: [] as number[], posts: [] as number[] };
    for (let round = -1; round < rounds; round += 1) {
      const measured = {
        few: await perSecond(() => few.get(keyOf(Math.floor(Math.random() * FEW)))),
        many: await perSecond(() => many.get(keyOf(Math.floor(Math.random() * MANY)))),
        posts: await perSecond(async () => {
          const key = `post:${crypto.randomUUID()}`;
          await few.setIfAbsent(key, VALUE, DAY_MS);
          await few.set(key, VALUE, DAY_MS);
        }),
      };
      if (round < 0) continue;
      figures.few.push(measured.few);
      figures.many.push(measured.many);
      figures.posts.push(measured.posts);
    }
    rows.push(
      rowOf(`store: ${name}, reads among ${FEW}`, 'ops/s', figures.few),
      rowOf(`store: ${name}, reads among ${MANY}`, 'ops/s', figures.many, `among ${FEW}`, figures.few),
      rowOf(`store: ${name}, records of posts`, 'posts/s', figures.posts),
    );
  }
  return rows;
}

const keyOf = (i: number): string => `session:${i}`;

async function fill(address: string, size: number): Promise<Store> {
  const store = await openStore(address);
  for (let from = 0; from < size; from += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => store.set(keyOf(from + i), VALUE, DAY_MS)));
  }
  return store;
}

async function perSecond(operation: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (; performance.now() - startedAt < SLICE_MS; done += 1) await operation();
  }));
  return done / (performance.now() - startedAt) * 1000;
}
