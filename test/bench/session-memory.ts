/** What 10,000 sessions take of the process's heap where they are kept in it (`memory:`), against a bare `Map` of the same
 *  sessions as JSON. The other stores keep none in the process. */

import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { median, ratiosOf } from './_rounds.ts';
import type { BenchRow } from './_row.ts';
import { signIn } from './_signed-in.ts';
import { renderTable } from './_table.ts';

const SESSIONS = 10_000;
const ROUNDS = 7;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export async function benchSessionMemory(): Promise<readonly BenchRow[]> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const [store, map] = [await heapKiB(inMemoryStore), await heapKiB(inMap)];
    if (round < 0) continue;
    ours.push(store);
    bare.push(map);
  }
  const ratios = ratiosOf(ours, bare);
  return [{
    name: 'memory per 10,000 sessions, memory:', value: median(ours), unit: 'KiB',
    ratio: median(ratios), baseline: 'a bare Map of JSON', spread: [Math.min(...ratios), Math.max(...ratios)],
  }];
}

/** What stays while `fill`'s result is held. */
async function heapKiB(fill: () => Promise<object>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = [await fill()];
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  held.pop();
  return (after - before) / 1024;
}

async function inMemoryStore(): Promise<object> {
  const store = new MemoryStore();
  await signIn(store, SESSIONS);
  return store;
}

async function inMap(): Promise<object> {
  return new Map(Array.from({ length: SESSIONS }, (_, i) => [randomBytes(32).toString('base64url'), JSON.stringify({
    user: { user_id: String(i), username: `Reader ${i}` }, accessToken: randomBytes(16).toString('hex'), forum: 'news',
  })]));
}

if (import.meta.main) console.log(renderTable(await benchSessionMemory()));
