/**
 * Address of a Redis store; `rediss` instead of `redis` is TLS, `user:password@` precedes the hosts:
 *
 * - `redis://host[:port][/database]`: one server;
 * - `redis+sentinel://host[:port],…/master[/database]`: the master that these Sentinels watch under this name. User and
 *   password are those of the Redis servers, and Sentinels need none;
 * - `redis+cluster://host[:port],…`: a cluster, which has only database 0.
 */

export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or the nodes of a cluster that are asked for its topology. */
  readonly nodes: readonly [RedisNode, ...RedisNode[]];
  /** Name of the master; with Sentinels only. */
  readonly master?: string;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = new RegExp([
  '^redis(?<tls>s?)(?:\\+(?<kind>cluster|sentinel))?://(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?',
  '(?<nodes>[^/@?#]+)(?:/(?<master>[\\w.-]*[A-Za-z_.-][\\w.-]*))?(?:/(?<database>\\d*))?$',
].join(''));

const DEFAULT_PORTS = { single: 6379, cluster: 6379, sentinel: 26_379 };

export function isRedisAddress(address: string): boolean {
  return /^rediss?(?:\+(?:cluster|sentinel))?:/.test(address);
}

/** @throws {Error} that names the fault and quotes nothing of the address */
export function parseRedisAddress(address: string): RedisAddress {
  const parts = ADDRESS.exec(address)?.groups;
  if (!parts) {
    throw new Error('the address must be redis://[user:password@]host[:port][/database], redis+sentinel://[user:password@]host:port,…/master '
      + 'or redis+cluster://[user:password@]host:port,…; with TLS rediss instead of redis');
  }
  const kind = parts['kind'] as 'cluster' | 'sentinel' | undefined ?? 'single';
  const { master } = parts;
  const [first, ...others] = (parts['nodes'] as string).split(',') as [string, ...string[]];
  const nodes = [parseNode(first, DEFAULT_PORTS[kind]), ...others.map((node) => parseNode(node, DEFAULT_PORTS[kind]))] as const;
  const database = Number(parts['database'] ?? 0);
  if (kind === 'single' && nodes.length > 1) throw new Error('only redis+cluster:// and redis+sentinel:// addresses have several hosts');
  if (kind === 'cluster' && database !== 0) throw new Error('a cluster has only database 0');
  if (kind !== 'sentinel' && master !== undefined) throw new Error('only a redis+sentinel:// address names a master');
  if (kind === 'sentinel' && master === undefined) throw new Error('a redis+sentinel:// address must name the master: redis+sentinel://host:port,…/master');
  return {
    kind,
    nodes,
    ...(master !== undefined && { master }),
    tls: parts['tls'] === 's',
    username: decode(parts['user']),
    password: decode(parts['password']),
    database,
  };
}

function parseNode(text: string, defaultPort: number): RedisNode {
  const url = URL.parse(`redis://${text}`);
  if (!url?.hostname) throw new Error('a host or port of the address is invalid');
  return { host: url.hostname.replace(/[[\]]/g, ''), port: Number(url.port || defaultPort) };
}

function decode(text: string | undefined): string | undefined {
  try {
    return text ? decodeURIComponent(text) : undefined;
  } catch {
    throw new Error('the user name and the password must be percent-encoded');
  }
}
