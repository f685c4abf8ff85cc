/** A real master with a replica, and three Sentinels that promote the replica when two of them miss the master. */

import { setTimeout } from 'node:timers/promises';
import { countReplicas, parseInfo } from '../../packages/bff/src/store/redis-checks.ts';
import { withConnection } from './_redis-cluster.ts';
import { startRedis, type RedisServer, type RedisServerOptions } from './_redis-server.ts';

const SENTINELS = 3;
const QUORUM = 2;

export const MASTER_NAME = 'main';

export class RedisSentinels implements AsyncDisposable {
  /** Master when the group was created. */
  readonly master: RedisServer;
  readonly replica: RedisServer;
  readonly sentinels: readonly RedisServer[];

  constructor(master: RedisServer, replica: RedisServer, sentinels: readonly RedisServer[]) {
    this.master = master;
    this.replica = replica;
    this.sentinels = sentinels;
  }

  get servers(): readonly RedisServer[] {
    return [this.master, this.replica];
  }

  /** As `VESTIBULE_STORE`, for a server without a password. */
  get address(): string {
    return `redis+sentinel://${this.sentinels.map(({ host }) => host).join(',')}/${MASTER_NAME}`;
  }

  /** Settles when all Sentinels name the same master. One that missed a promotion may repeat it, which ends connections. */
  async agree(): Promise<void> {
    for (;;) {
      const named = await Promise.all(this.sentinels.map((one) => withConnection(one, {}, async ({ send }) => (
        /status=ok,address=[\d.:]+/.exec(String(await send(['INFO', 'sentinel'])))?.[0]
      ))));
      if (named[0] !== undefined && new Set(named).size === 1) return;
      await setTimeout(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server[Symbol.asyncDispose]()));
  }
}

/** Settles when the replica is synchronized, and the Sentinels know it and each other. */
export async function startRedisSentinels(options: RedisServerOptions = {}): Promise<RedisSentinels> {
  await using stack = new AsyncDisposableStack();
  const master = stack.use(await startRedis(options));
  const replica = stack.use(await startRedis({ ...options, settings: [...options.settings ?? [], '--replicaof', '127.0.0.1', String(master.port)] }));
  await withConnection(master, options, async ({ send }) => {
    while (countReplicas(parseInfo(String(await send(['INFO', 'replication'])))) === 0) await setTimeout(20);
  });
  const sentinel = { master: MASTER_NAME, port: master.port, quorum: QUORUM };
  const sentinels: RedisServer[] = [];
  for (let i = 0; i < SENTINELS; i += 1) sentinels.push(stack.use(await startRedis({ sentinel })));
  for (const one of sentinels) {
    await withConnection(one, {}, async ({ send }) => {
      while (!new RegExp(`slaves=1,sentinels=${SENTINELS}`).test(String(await send(['INFO', 'sentinel'])))) await setTimeout(20);
    });
  }
  stack.move();
  return new RedisSentinels(master, replica, sentinels);
}
