/** The store's address where it is a Redis: `redis://`, `rediss://` (TLS), or `redis+cluster://host:port,host:port`, each
 *  with `user:password@` where needed; `/N` picks a database, which a cluster has only one of. */

export interface RedisAddress {
  readonly kind: 'single' | 'cluster';
  /** One, or those of a cluster's nodes that are asked for the others. */
  readonly nodes: readonly RedisNode[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?<scheme>redis|rediss|redis\+cluster):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^/@?#]+)(?:\/(?<database>\d*))?$/;

const DEFAULT_PORT = 6379;

export function isRedisAddress(address: string): boolean {
  return /^(?:rediss?|redis\+cluster):/.test(address);
}

/** @throws {Error} that says what is wrong, and nothing of what the address holds */
export function parseRedisAddress(address: string): RedisAddress {
  const parts = ADDRESS.exec(address)?.groups;
  if (!parts) throw new Error('the address must be redis://[user:password@]host[:port][/database], rediss://… or redis+cluster://…');
  const kind = parts['scheme'] === 'redis+cluster' ? 'cluster' : 'single';
  const nodes = (parts['nodes'] ?? '').split(',').map(parseNode);
  const database = Number(parts['database'] ?? 0);
  if (kind === 'single' && nodes.length > 1) throw new Error('several hosts stand in a redis+cluster:// address only');
  if (kind === 'cluster' && database !== 0) throw new Error('a cluster has the database 0 only');
  return {
    kind,
    nodes,
    tls: parts['scheme'] === 'rediss',
    username: decoded(parts['user']),
    password: decoded(parts['password']),
    database,
  };
}

function parseNode(text: string): RedisNode {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname) throw new Error('a host or a port of the address cannot be read');
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || DEFAULT_PORT) };
}

/** Percent-encoded, as everywhere in addresses. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw new Error('the user name and the password must be percent-encoded');
  }
}
