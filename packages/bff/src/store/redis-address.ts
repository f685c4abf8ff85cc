/**
 * Address of a Redis store: `redis://host`, `rediss://host` (TLS), `redis+cluster://host:port,…`, `rediss+cluster://host:port,…`
 * (TLS). `user:password@` precedes the hosts. `/N` selects a database; a cluster has only database 0.
 */

export interface RedisAddress {
  readonly kind: 'single' | 'cluster';
  /** The server, or the nodes of a cluster that are asked for its topology. */
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

const ADDRESS = /^redis(?<tls>s?)(?<cluster>\+cluster)?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<nodes>[^/@?#]+)(?:\/(?<database>\d*))?$/;

const DEFAULT_PORT = 6379;

export function isRedisAddress(address: string): boolean {
  return /^rediss?(?:\+cluster)?:/.test(address);
}

/** @throws {Error} that names the fault and quotes nothing of the address */
export function parseRedisAddress(address: string): RedisAddress {
  const parts = ADDRESS.exec(address)?.groups;
  if (!parts) {
    throw new Error('the address must be redis://[user:password@]host[:port][/database] or redis+cluster://[user:password@]host:port,…; '
      + 'with TLS rediss:// or rediss+cluster://');
  }
  const kind = parts['cluster'] === undefined ? 'single' : 'cluster';
  const nodes = (parts['nodes'] ?? '').split(',').map(parseNode);
  const database = Number(parts['database'] ?? 0);
  if (kind === 'single' && nodes.length > 1) throw new Error('only a redis+cluster:// address has several hosts');
  if (kind === 'cluster' && database !== 0) throw new Error('a cluster has only database 0');
  return {
    kind,
    nodes,
    tls: parts['tls'] === 's',
    username: decode(parts['user']),
    password: decode(parts['password']),
    database,
  };
}

function parseNode(text: string): RedisNode {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname) throw new Error('a host or port of the address is invalid');
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || DEFAULT_PORT) };
}

function decode(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw new Error('the user name and the password must be percent-encoded');
  }
}
