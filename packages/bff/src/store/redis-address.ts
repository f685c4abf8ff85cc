/** Addresses of Redis servers, as providers write them. Messages quote nothing of an address. */

/** @throws {Error} that quotes nothing of the address */
export function urlsOf(address: string, isCluster: boolean): [URL, ...URL[]] {
  if (/[?#]/.test(address.replace(/^.*@/, ''))) throw new Error('The Redis address has a query: remove it. TLS is rediss://.');
  if (/\.sock$/.test(address)) throw new Error('The Redis address is a socket: use the host and the port of the server.');
  const pattern = /^(rediss?)(?:\+cluster)?:\/\/(.*@)?([^/@?#]+)(?:\/(\d*)\/?)?$/;
  const [, scheme, user = '', hosts = '', database = ''] = pattern.exec(address) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(`${scheme}://${user}${host}/${database}`));
  if (urls.some((url) => !url?.hostname) || (isCluster ? Number(database) > 0 : urls.length > 1)) {
    throw new Error('The Redis address must be redis://[user:password@]host[:port][/database] or '
      + 'redis+cluster://[user:password@]host:port,…; with TLS rediss instead of redis; the password must be percent-encoded.');
  }
  return urls as [URL, ...URL[]];
}

export function addressOf({ hostname, port }: URL) {
  return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || 6379) };
}
