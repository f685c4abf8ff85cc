/** A real Redis cluster for the tests: three masters that share the slots, with a replica each or none. */

import { setTimeout } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { countReplicas, parseInfo } from '../../packages/bff/src/store/redis-checks.ts';
import type { RedisMaster, RedisReply } from '../../packages/bff/src/store/redis-connection.ts';
import { startRedis, type RedisServer, type RedisServerOptions } from './_redis-server.ts';

const SLOTS = 16_384;
const MASTERS = 3;

/** Until a connection without traffic is closed. */
const SOCKET_TIMEOUT_MS = 3_000;

export interface RedisClusterOptions extends RedisServerOptions {
  /** Default false. */
  readonly replicas?: boolean;
}

export class RedisCluster implements AsyncDisposable {
  /** Masters when the cluster was created. */
  readonly masters: readonly RedisServer[];
  /** In the order of their masters. */
  readonly replicas: readonly RedisServer[];

  constructor(masters: readonly RedisServer[], replicas: readonly RedisServer[]) {
    this.masters = masters;
    this.replicas = replicas;
  }

  get servers(): readonly RedisServer[] {
    return [...this.masters, ...this.replicas];
  }

  /** `host:port,…` */
  get hosts(): string {
    return this.servers.map(({ host }) => host).join(',');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

/** Settles when every server serves the complete cluster and every replica is synchronized. With `tls`, this process must
 *  trust the certificate. */
export async function startRedisCluster({ replicas = false, ...options }: RedisClusterOptions = {}): Promise<RedisCluster> {
  const start = () => startRedis({ ...options, cluster: true });
  const masters = await Promise.all(Array.from({ length: MASTERS }, start));
  const cluster = new RedisCluster(masters, await Promise.all(replicas ? masters.map(start) : []));
  const { servers } = cluster;
  const known = `cluster_known_nodes:${servers.length}`;
  try {
    await Promise.all(masters.map((master, i) => withConnection(master, options, async ({ send }) => {
      await send(['CLUSTER', 'ADDSLOTSRANGE', String(firstSlot(i)), String(firstSlot(i + 1) - 1)]);
      for (const { port, busPort } of servers) await send(['CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort)]);
    })));
    await Promise.all(servers.map((server) => withConnection(server, options, async ({ send }) => {
      while (!includesAll(await send(['CLUSTER', 'INFO']), [known])) await setTimeout(20);
    })));
    await Promise.all(cluster.replicas.map(async (replica, i) => {
      const id = await withConnection(masters[i] as RedisServer, options, async ({ send }) => String(await send(['CLUSTER', 'MYID'])));
      await withConnection(replica, options, async ({ send }) => {
        await send(['CLUSTER', 'REPLICATE', id]);
        while (!includesAll(await send(['INFO', 'replication']), ['master_link_status:up'])) await setTimeout(20);
      });
      await withConnection(masters[i] as RedisServer, options, async ({ send }) => {
        while (countReplicas(parseInfo(String(await send(['INFO', 'replication'])))) === 0) await setTimeout(20);
      });
    }));
    await Promise.all(servers.map((server) => withConnection(server, options, async ({ send }) => {
      while (!includesAll(await send(['CLUSTER', 'INFO']), ['cluster_state:ok', known, `cluster_size:${MASTERS}`])) await setTimeout(20);
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

function includesAll(info: unknown, lines: readonly string[]): boolean {
  return lines.every((line) => String(info).includes(line));
}

/** Duplicates share its class, which `createClient` makes anew for each address. */
const template = createClient();

/** Runs `work` on one server. */
export async function withConnection<T>(
  server: RedisServer,
  { password, tls }: RedisServerOptions,
  work: (connection: Pick<RedisMaster, 'send'>) => Promise<T>,
): Promise<T> {
  const client = template.duplicate({
    socket: { host: '127.0.0.1', port: server.port, ...(tls && { tls: true }), reconnectStrategy: false, socketTimeout: SOCKET_TIMEOUT_MS },
    ...(password !== undefined && { password }),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work({ send: (command) => client.sendCommand<RedisReply>(command) });
  } finally {
    client.destroy();
  }
}
