/** A connection to a Redis cluster, on `redis`: to each master when it is needed, so that one that is down keeps none of the
 *  others from answering. */

import { createCluster } from 'redis';
import { Deadlines } from '../lib/deadlines.ts';
import {
  answered, clientOptions, commandDeadlines, CONNECT_TIMEOUT_MS, MAX_BACKOFF_MS, NO_CLIENT_TIMEOUT, NodeState, Patience,
  reconnect, SilenceError, socketOptions,
} from './redis-client.ts';
import type { RedisAddress } from './redis-address.ts';
import type { ConnectionEvents, RedisConnection, RedisMaster, RedisReply } from './redis-connection.ts';

export async function connectCluster(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const patience = new Patience();
  const cluster = createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults: { ...clientOptions(address), socket: socketOptions(patience) },
    commandOptions: NO_CLIENT_TIMEOUT,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_BACKOFF_MS,
  });
  const states = new Map<string, NodeState>();
  let failure: unknown;
  cluster.on('error', (error) => { failure = error; });
  cluster.on('node-ready', (node) => { stateOf(node).back(); });
  cluster.on('node-error', (_error, node) => { if (patience.isEndless) stateOf(node).lost(); });
  try {
    await answered(cluster.connect(), new Deadlines(CONNECT_TIMEOUT_MS));
    for (const master of await masters()) await master.send(['PING']);
  } catch (error) {
    cluster.destroy();
    throw failure ?? error;
  }
  patience.isEndless = true;
  return { isWhole: false, send, masters, [Symbol.asyncDispose]: async () => { cluster.destroy(); } };

  async function send(key: string, command: string[], deadlines: Deadlines = commandDeadlines): Promise<RedisReply> {
    try {
      return await answered(cluster.sendCommand<RedisReply>(key, false, command), deadlines);
    } catch (error) {
      if (error instanceof SilenceError && deadlines.length >= commandDeadlines.length) void reconnectWhereSilent(key);
      throw error;
    }
  }

  async function masters(): Promise<readonly RedisMaster[]> {
    if (!cluster.isReady) throw new Error('The cluster is not connected.');
    return cluster.masters.map((master) => ({
      name: master.address,
      send: async (command, deadlines) => {
        const client = await answered(Promise.resolve(cluster.nodeClient(master)));
        return answered(client.sendCommand<RedisReply>(command), deadlines);
      },
    }));
  }

  /** Asks the master that has `key` whether it is there; one that is being connected to is left alone. */
  async function reconnectWhereSilent(key: string): Promise<void> {
    const client = await answered(masterOf(key)).catch(() => undefined);
    if (!client?.isReady) return;
    await answered(client.sendCommand(['PING'])).catch((error: unknown) => {
      if (error instanceof SilenceError) reconnect(client);
    });
  }

  async function masterOf(key: string) {
    return cluster.getNodeClientForKey(key, false);
  }

  function stateOf({ host, port }: { readonly host: string; readonly port: number }): NodeState {
    const name = `${host}:${port}`;
    const state = states.get(name) ?? new NodeState(name, events);
    states.set(name, state);
    return state;
  }
}
