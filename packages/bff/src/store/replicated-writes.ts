/**
 * Writes that settle when replicas have received them too. Replication is asynchronous: when a replica takes over, a write
 * that only the lost master had is gone.
 *
 * `WAIT` blocks its connection until the replicas acknowledge, so these writes have a connection of their own, and each node
 * gets one at a time. `WAIT` counts the writes of its own connection, so it is sent together with the write.
 */

import { countReplicas, parseInfo, type WaitReplicas } from './redis-checks.ts';
import { RedisTimeoutError, withTimeout, type RedisConnection, type RedisReply } from './redis-connection.ts';

/** How long `WAIT` waits, in ms. With the write it stays within the timeout of a command. */
const WAIT_MS = 500;

/** For how long the number of a master's replicas is remembered, in ms. */
const REPLICAS_KNOWN_MS = 1_000;

/** The write is on the master, and fewer replicas than required have it. */
export class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError';

  constructor() {
    super('Too few replicas acknowledged the write in time.');
  }
}

interface Node {
  /** Settles when the write before the next one has settled. */
  previous: Promise<unknown>;
  replicas: number;
  countedAt: number;
}

export class ReplicatedWrites implements AsyncDisposable {
  readonly #connection: RedisConnection;
  readonly #waitReplicas: WaitReplicas;
  readonly #nodes = new WeakMap<object, Node>();

  /** @param connection its own, closed with this */
  constructor(connection: RedisConnection, waitReplicas: WaitReplicas) {
    this.#connection = connection;
    this.#waitReplicas = waitReplicas;
  }

  /** @throws {NotReplicatedError} */
  async send(key: string, command: string[]): Promise<RedisReply> {
    const node = this.#stateOf(await withTimeout(this.#connection.nodeOf(key)));
    let isLate = false;
    const written = node.previous.then(() => {
      if (isLate) throw new RedisTimeoutError();
      return this.#write(node, key, command);
    });
    node.previous = written.catch(() => undefined);
    return withTimeout(written).finally(() => { isLate = true; });
  }

  async #write(node: Node, key: string, command: string[]): Promise<RedisReply> {
    const required = this.#waitReplicas === 'auto' ? Math.min(1, await this.#countReplicas(node, key)) : this.#waitReplicas;
    if (required === 0) return this.#connection.send(key, command);
    const [reply = null, acknowledged] = await this.#connection.sendTogether(key, [command, ['WAIT', String(required), String(WAIT_MS)]]);
    if (Number(acknowledged) >= required) return reply;
    node.countedAt = -Infinity;
    throw new NotReplicatedError();
  }

  /** A user who may not run INFO has no replicas to wait for; `checkServer` warns about it. */
  async #countReplicas(node: Node, key: string): Promise<number> {
    if (performance.now() - node.countedAt > REPLICAS_KNOWN_MS) {
      node.replicas = await this.#connection.sendTogether(key, [['INFO', 'replication']]).then(
        ([info]) => countReplicas(parseInfo(String(info))),
        (error: unknown) => {
          if (error instanceof Error && error.message.startsWith('NOPERM')) return 0;
          throw error;
        },
      );
      node.countedAt = performance.now();
    }
    return node.replicas;
  }

  #stateOf(node: object): Node {
    const known = this.#nodes.get(node) ?? { previous: Promise.resolve(), replicas: 0, countedAt: -Infinity };
    this.#nodes.set(node, known);
    return known;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}
