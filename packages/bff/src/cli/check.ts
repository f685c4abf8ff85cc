/** `vestibule check`: prints one line per finding with what to do about it, and runs every check even if one fails. `serve` logs
 *  the local findings. No request has an effect. */

import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { loadConfig, unknownVariables } from '../config/load.ts';
import { ProblemError } from '../http/problem.ts';
import { widgetDirectory } from '../http/static.ts';
import { withDeadline } from '../lib/time.ts';
import { ServiceClient } from '../service/client.ts';
import { authorizeUrl } from '../service/urls.ts';
import { Cipher } from '../store/cipher.ts';
import { openStore } from '../store/open.ts';
import { Records } from '../store/records.ts';
import type { Profile } from '../sync/profiles.ts';
import { exitStatus, print } from './command.ts';

interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** Name of the check. */
  readonly name: string;
  /** For the operator; contains no secret. */
  readonly message: string;
}

/** `warn`: it works, but the operator should act. */
function findingsOf(name: string) {
  const create = (status: Finding['status']) => (message: string): Finding => ({ status, name, message });
  return { ok: create('ok'), warn: create('warn'), fail: create('fail') };
}

const STORE_TIMEOUT_MS = 5_000;

/** What no service and no publisher uses. */
const UNKNOWN = 'vestibule-check';

/** @returns the exit status */
export async function check(): Promise<number> {
  let hasFailed = false;
  const report = ({ status, name, message }: Finding): void => {
    print(`${status.padEnd(6)}${name.padEnd(16)} ${message}`);
    hasFailed ||= status === 'fail';
  };
  let config: Config;
  try {
    config = await loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) report(findingsOf('settings').fail(fault));
    return exitStatus.config;
  }
  for (const checks of [localFindings, checkWidget, checkStore, checkService, checkKeys, checkRegistration]) {
    (await checks(config)).forEach(report);
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

/** Logs what `check` would warn about or fail. */
export function logLocalFindings(config: Config, log: Logger): void {
  for (const { status, name, message } of localFindings(config)) {
    if (status !== 'ok') log[status === 'fail' ? 'error' : 'warn']({ check: name }, message);
  }
}

/** Findings that need neither the service nor the store. */
function localFindings(config: Config): readonly Finding[] {
  const { publicUrl, allowedOrigins, redirectUri, origins, trustProxy, host, port, forums, posts } = config;
  const { fields, ...hooks } = config.validation;
  const own = new URL(publicUrl);
  const settings = findingsOf('settings');
  const address = findingsOf('public url');
  const pages = findingsOf('origins');
  const redirect = findingsOf('redirect uri');
  const proxy = findingsOf('proxy');
  const names = Object.entries({ ...hooks, ...posts }).filter(([, hook]) => hook !== undefined).map(([name]) => name);
  const count = (length: number, noun: string) => `${length} ${noun}${length === 1 ? '' : 's'}`;
  const otherScheme = allowedOrigins.filter((origin) => new URL(origin).protocol !== own.protocol);
  const otherSite = allowedOrigins
    .filter((origin) => !otherScheme.includes(origin) && !isSameSite(new URL(origin).hostname, own.hostname));
  const isBehindProxy = own.protocol === 'https:' || (!isLoopback(own) && Number(own.port || 80) !== port);
  return [
    settings.ok([count(forums.length, 'forum'), count(fields.length, 'question'), ...names].join(', ')),
    ...unknownVariables().map((name) => settings.warn(`${name} is not a setting and has no effect; check its spelling`)),
    own.protocol === 'https:' || isLoopback(own) ? address.ok(publicUrl)
      : address.fail('VESTIBULE_PUBLIC_URL starts with http: use https, otherwise sessions can be intercepted and cookies lose their prefix'),
    ...otherScheme.map((origin) => pages.fail(`${origin} has another scheme than the public URL, so browsers do not send the session cookie: use https for both`)),
    ...otherSite.map((origin) => pages.warn(`${origin} may be another site than ${own.host}, so browsers would not send the session cookie: serve the BFF under a host of the pages' domain`)),
    ...(otherScheme.length + otherSite.length === 0 ? [pages.ok(allowedOrigins.join(', '))] : []),
    redirectUri === `${publicUrl}/sync/return` ? redirect.ok(`${redirectUri} (register exactly this with the service)`)
      : origins.includes(new URL(redirectUri).origin) ? redirect.warn(`${redirectUri} must be a page that embeds the widget; register exactly this with the service`)
        : redirect.fail('VESTIBULE_REDIRECT_URI is on none of the allowed origins, so sign-ins cannot finish: use a page of an allowed origin'),
    isBehindProxy && trustProxy === false
      ? proxy.warn('VESTIBULE_TRUST_PROXY is not set: behind a proxy, set it (loopback, or the number of proxies), otherwise all readers count as one address')
      : proxy.ok(trustProxy === false ? `no proxy in front of ${host}:${port}` : 'the client\'s address comes from X-Forwarded-For of trusted proxies'),
    ...(trustProxy === false && !isLoopback({ hostname: host } as URL)
      ? [proxy.warn(`HOST is ${host} and no proxy is trusted: Vestibule expects a TLS proxy that limits connections`)] : []),
  ];
}

function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\./.test(hostname) || hostname === '[::1]' || hostname === '::1';
}

/** Whether one host is the other's domain, or both share the last two labels. */
function isSameSite(one: string, other: string): boolean {
  const domain = (host: string) => host.split('.').slice(-2).join('.');
  return one === other || domain(one) === domain(other);
}

function checkWidget(): readonly Finding[] {
  const { ok, fail } = findingsOf('widget');
  try {
    return [ok(`widget.js, ${statSync(join(widgetDirectory(), 'widget.js.br')).size} bytes compressed`)];
  } catch {
    return [fail('the built files are missing: reinstall @vestibule/bff; in a checkout run "npm run build"')];
  }
}

/** Whether the store opens, reads and writes, and which cookie secrets its profiles still need. Creates no file. */
async function checkStore(config: Config): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('store');
  const secrets = findingsOf('cookie secrets');
  const path = config.store.startsWith('sqlite:') ? resolve(config.store.slice('sqlite:'.length)) : undefined;
  const warnings: string[] = [];
  try {
    if (path !== undefined && !existsSync(path)) {
      accessSync(dirname(path), constants.W_OK);
      return [ok(`sqlite at ${path}, which "vestibule serve" creates`)];
    }
    await using store = await openStore(config.store, {
      log: { info: () => undefined, warn: (message) => { warnings.push(message); } },
    });
    const beganAt = performance.now();
    await withDeadline(STORE_TIMEOUT_MS, async () => {
      const key = `check:${randomUUID()}`;
      await store.set(key, 'check', 60_000);
      if ((await store.get(key))?.value !== 'check') throw new Error('the store returned another value than was written');
      await store.delete(key);
    }, () => new Error('the store did not respond in time'));
    const ms = (performance.now() - beganAt).toFixed(1);
    if (store.kind === 'memory') warnings.push('a memory store loses everything when the process ends: use sqlite: or a Redis');
    const bySecret = await new Records<Profile>('profile', { store, cipher: new Cipher(config.cookieSecrets), now: Date.now }).countBySecret();
    const older = config.cookieSecrets.slice(1).map((_, i) => {
      const which = `secret ${i + 2} of ${config.cookieSecrets.length}`;
      const profiles = bySecret.get(i + 1) ?? 0;
      return profiles === 0 ? secrets.ok(`${which}: no profile needs it; remove it once its sessions have ended or may end`)
        : secrets.warn(`${which}: ${profiles} profiles need it; "vestibule serve" encrypts them anew at its start`);
    });
    const lost = bySecret.get(-1) ?? 0;
    return [
      // The address of a Redis may contain a password.
      ok(`${path === undefined ? store.kind : `sqlite at ${path}`}, written, read and deleted in ${ms} ms`),
      ...warnings.map(warn),
      secrets.ok(`secret 1 of ${config.cookieSecrets.length}: encrypts new records`),
      ...older,
      ...(lost === 0 ? [] : [secrets.warn(`${lost} profiles cannot be decrypted: add the missing secret at the end of VESTIBULE_COOKIE_SECRETS`)]),
    ];
  } catch (error) {
    return [fail(`VESTIBULE_STORE: ${error instanceof Error ? error.message : 'the store cannot be opened'}`)];
  }
}

/** Whether the service is reachable, and its clock agrees. */
async function checkService({ serviceUrl, serviceTimeoutMs }: Config): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('service');
  const clock = findingsOf('clock');
  const url = new URL(`${serviceUrl}/`);
  const tls = url.protocol === 'https:' || isLoopback(url) ? [] : [warn('VESTIBULE_SERVICE_URL starts with http: the secret key and tokens can be intercepted; use https')];
  const sentAt = Date.now();
  try {
    const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(serviceTimeoutMs) });
    const ms = Date.now() - sentAt;
    const date = headers.get('date');
    const offset = date === null ? undefined : Math.round((Date.parse(date) - sentAt) / 1000);
    return [
      ok(`${url.host} responds in ${ms} ms`), ...tls,
      offset === undefined ? clock.warn('the response has no Date header, so the clock cannot be compared: synchronize this machine\'s clock (NTP)')
        : Math.abs(offset) <= 2 + ms / 1000 ? clock.ok('within 2 s of the service\'s clock')
          : clock.warn(`the service's clock is ${Math.abs(offset)} s ${offset > 0 ? 'ahead' : 'behind'}: synchronize this machine's clock (NTP), otherwise the service refuses posts`),
    ];
  } catch (error) {
    return [fail(adviceFor((error as Error).cause ?? error)), ...tls];
  }
}

function adviceFor(error: unknown): string {
  const { code = '', name = '' } = error as { readonly code?: string; readonly name?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host does not resolve: check the host of VESTIBULE_SERVICE_URL and this machine\'s DNS';
  if (code === 'ECONNREFUSED') return 'the connection is refused: check host and port of VESTIBULE_SERVICE_URL';
  if (['ABORT_ERR', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(code) || name === 'TimeoutError') {
    return 'no response: check VESTIBULE_SERVICE_URL and the firewall for outgoing connections';
  }
  if (/^EPROTO$|^ERR_SSL_(?:WRONG|PACKET)/.test(code)) return 'the server does not speak TLS: check scheme and port of VESTIBULE_SERVICE_URL';
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired: check this machine\'s clock, or report it to the service';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another host: check the host of VESTIBULE_SERVICE_URL';
  if (/CERT|SIGNATURE|ISSUER|VERIFY|TLS|SSL/.test(code)) return `the certificate is not trusted (${code}): for your own certificate authority set NODE_EXTRA_CA_CERTS`;
  return `the service is unreachable${code === '' ? '' : ` (${code})`}: check VESTIBULE_SERVICE_URL`;
}

/** Exchanges a code that does not exist (interface 4.4), once with the secret key and once with a wrong one. The keys are proved
 *  if the service refuses the client only for the wrong one. */
async function checkKeys(config: Config): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('keys');
  const { publicKey, secretKey, serviceUrl } = config;
  if (publicKey === secretKey) return [fail('VESTIBULE_SECRET_KEY is the public key: use the secret key')];
  switch (await exchangeUnknownCode(config)) {
    case 'client': return [fail('the service refuses these keys: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY')];
    case 'none': return [warn('not proved: the service did not respond')];
    case 'not-the-service':
      return [fail(`the response of ${serviceUrl} to an unknown code is not that of the service: check VESTIBULE_SERVICE_URL, including its path`)];
    case 'code': {
      const toWrongKey = await exchangeUnknownCode({ ...config, secretKey: UNKNOWN });
      if (toWrongKey === 'client') return [ok('the service accepts them')];
      return [warn(`not proved: the service ${toWrongKey === 'code' ? 'responds the same' : 'did not respond'} to a wrong secret key`)];
    }
  }
}

/** `client`: the service refused the client. `code`: it refused the code. */
async function exchangeUnknownCode(config: Config): Promise<'client' | 'code' | 'none' | 'not-the-service'> {
  await using service = new ServiceClient(config);
  try {
    await service.exchangeCode(UNKNOWN, '');
    return 'not-the-service';
  } catch (error) {
    const { type, diagnosis } = error instanceof ProblemError ? error : new ProblemError('internal-error');
    // `error` of OAuth 2 (RFC 6749, 5.2); the service's own codes are numbers.
    const code = diagnosis['service_code'] ?? '';
    if (/^[a-z_]+$/.test(code)) return code === 'invalid_client' || code === 'unauthorized_client' ? 'client' : 'code';
    return type === 'service-unavailable' || type === 'outcome-unknown' ? 'none' : 'not-the-service';
  }
}

/** Requests the page of the authorization request (interface 4.2) as configured, and with values that no service knows. Proved is
 *  what the service refuses only for those. */
async function checkRegistration(config: Config): Promise<readonly Finding[]> {
  const { redirectUri, forums, embeddedUrl } = config;
  const [defaultForum = ''] = forums;
  const registration = findingsOf('registration');
  const { ok, warn, fail } = findingsOf('forums');
  if (embeddedUrl !== undefined) return [registration.warn('not proved: sign-ins start at VESTIBULE_EMBEDDED_URL, which is not requested')];
  const response = await requestAuthorization(config, defaultForum);
  if (response === 'none') return [registration.warn('not proved: the service did not respond')];
  if (response === 'refused') return [registration.fail(`the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly ${redirectUri}`)];
  const notProved = (to: Authorization) => `not proved: the service ${to === 'none' ? 'did not respond' : 'responds the same'} to`;
  const toUnknownForum = await requestAuthorization(config, UNKNOWN);
  const unregistered = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}unregistered=1`;
  const toUnregistered = await requestAuthorization({ ...config, redirectUri: unregistered }, defaultForum);
  return [
    toUnregistered === 'refused' ? registration.ok(`the service knows the public key and the redirect URI ${redirectUri}`)
      : registration.warn(`${notProved(toUnregistered)} a redirect URI that is not registered`),
    ...await Promise.all(forums.map(async (forum) => {
      if (toUnknownForum !== 'error') return warn(`${forum}: ${notProved(toUnknownForum)} an unknown forum`);
      const toForum = await requestAuthorization(config, forum);
      if (toForum === 'error') return fail(`${forum}: the service does not know this forum: check VESTIBULE_FORUMS`);
      return toForum === 'page' ? ok(`${forum}: the service knows it`) : warn(`${forum}: not proved: the service did not respond with its page`);
    })),
  ];
}

/** `error`: the service returns the reader with an error. `refused`: it shows one itself. `none`: no verdict, as for 429. */
type Authorization = 'page' | 'error' | 'refused' | 'none';

async function requestAuthorization(config: Config, forum: string): Promise<Authorization> {
  try {
    const { status, headers, body } = await fetch(authorizeUrl(config, forum), { redirect: 'manual', signal: AbortSignal.timeout(config.serviceTimeoutMs) });
    await body?.cancel();
    if (status >= 400) return status < 500 && status !== 429 ? 'refused' : 'none';
    return URL.parse(headers.get('location') ?? '')?.searchParams.has('error') === true ? 'error' : 'page';
  } catch {
    return 'none';
  }
}
