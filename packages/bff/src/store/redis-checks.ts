/** What a Redis must be and should be to keep sessions and posts: asked once, when the store is opened. */

import type { RedisAddress } from './redis-address.ts';
import type { RedisMaster } from './redis-connection.ts';
import { UnfitServerError } from './redis-reasons.ts';

const OLDEST_VERSION = 7;

/** What is worth a warning. @throws {UnfitServerError} where the server cannot be used at all */
export async function checkServer({ name, send }: RedisMaster, kind: RedisAddress['kind']): Promise<readonly string[]> {
  const info = await send(['INFO']).then((reply) => parseInfo(String(reply)), (error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return undefined;
    throw error;
  });
  if (!info) return [`The Redis server ${name} does not let this user run INFO: whether it keeps what it acknowledged is not known.`];
  if (!(Number.parseInt(info.get('redis_version') ?? '', 10) >= OLDEST_VERSION)) {
    throw new UnfitServerError(`is too old: Redis ${OLDEST_VERSION}.0 or newer is needed`);
  }
  if (kind === 'single' && info.get('cluster_enabled') === '1') {
    throw new UnfitServerError('belongs to a cluster: the address must begin with redis+cluster://');
  }
  const warnings: string[] = [];
  // While it loads the file, it says that it has none.
  if (info.get('aof_enabled') === '0' && info.get('loading') !== '1') {
    warnings.push(`The Redis server ${name} has no append-only file (appendonly no): a restart loses sessions and posts under way.`);
  }
  if (info.get('maxmemory') !== '0' && info.get('maxmemory_policy') !== 'noeviction') {
    warnings.push(`The Redis server ${name} drops entries when its memory is full (maxmemory-policy): set it to noeviction.`);
  }
  return warnings;
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
}
