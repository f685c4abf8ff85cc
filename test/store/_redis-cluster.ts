/** A real Redis cluster for the tests: three masters that share the slots. */

import { setTimeout } from 'node:timers/promises';
import { connectRedis, type RedisMaster } from '../../packages/bff/src/store/redis-connection.ts';
import { startRedis, type RedisServer, type RedisServerOptions } from './_redis-server.ts';

const SLOTS = 16_384;
const MASTERS = 3;

export class RedisCluster implements AsyncDisposable {
  readonly masters: readonly RedisServer[];

  constructor(masters: readonly RedisServer[]) {
    this.masters = masters;
  }

  /** `host:port,…` */
  get hosts(): string {
    return this.masters.map(({ host }) => host).join(',');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.masters.map((master) => master[Symbol.asyncDispose]()));
  }
}

/** Settles when every master serves the complete cluster. With `tls`, this process must trust the certificate. */
export async function startRedisCluster(options: RedisServerOptions = {}): Promise<RedisCluster> {
  const masters = await Promise.all(Array.from({ length: MASTERS }, () => startRedis({ ...options, cluster: true })));
  const cluster = new RedisCluster(masters);
  try {
    await Promise.all(masters.map((master, i) => withConnection(master, options, async ({ send }) => {
      await send(['CLUSTER', 'ADDSLOTSRANGE', String(firstSlot(i)), String(firstSlot(i + 1) - 1)]);
      for (const { port, busPort } of masters) await send(['CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort)]);
    })));
    await Promise.all(masters.map((master) => withConnection(master, options, async ({ send }) => {
      while (!isComplete(String(await send(['CLUSTER', 'INFO'])))) await setTimeout(20);
    })));
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

function firstSlot(master: number): number {
  return Math.ceil(SLOTS / MASTERS * master);
}

function isComplete(info: string): boolean {
  return ['cluster_state:ok', `cluster_known_nodes:${MASTERS}`, `cluster_size:${MASTERS}`].every((line) => info.includes(line));
}

type Work = (node: RedisMaster) => Promise<void>;

async function withConnection(server: RedisServer, { password, tls }: RedisServerOptions, work: Work): Promise<void> {
  await using connection = await connectRedis({
    kind: 'single',
    nodes: [{ host: '127.0.0.1', port: server.port }],
    tls: tls !== undefined,
    username: undefined,
    password,
    database: 0,
  }, { onDisconnected: () => undefined, onReconnected: () => undefined });
  const [node] = await connection.masters();
  await work(node as RedisMaster);
}
