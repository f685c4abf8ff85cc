/**
 * Writes that settle when replicas have received them too. Replication is asynchronous: when a replica takes over, a write
 * that only the lost master had is gone.
 *
 * `WAIT` blocks its connection until the replicas acknowledge every earlier write of the connection. So these writes have a
 * connection of their own, and those that arrive during a `WAIT` form the next batch, which ends with one `WAIT`.
 */

import { countReplicas, parseInfo, type WaitReplicas } from './redis-checks.ts';
import { withTimeout, type RedisConnection, type RedisReply } from './redis-connection.ts';

/** How long `WAIT` waits, in ms. With the write it stays within the timeout of a command. */
const WAIT_MS = 500;

/** For how long the number of a master's replicas is remembered, in ms. */
const REPLICAS_KNOWN_MS = 1_000;

/** The write is on the master, and fewer replicas than required have it. */
export class NotReplicatedError extends Error {
  override readonly name = 'NotReplicatedError';

  constructor(options?: ErrorOptions) {
    super('Too few replicas acknowledged the write in time.', options);
  }
}

interface Write extends PromiseWithResolvers<RedisReply> {
  readonly key: string;
  readonly command: string[];
  /** Whether `send` has settled: it must not be sent any more. */
  isSettled: boolean;
  isRedirected: boolean;
}

interface Node {
  /** For the next `WAIT`. */
  readonly waiting: Write[];
  isWriting: boolean;
  replicas: Promise<number>;
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
    const write: Write = { ...Promise.withResolvers<RedisReply>(), key, command, isSettled: false, isRedirected: false };
    this.#begin(write).catch(write.reject);
    return withTimeout(write.promise).finally(() => { write.isSettled = true; });
  }

  async #begin(write: Write): Promise<void> {
    const { key, command } = write;
    const node = this.#stateOf(await this.#connection.nodeOf(key));
    const isReplicated = this.#waitReplicas !== 'auto' || await this.#countReplicas(node, key) > 0;
    if (write.isSettled) return;
    if (!isReplicated) return write.resolve(await this.#connection.send(key, command));
    node.waiting.push(write);
    if (!node.isWriting) await this.#writeAll(node);
  }

  async #writeAll(node: Node): Promise<void> {
    node.isWriting = true;
    for (;;) {
      const writes = node.waiting.splice(0).filter(({ isSettled }) => !isSettled);
      if (writes.length === 0) break;
      await this.#writeTogether(node, writes);
    }
    node.isWriting = false;
  }

  async #writeTogether(node: Node, writes: readonly Write[]): Promise<void> {
    const [{ key }] = writes as [Write];
    const required = this.#waitReplicas === 'auto' ? 1 : this.#waitReplicas;
    const commands = [...writes.map(({ command }) => command), ['WAIT', String(required), String(WAIT_MS)]];
    try {
      const replies = await this.#connection.sendTogether(key, commands);
      const acknowledged = replies.at(-1);
      const isReplicated = Number(acknowledged) >= required;
      if (!isReplicated) node.countedAt = -Infinity;
      for (const [i, write] of writes.entries()) {
        const reply = replies[i] ?? null;
        if (isMoved(reply) && !write.isRedirected) this.#redirect(write).catch(write.reject);
        else if (reply instanceof Error) write.reject(reply);
        else if (isReplicated) write.resolve(reply);
        else write.reject(new NotReplicatedError({ cause: acknowledged instanceof Error ? acknowledged : undefined }));
      }
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  }

  /** To the node that holds the key since its slot moved. */
  async #redirect(write: Write): Promise<void> {
    write.isRedirected = true;
    await this.#connection.send(write.key, ['EXISTS', write.key]); // refreshes the topology
    await this.#begin(write);
  }

  /** A user who may not run INFO has no replicas to wait for; `checkServer` warns about it. */
  #countReplicas(node: Node, key: string): Promise<number> {
    if (performance.now() - node.countedAt > REPLICAS_KNOWN_MS) {
      node.countedAt = performance.now();
      node.replicas = this.#connection.sendTogether(key, [['INFO', 'replication']]).then(([info]) => {
        if (info instanceof Error && info.message.startsWith('NOPERM')) return 0;
        if (info instanceof Error) throw info;
        const section = parseInfo(String(info));
        // A demoted master has none; its successor may have some.
        if (section.get('role') === 'slave') node.countedAt = -Infinity;
        return countReplicas(section);
      });
      node.replicas.catch(() => { node.countedAt = -Infinity; });
    }
    return node.replicas;
  }

  #stateOf(node: object): Node {
    const known = this.#nodes.get(node) ?? { waiting: [], isWriting: false, replicas: Promise.resolve(0), countedAt: -Infinity };
    this.#nodes.set(node, known);
    return known;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}

function isMoved(reply: unknown): boolean {
  return reply instanceof Error && reply.message.startsWith('MOVED');
}
