/** Whether the addresses fit together: what browsers do with the cookie depends on scheme and site of each. */

import type { Config } from '../../config/config.ts';
import { findingsOf, type Finding, type Findings } from './finding.ts';

export function checkAddresses(config: Config): readonly Finding[] {
  return [checkPublicUrl(config), ...checkOrigins(config), checkRedirectUri(config), checkProxy(config)];
}

function checkPublicUrl({ publicUrl }: Config): Finding {
  const { ok, fail } = findingsOf('public url');
  const url = new URL(publicUrl);
  if (url.protocol === 'https:') return ok(publicUrl);
  if (isLoopback(url)) return ok(`${publicUrl} (http, on this machine only)`);
  return fail('VESTIBULE_PUBLIC_URL begins with http: use https, or sessions can be read on the way and the cookie loses its prefix');
}

function checkOrigins({ publicUrl, allowedOrigins }: Config): readonly Finding[] {
  const findings = findingsOf('origins');
  const own = new URL(publicUrl);
  const faults = allowedOrigins.flatMap((origin) => checkOrigin(new URL(origin), own, findings) ?? []);
  return faults.length > 0 ? faults : [findings.ok(allowedOrigins.join(', '))];
}

/** The session cookie is `SameSite=Strict`, and a site includes its scheme. */
function checkOrigin(origin: URL, own: URL, { warn, fail }: Findings): Finding | undefined {
  if (origin.protocol !== own.protocol) {
    return fail(`${origin.origin} has another scheme than the public URL: browsers leave the session cookie out. Use https for both`);
  }
  if (siteOf(origin) !== siteOf(own)) {
    return warn(`${origin.origin} seems to be another site than ${own.host}: browsers would leave the session cookie out. `
      + 'Serve the BFF under a host of the pages\' own domain');
  }
  return undefined;
}

function checkRedirectUri({ publicUrl, redirectUri, allowedOrigins }: Config): Finding {
  const { ok, warn, fail } = findingsOf('redirect uri');
  if (redirectUri === `${publicUrl}/sync/return`) return ok(`${redirectUri} (register it with the service as it is)`);
  const { origin } = new URL(redirectUri);
  if (![...allowedOrigins, new URL(publicUrl).origin].includes(origin)) {
    return fail('VESTIBULE_REDIRECT_URI lies outside the public URL and the allowed origins: readers would return where nobody takes them up');
  }
  return warn(`${redirectUri} must be a page that carries the widget, and be registered with the service as it is`);
}

/** Without it every reader comes from the proxy's address and shares its rate limit. */
function checkProxy({ publicUrl, trustProxy, host, port }: Config): Finding {
  const { ok, warn } = findingsOf('proxy');
  const url = new URL(publicUrl);
  const isBehind = url.protocol === 'https:' || (!isLoopback(url) && Number(url.port || 80) !== port);
  if (isBehind && trustProxy === false) {
    return warn('VESTIBULE_TRUST_PROXY is not set: behind a proxy, set it (loopback, or the number of proxies), or all readers count as one address');
  }
  return ok(trustProxy === false ? `none before ${host}:${port}` : 'X-Forwarded-For of trusted proxies is believed');
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\./.test(hostname) || hostname === '[::1]';
}

/** Near enough to the registrable domain without its list: the last two labels, or an address as it is. */
function siteOf({ hostname }: URL): string {
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}
