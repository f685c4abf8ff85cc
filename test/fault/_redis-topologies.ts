/** Redis Cluster, and a master with a replica and Sentinels, behind one interface. */

import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startRedisCluster, withConnection } from '../store/_redis-cluster.ts';
import { startRedisSentinels } from '../store/_redis-sentinels.ts';
import type { RedisServer } from '../store/_redis-server.ts';

export interface Topology extends AsyncDisposable {
  /** Value of `VESTIBULE_STORE`. */
  readonly store: string;
  readonly servers: readonly RedisServer[];
  /** Servers and Sentinels that a BFF connects to. */
  readonly peers: readonly RedisServer[];
  readonly masters: number;
}

export async function startClusterTopology(): Promise<Topology> {
  const cluster = await startRedisCluster({ replicas: true });
  return {
    store: `redis+cluster://${cluster.hosts}`,
    servers: cluster.servers,
    peers: cluster.servers,
    masters: cluster.masters.length,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

export async function startSentinelTopology(): Promise<Topology> {
  const group = await startRedisSentinels();
  return {
    store: group.address,
    servers: group.servers,
    peers: [...group.servers, ...group.sentinels],
    masters: 1,
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/** Resolves when every master has a synchronized replica. */
export async function whenRedundant({ servers, masters }: Topology): Promise<void> {
  for (;;) {
    const replicas = (await replicationOf(servers)).filter((info) => info.includes('role:slave') && info.includes('master_link_status:up'));
    if (replicas.length === servers.length - masters) return;
    await wait(100);
  }
}

/** One of the masters. */
export async function someMaster({ servers }: Topology): Promise<RedisServer> {
  const infos = await replicationOf(servers);
  const masters = servers.filter((_, i) => infos[i]?.includes('role:master'));
  return masters[randomInt(masters.length)] as RedisServer;
}

/** `INFO replication` of each; empty if it does not respond. */
function replicationOf(servers: readonly RedisServer[]): Promise<readonly string[]> {
  return Promise.all(servers.map((server) => (
    withConnection(server, {}, async ({ send }) => String(await send(['INFO', 'replication']))).catch(() => '')
  )));
}
