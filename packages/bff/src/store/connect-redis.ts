/**
 * Connection to a Redis server, to the master that Sentinels name, or to a cluster, on `@redis/client`. Every command has a
 * timeout, nothing is queued while a server is away, and connections are restored without end. A connection that carries no
 * reply is replaced: TCP may not report its loss for minutes.
 */

import { createClient } from '@redis/client';
import type { RedisAddress } from './redis-address.ts';
import { connectCluster } from './redis-cluster.ts';
import {
  clientOptions, close, COMMAND_TIMEOUT_MS, CONNECT_TIMEOUT_MS, ConnectionReports, isFullTimeout, reconnect, sendAll, withTimeout,
  type ConnectionEvents, type RedisConnection, type RedisReply,
} from './redis-connection.ts';
import { connectSentinel } from './redis-sentinel.ts';

/** @throws the reason why the first connection failed; nothing stays open then */
export function connectRedis(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  return { single: connectSingle, sentinel: connectSentinel, cluster: connectCluster }[address.kind](address, events);
}

async function connectSingle(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const [node] = address.nodes;
  const name = `${node.host}:${node.port}`;
  const reports = new ConnectionReports(events);
  const options = clientOptions(address, reports);
  const client = createClient({ ...options, socket: { ...options.socket, ...node }, database: address.database });
  client.on('ready', () => { reports.returned(name); });
  client.on('error', () => { if (!client.isReady) reports.lost(name); });
  try {
    await withTimeout(client.connect(), CONNECT_TIMEOUT_MS);
  } catch (error) {
    close(client);
    throw error;
  }
  reports.isOpen = true;
  let lastReplyAt = 0;
  const send = (command: string[], timeoutMs?: number) => run(() => client.sendCommand<RedisReply>(command), timeoutMs);
  return {
    send: (_key, command, timeoutMs) => send(command, timeoutMs),
    sendTogether: (_key, commands) => run(() => sendAll(client, commands)),
    nodeOf: async () => client,
    masters: async () => [{ name, send }],
    async [Symbol.asyncDispose]() {
      reports.isOpen = false;
      close(client);
    },
  };

  async function run<T>(work: () => Promise<T>, timeoutMs = COMMAND_TIMEOUT_MS): Promise<T> {
    const sentAt = performance.now();
    try {
      const reply = await withTimeout(work(), timeoutMs);
      lastReplyAt = performance.now();
      return reply;
    } catch (error) {
      if (isFullTimeout(error, timeoutMs) && lastReplyAt < sentAt && client.isReady) {
        reports.lost(name);
        reconnect(client);
      }
      throw error;
    }
  }
}
