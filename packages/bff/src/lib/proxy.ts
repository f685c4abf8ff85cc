/** The proxy of the environment for calls to the service. undici's `EnvHttpProxyAgent` reads the same variables. */

/** Origin of the proxy for calls to `origin`, without credentials; `undefined`: none. Loopback is reached directly unless
 *  `NO_PROXY` is set and empty. */
export function proxyFor(origin: string, { env } = process): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const [http, https, no] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map((name) => env[name.toLowerCase()] ?? env[name]);
  const proxy = protocol === 'https:' ? https ?? http : http;
  const isLoopback = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  const hosts = no?.split(/[,\s]+/).map((entry) => entry.replace(/:\d+$/, '').replace(/^\*?\./, '')) ?? [];
  const isExempt = hosts.some((host) => host === '*' || (host !== '' && `.${hostname}`.endsWith(`.${host}`)));
  if (!proxy || isExempt || (isLoopback && no !== '')) return undefined;
  return URL.parse(proxy)?.origin;
}
