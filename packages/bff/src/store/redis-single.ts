/** A connection to one Redis, on `redis`. */

import { createClient } from 'redis';
import { Deadlines } from '../lib/deadlines.ts';
import {
  answered, clientOptions, commandDeadlines, CONNECT_TIMEOUT_MS, NodeState, Patience, reconnect, SilenceError, socketOptions,
} from './redis-client.ts';
import type { RedisAddress } from './redis-address.ts';
import type { ConnectionEvents, RedisConnection, RedisReply } from './redis-connection.ts';

export async function connectSingle(address: RedisAddress, events: ConnectionEvents): Promise<RedisConnection> {
  const patience = new Patience();
  const [node] = address.nodes;
  const name = `${node?.host}:${node?.port}`;
  const client = createClient({
    ...clientOptions(address),
    socket: { ...socketOptions(patience), ...node, ...(address.tls ? { tls: true } : {}) },
    database: address.database,
  });
  const state = new NodeState(name, events);
  client.on('ready', () => { state.back(); });
  client.on('error', () => { if (patience.isEndless && !client.isReady) state.lost(); });
  try {
    await answered(client.connect(), new Deadlines(CONNECT_TIMEOUT_MS));
  } catch (error) {
    client.destroy();
    throw error;
  }
  patience.isEndless = true;
  let heardAt = 0;
  return {
    isWhole: true,
    send: (_key, command, deadlines) => send(command, deadlines),
    masters: async () => [{ name, send }],
    [Symbol.asyncDispose]: async () => { client.destroy(); },
  };

  function send(command: string[], deadlines: Deadlines = commandDeadlines): Promise<RedisReply> {
    const sentAt = performance.now();
    return answered(client.sendCommand<RedisReply>(command), deadlines).then((reply) => {
      heardAt = performance.now();
      return reply;
    }, (error: unknown) => {
      const hadItsTime = error instanceof SilenceError && deadlines.length >= commandDeadlines.length;
      if (hadItsTime && heardAt < sentAt) reconnect(client);
      throw error;
    });
  }
}
