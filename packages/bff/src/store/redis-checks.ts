/** Whether a Redis server can be used as a store, what an operator should change about it, and why it cannot be opened. */

import type { RedisAddress } from './redis-address.ts';
import { RedisTimeoutError, type RedisMaster } from './redis-connection.ts';

const OLDEST_VERSION = 7;

/** Replicas that must acknowledge a write of `replicated-writes.ts`. `auto`: one, if the master has any. */
export type WaitReplicas = number | 'auto';

/** A server that replies but cannot be used; the message completes "The Redis server …". */
export class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError';
}

/** @returns warnings @throws {UnsuitableServerError} */
export async function checkServer(
  { name, send }: RedisMaster,
  kind: RedisAddress['kind'],
  waitReplicas: WaitReplicas,
): Promise<readonly string[]> {
  const info = await send(['INFO']).then((reply) => parseInfo(String(reply)), (error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return undefined;
    throw error;
  });
  if (!info) return [`The Redis server ${name} denies this user INFO: its settings for persistence, memory and replicas are unchecked.`];
  if (!(Number.parseInt(String(info.get('redis_version')), 10) >= OLDEST_VERSION)) {
    throw new UnsuitableServerError(`is too old: Redis ${OLDEST_VERSION}.0 or newer is required`);
  }
  if (kind !== 'cluster' && info.get('cluster_enabled') === '1') {
    throw new UnsuitableServerError('belongs to a cluster: the address must begin with redis+cluster:// or rediss+cluster://');
  }
  const warnings: string[] = [];
  // A server that is loading its append-only file reports it as disabled.
  if (info.get('aof_enabled') === '0' && info.get('loading') !== '1') {
    warnings.push(`The Redis server ${name} has no append-only file (appendonly no): a restart loses sessions and posts in flight.`);
  }
  if (info.get('maxmemory') !== '0' && info.get('maxmemory_policy') !== 'noeviction') {
    warnings.push(`The Redis server ${name} drops entries when its memory is full (maxmemory-policy): set it to noeviction.`);
  }
  const replicas = countReplicas(info);
  if (waitReplicas !== 'auto' && replicas < waitReplicas) {
    warnings.push(`The Redis server ${name} has ${replicas} connected replicas, fewer than writes wait for: posts and sign-ins fail.`);
  }
  return warnings;
}

/** Replicas that acknowledge writes now: one that has just connected is `online` for a second before its first offset.
 *  @param info of the section `replication` */
export function countReplicas(info: ReadonlyMap<string, string>): number {
  return [...info.values()].filter((value) => /state=online,offset=[1-9]/.test(value)).length;
}

export function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(/(\w+):(.*)/g), ([, name, value]) => [name, value] as [string, string]));
}

/** Error replies by their first word, then connection errors by their code. */
const reasons: Readonly<Record<string, string>> = {
  WRONGPASS: 'rejects the user name or the password',
  NOAUTH: 'requires a password',
  NOPERM: 'denies this user a required command or the keys `vestibule:*`',
  READONLY: 'is a replica, which rejects writes',
  MISCONF: 'rejects writes because it cannot save them',
  OOM: 'rejects writes because its memory is full',
  CLUSTERDOWN: 'belongs to a cluster that is down',
  ECONNREFUSED: 'cannot be reached: connection refused',
  ECONNRESET: 'closes the connection',
  EHOSTUNREACH: 'cannot be reached: no route to the host',
  ENETUNREACH: 'cannot be reached: no route to the network',
  ENOTFOUND: 'cannot be reached: unknown host name',
  EAI_AGAIN: 'cannot be reached: the host name cannot be resolved at present',
  ETIMEDOUT: 'cannot be reached: no response',
  EPROTO: 'does not speak TLS',
};

/** Completes "The Redis server …". Quotes nothing that the server sent: it might contain a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'does not answer';
  if (error instanceof UnsuitableServerError) return error.message;
  const [word] = error.message.split(' ') as [string];
  const code = 'code' in error ? String(error.code) : '';
  if (/without any password configured|no password is set/.test(error.message)) return 'has no password, but the address has one';
  if (/closed unexpectedly/i.test(error.message)) return 'closes the connection';
  if (error instanceof RedisTimeoutError || /timeout/i.test(error.message)) return 'does not answer in time';
  if (/cert|altname|signature/i.test(code)) return `has an untrusted certificate (${code})`;
  if (/No such master/.test(error.message)) return 'is not known to the Sentinels: the address must end with the name of the master';
  if (/no valid master/.test(error.message)) return 'is down according to the Sentinels, which have promoted no replica: check their quorum and the replicas';
  if (/cluster support disabled/.test(error.message)) return 'is not part of a cluster';
  if (/unknown command|NOPROTO/.test(error.message)) return `is too old: Redis ${OLDEST_VERSION}.0 or newer is required`;
  return reasons[word] ?? reasons[code] ?? `does not answer as expected${code === '' ? '' : ` (${code})`}`;
}
