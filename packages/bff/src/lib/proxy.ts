/** The proxy of the environment for calls to the service. undici's `EnvHttpProxyAgent` applies `NO_PROXY`. */

const RULE = 'must be HOST:PORT or a URL, such as http://proxy.example:3128';

export interface OutboundProxy {
  /** The variable that names it, as it is spelt. */
  readonly variable: string;
  /** May contain credentials. */
  readonly url: URL;
  /** What it does not apply to. */
  readonly exceptions: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** One sentence per variable that cannot be read. */
export function proxyFaults(environment: Environment = process.env): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name) => {
    const { variable, text } = variableOf(name, environment);
    return text === '' || parseProxy(text) ? [] : [`${variable}: ${RULE}`];
  });
}

/** The proxy of calls to `origin`, which `NO_PROXY` may exempt; `undefined`: none. Loopback is reached directly unless `NO_PROXY`
 *  is set and empty. */
export function proxyFor(origin: string, environment: Environment = process.env): OutboundProxy | undefined {
  const { protocol, hostname } = new URL(origin);
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'];
  if (isLoopback(hostname) && exceptions !== '') return undefined;
  for (const name of protocol === 'https:' ? ['HTTPS_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY']) {
    const { variable, text } = variableOf(name, environment);
    const url = parseProxy(text);
    if (url) return { variable, url, exceptions };
  }
  return undefined;
}

export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\..*|\[?::1\]?)$/.test(host);
}

/** Small letters come first, as in curl. */
function variableOf(name: string, environment: Environment) {
  const small = name.toLowerCase();
  const variable = environment[small] === undefined ? name : small;
  return { variable, text: (environment[variable] ?? '').trim() };
}

/** `undefined`: it cannot be read. */
function parseProxy(text: string): URL | undefined {
  const url = URL.parse(/^[^/]+:\d+$/.test(text) ? `http://${text}` : text);
  if (!url || !/^(?:https?|socks5?):$/.test(url.protocol) || url.hostname === '') return undefined;
  try {
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return undefined;
  }
}
