/** Connection to a Redis cluster. */

import { createCluster, ErrorReply, RootNodesUnavailableError } from '@redis/client';
import type { RedisAddress } from './redis-address.ts';
import {
  clientOptions, close, COMMAND_TIMEOUT_MS, CONNECT_TIMEOUT_MS, ConnectionReports, isFullTimeout, MAX_RECONNECT_DELAY_MS,
  reconnect, RedisTimeoutError, sendAll, withTimeout,
  type ConnectionEvents, type RedisConnection, type RedisMaster, type RedisReply,
} from './redis-connection.ts';

/** Connects to each master when it is needed: one that is down does not affect the others. */
export async function connectCluster(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const reports = new ConnectionReports(events);
  const defaults = clientOptions(address, reports);
  const cluster = createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults,
    commandOptions: defaults.commandOptions,
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: MAX_RECONNECT_DELAY_MS,
  });
  const clientAt = (name: string) => cluster.masters.find((master) => master.address === name)?.client;
  let connectError: unknown;
  // The reply of a server says more than a node that cannot be reached.
  cluster.on('error', (error) => { if (!(connectError instanceof ErrorReply)) connectError = error; });
  cluster.on('node-ready', ({ host, port }) => { reports.returned(`${host}:${port}`); });
  cluster.on('node-error', (_error, { host, port }) => {
    const name = `${host}:${port}`;
    if (!clientAt(name)?.isReady) reports.lost(name);
  });
  try {
    await withTimeout(cluster.connect(), CONNECT_TIMEOUT_MS);
    for (const master of await masters()) await master.send(['PING']);
  } catch (error) {
    closeCluster();
    throw error instanceof RootNodesUnavailableError ? connectError : error;
  }
  reports.isOpen = true;
  return {
    send, sendTogether, nodeOf, masters,
    async [Symbol.asyncDispose]() {
      reports.isOpen = false;
      closeCluster();
    },
  };

  async function send(key: string, command: string[], timeoutMs = COMMAND_TIMEOUT_MS): Promise<RedisReply> {
    try {
      return await withTimeout(cluster.sendCommand<RedisReply>(key, false, command), timeoutMs);
    } catch (error) {
      if (isFullTimeout(error, timeoutMs)) void reconnectIfSilent(key);
      throw error;
    }
  }

  async function sendTogether(key: string, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]> {
    try {
      return await withTimeout(nodeOf(key).then((node) => sendAll(node, commands)));
    } catch (error) {
      if (isFullTimeout(error, COMMAND_TIMEOUT_MS)) void reconnectIfSilent(key);
      throw error;
    }
  }

  async function nodeOf(key: string) {
    return cluster.getNodeClientForKey(key, false);
  }

  async function masters(): Promise<readonly RedisMaster[]> {
    if (!cluster.isReady) throw new Error('The cluster is not connected.');
    return cluster.masters.map((master) => ({
      name: master.address,
      send: async (command) => {
        const client = await withTimeout(Promise.resolve(cluster.nodeClient(master)));
        return withTimeout(client.sendCommand<RedisReply>(command));
      },
    }));
  }

  /** Replaces the connection to the master of `key` if a ping confirms that it carries no reply. The regular ping, which had
   *  none either, fails with an event then. */
  async function reconnectIfSilent(key: string): Promise<void> {
    try {
      const client = await withTimeout(nodeOf(key));
      await withTimeout(client.sendCommand(['PING'])).catch((error: unknown) => {
        if (error instanceof RedisTimeoutError && client.isReady) reconnect(client);
      });
    } catch {}
  }

  function closeCluster(): void {
    for (const { client } of cluster.masters) if (client) close(client);
    cluster.destroy();
  }
}
