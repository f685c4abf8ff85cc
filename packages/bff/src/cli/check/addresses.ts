/** Checks that public URL, origins, redirect URI and proxy settings fit together. */

import { getDomain } from 'tldts';
import type { Config } from '../../config/config.ts';
import { findingsOf, type Finding, type Findings } from './finding.ts';

export function checkAddresses(config: Config): readonly Finding[] {
  return [checkPublicUrl(config), ...checkOrigins(config), checkRedirectUri(config), checkProxy(config)];
}

function checkPublicUrl({ publicUrl }: Config): Finding {
  const { ok, fail } = findingsOf('public url');
  const url = new URL(publicUrl);
  if (url.protocol === 'https:') return ok(publicUrl);
  if (isLoopback(url)) return ok(`${publicUrl} (http, this machine only)`);
  return fail('VESTIBULE_PUBLIC_URL starts with http: use https, otherwise sessions can be intercepted and cookies lose their prefix');
}

function checkOrigins({ publicUrl, allowedOrigins }: Config): readonly Finding[] {
  const findings = findingsOf('origins');
  const own = new URL(publicUrl);
  const faults = allowedOrigins.flatMap((origin) => checkOrigin(new URL(origin), own, findings) ?? []);
  if (faults.length > 0) return faults;
  const others = allowedOrigins.map(wwwVariantOf).filter((origin) => origin !== undefined && !allowedOrigins.includes(origin));
  return [findings.ok(`${allowedOrigins.join(', ')}${others.length === 0 ? '' : `; pages of ${others.join(', ')} are refused`}`)];
}

/** The session cookie is `SameSite=Strict`, and a site includes its scheme. */
function checkOrigin(origin: URL, own: URL, { warn, fail }: Findings): Finding | undefined {
  if (origin.protocol !== own.protocol) {
    return fail(`${origin.origin} has another scheme than the public URL, so browsers do not send the session cookie: use https for both`);
  }
  if (siteOf(origin) !== siteOf(own)) {
    return warn(`${origin.origin} is another site than ${own.host}, so browsers do not send the session cookie: `
      + 'serve the BFF under a host of the pages\' domain');
  }
  return undefined;
}

function checkRedirectUri({ publicUrl, redirectUri, origins }: Config): Finding {
  const { ok, warn, fail } = findingsOf('redirect uri');
  if (redirectUri === `${publicUrl}/sync/return`) return ok(`${redirectUri} (register exactly this with the service)`);
  const { origin } = new URL(redirectUri);
  if (!origins.includes(origin)) {
    return fail('VESTIBULE_REDIRECT_URI is on none of the allowed origins, so sign-ins cannot finish: use a page of an allowed origin');
  }
  return warn(`${redirectUri} must be a page that embeds the widget; register exactly this with the service`);
}

/** Behind a proxy that is not trusted, all readers share the proxy's address and its rate limit. */
function checkProxy({ publicUrl, trustProxy, host, port }: Config): Finding {
  const { ok, warn } = findingsOf('proxy');
  const url = new URL(publicUrl);
  const isBehind = url.protocol === 'https:' || (!isLoopback(url) && Number(url.port || 80) !== port);
  if (isBehind && trustProxy === false) {
    return warn('VESTIBULE_TRUST_PROXY is not set: behind a proxy, set it (loopback, or the number of proxies), otherwise all readers count as one address');
  }
  return ok(trustProxy === false ? `no proxy in front of ${host}:${port}` : 'the client\'s address comes from X-Forwarded-For of trusted proxies');
}

/** The origin with `www` or without; `undefined` for other subdomains and for addresses. */
function wwwVariantOf(origin: string): string | undefined {
  if (origin.includes('//www.')) return origin.replace('//www.', '//');
  return /^https?:\/\/[^.:[\]]+\.[a-z]+(?::\d+)?$/.test(origin) ? origin.replace('//', '//www.') : undefined;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\./.test(hostname) || hostname === '[::1]';
}

/** The registrable domain by the public suffix list; the host itself if there is none. */
function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
