/** Measures the figures: the built BFF on a Redis, before the emulated service, one request after the other on 16 connections. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseRedisAddress } from '../../packages/bff/src/store/redis-address.ts';
import { connectRedis } from '../../packages/bff/src/store/connect-redis.ts';
import type { RedisMaster } from '../../packages/bff/src/store/redis-connection.ts';
import { startMeasured } from '../bench/_measured-process.ts';
import { readFirstStage } from '../bench/_widget-files.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { ask, type Timed } from '../load/_ask.ts';
import { LoadReader } from '../load/_reader.ts';
import { startEmulatedService } from '../service/index.ts';
import { startRedis } from '../store/_redis-server.ts';
import type { CapacityFigures, RequestCost, RequestName } from './_figures.ts';

const ORIGIN = 'https://www.example.com';
const REDIRECT_URI = `${ORIGIN}/vestibule/sync/return`;
const COMMAND = join(import.meta.dirname, '../../packages/bff/bin/vestibule.js');
const READERS = 800;
const CONNECTIONS = 16;
const MESSAGE = 'Nobody asked the harbour master, who would have known. '.repeat(4);
const TICKS_PER_SECOND = 100;

/** Measured requests; half as many come before, to warm up. Fewer than 1,000 on each connection: it would close. */
const counts: Readonly<Record<RequestName, number>> = {
  static: 12_000, session: 8_000, posts: 8_000, post: 4_000, signIn: READERS,
};

/** A thread of twenty posts. */
const CONFIG = `const posts = Array.from({ length: 20 }, (_, i) => ({
  id: String(i), author: { username: 'Reader ' + i }, message: ${JSON.stringify(MESSAGE)},
  created_at: '2026-01-01T00:00:00Z',
}));
export default { posts: { list: async () => ({ posts }) } };`;

export async function measureFigures(): Promise<CapacityFigures> {
  const people = Array.from({ length: 2 * READERS }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
  await using redis = await startRedis();
  const silent = { onDisconnected: () => undefined, onReconnected: () => undefined };
  await using connection = await connectRedis(parseRedisAddress(`redis://${redis.host}`), silent);
  const [server] = await connection.masters() as [RedisMaster];
  await using service = await startEmulatedService({ redirectUris: [REDIRECT_URI], readers: people, recordRequests: false });
  await using directory = await temporaryDirectory();
  const config = join(directory.path, 'config.mjs');
  await writeFile(config, CONFIG);
  await using bff = await startMeasured({
    args: [COMMAND, 'serve'],
    env: bffEnvironment(service, `${ORIGIN}/vestibule`, {
      VESTIBULE_STORE: `redis://${redis.host}`, VESTIBULE_CONFIG: config, VESTIBULE_RATE_LIMITS: 'posts=100000,sync=100000,other=100000',
    }),
  });
  const newAgent = () => new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const url = `http://127.0.0.1:${bff.port}/vestibule`;
  const site = { url, origin: ORIGIN, redirectUri: REDIRECT_URI, agent: newAgent() };
  const get = (address: string, headers: Readonly<Record<string, string>> = {}) => ask(address, { agent: site.agent, headers });
  const readers = people.map(() => new LoadReader(site));
  const reader = (i: number) => readers[i % READERS] as LoadReader;
  const signIn = (i: number) => (readers[i] as LoadReader).signIn(service, people[i] as (typeof people)[number]);
  const articlePath = `${url}/posts?forum=news&page=${encodeURIComponent(`${ORIGIN}/article`)}`;
  const etag = String((await get(`${url}/widget.js`, { 'accept-encoding': 'br' })).headers['etag']);
  const requests: Readonly<Record<RequestName, (i: number) => Promise<unknown>>> = {
    static: (i) => expect(304, get(`${url}/widget.js`, { 'accept-encoding': 'br', 'if-none-match': etag }), i),
    session: (i) => expect(200, reader(i).session(), i),
    posts: (i) => expect(200, get(articlePath), i),
    post: (i) => expect(201, reader(i).post(MESSAGE), i),
    signIn: (i) => signIn(READERS + i),
  };
  await repeat(READERS, signIn);
  const costs = {} as Record<RequestName, RequestCost>;
  for (const name of Object.keys(requests) as RequestName[]) {
    // Each reader signs in once, and 800 have done so before.
    await repeat(name === 'signIn' ? 0 : counts[name] / 2, requests[name]);
    site.agent.destroy();
    site.agent = newAgent();
    const before = [bff.cpuMs(), cpuMsOf(redis.pid), bytesRead(site.agent)] as const;
    await repeat(counts[name], requests[name]);
    const [bffMs, redisMs, responseBytes] = [bff.cpuMs(), cpuMsOf(redis.pid), bytesRead(site.agent)].map((after, i) => (
      (after - (before[i] as number)) / counts[name]
    )) as [number, number, number];
    costs[name] = { bffMs: rounded(bffMs), redisMs: rounded(redisMs), responseBytes: Math.round(responseBytes) };
  }
  const redisBytes = {
    session: await bytesPerKey(server, 'session'),
    post: await bytesPerKey(server, 'post'),
    signIn: await bytesPerKey(server, 'sync') + await bytesPerKey(server, 'code'),
  };
  const firstVisit = { bytes: 0, requests: 0 };
  for (const { path } of await readFirstStage()) {
    const before = bytesRead(site.agent);
    await expect(200, get(`${url}/${path}`, { 'accept-encoding': 'br' }), 0);
    firstVisit.bytes += bytesRead(site.agent) - before;
    firstVisit.requests += 1;
  }
  site.agent.destroy();
  return {
    at: new Date().toISOString(),
    node: process.versions.node,
    redis: /v=([\d.]+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 'unknown',
    processor: cpus()[0]?.model ?? 'unknown',
    requests: costs,
    firstVisit,
    redisBytes,
  };
}

async function repeat(times: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    while (next < times) await work(next++);
  }));
}

async function expect(status: number, answer: Promise<Timed>, i: number): Promise<void> {
  const { status: actual, problem } = await answer;
  if (actual !== status) throw new Error(`Request ${i} ended with ${actual} ${problem ?? ''}.`);
}

/** Over every connection of the agent, while none of them closes. */
function bytesRead(agent: Agent): number {
  const sockets = [...Object.values(agent.sockets), ...Object.values(agent.freeSockets)].flatMap((list) => list ?? []);
  return sockets.reduce((sum, { bytesRead: read }) => sum + read, 0);
}

function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND * 1_000;
}

async function bytesPerKey({ send }: RedisMaster, kind: string): Promise<number> {
  const keys = await send(['KEYS', `vestibule:${kind}:*`]) as readonly string[];
  if (keys.length === 0) throw new Error(`There are no ${kind} records.`);
  const sizes = await Promise.all(keys.slice(0, 1_000).map(async (key) => Number(await send(['MEMORY', 'USAGE', key]))));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
