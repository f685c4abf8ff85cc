/** `vestibule check`: prints one line per finding with what to do about it, and runs every check even if one fails. `serve` logs
 *  the local findings. No request has an effect. */

import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { unknownVariables } from '../config/load.ts';
import { removedSettings } from '../config/settings.ts';
import { loadSites } from '../config/sites.ts';
import { isLoopback, proxyFor } from '../lib/proxy.ts';
import type { ProblemError } from '../problem.ts';
import { readWidgetManifest } from '../http/static.ts';
import { createServiceClient } from '../service/client.ts';
import { authorizeUrl } from '../service/urls.ts';
import { Cipher } from '../store/cipher.ts';
import { openStore } from '../store/open.ts';
import { createRecords } from '../store/records.ts';
import type { Profile } from '../sync/profiles.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { exitStatus, print, sqlitePathOf } from './command.ts';
import { fail, ok, reasonOf, request, warn, type Finding } from './finding.ts';

/** What no service and no publisher uses. */
const UNKNOWN = 'vestibule-check';

export async function check(): Promise<number> {
  let hasFailed = false;
  const report = ({ status, name, message }: Finding): void => {
    print(`${status.padEnd(6)}${name.padEnd(16)} ${message}`);
    hasFailed ||= status === 'fail';
  };
  let sites: readonly Config[];
  try {
    sites = await loadSites();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) report(fail('settings', fault));
    return exitStatus.config;
  }
  for (const config of sites) {
    if (config.siteHost !== undefined) print(`${config === sites[0] ? '' : '\n'}${config.siteHost}`);
    const ofProcess = config === sites[0] ? [processFindings] : [];
    for (const checks of [siteFindings, ...ofProcess, checkPublicUrl, checkStore, checkService, checkKeys, checkRegistration]) {
      (await checks(config)).forEach(report);
    }
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

/** Logs what `check` would warn about or fail. */
export function logLocalFindings(sites: readonly [Config, ...Config[]], log: Logger): void {
  const found = [
    ...sites.flatMap((config) => siteFindings(config).map((finding) => ({ finding, site: config.siteHost }))),
    ...processFindings(sites[0]).map((finding) => ({ finding, site: undefined })),
  ];
  for (const { finding: { status, name, message }, site } of found) {
    if (status !== 'ok') log[status === 'fail' ? 'error' : 'warn']({ ...(site !== undefined && { site }), check: name }, message);
  }
}

/** @param config of the first site */
function processFindings(config: Config): readonly Finding[] {
  return [
    ...unknownVariables().map((name) => (
      warn('settings', `${name} ${removedSettings.get(name) ?? 'is not a setting and has no effect; check its spelling'}`)
    )),
    ...config.ignored.map((name) => warn('settings', `${name} has no effect beside sites: set it in the entry of a site`)),
    proxyFinding(config, new URL(config.publicUrl)),
    widgetFinding(),
  ];
}

function widgetFinding(): Finding {
  try {
    readWidgetManifest();
    return ok('widget', 'its files are there');
  } catch (error) {
    return fail('widget', (error as Error).message);
  }
}

function siteFindings(config: Config): readonly Finding[] {
  const { publicUrl, allowedOrigins, redirectUri, origins, forums, validation } = config;
  const own = new URL(publicUrl);
  const hooks = Object.entries({ ...validation, ...config.posts }).flatMap(([name, hook]) => (typeof hook === 'function' ? [name] : []));
  const otherSites = allowedOrigins.filter((origin) => siteOf(new URL(origin)) !== siteOf(own));
  return [
    ok('settings', `forums: ${forums.length}, questions: ${validation.fields.length}, hooks: ${hooks.join(', ') || 'none'}`),
    own.protocol === 'https:' || isLoopback(own.hostname) ? ok('public url', publicUrl)
      : fail('public url', 'VESTIBULE_PUBLIC_URL starts with http: use https, otherwise sessions can be intercepted and cookies lose their prefix'),
    ...otherSites.map((origin) => (
      warn('origins', `${origin} may be another site than ${own.origin}, so browsers would not send the session cookie: `
      + 'use the scheme of the pages and a host of their domain')
    )),
    ...(otherSites.length === 0 ? [ok('origins', allowedOrigins.join(', '))] : []),
    redirectUri === `${publicUrl}/sync/return` ? ok('redirect uri', `${redirectUri} (register exactly this with the service)`)
      : origins.includes(new URL(redirectUri).origin)
        ? warn('redirect uri', `${redirectUri} must be a page that embeds the widget; register exactly this with the service`)
        : fail('redirect uri', 'VESTIBULE_REDIRECT_URI is on none of the allowed origins, so sign-ins cannot finish: use a page of one'),
  ];
}

function proxyFinding({ trustProxy, host, port }: Config, own: URL): Finding {
  if (trustProxy === true) {
    return warn('proxy', 'VESTIBULE_TRUST_PROXY is true, so a client names its own address and passes every limit: use the number of proxies or their addresses');
  }
  if (trustProxy !== false) return ok('proxy', 'the client\'s address comes from X-Forwarded-For of trusted proxies');
  // The BFF itself has no TLS.
  if (!isLoopback(own.hostname) || own.protocol === 'https:') {
    return warn('proxy', 'VESTIBULE_TRUST_PROXY is not set: behind a proxy all readers count as one address');
  }
  return isLoopback(host) ? ok('proxy', 'none in front of a public URL on this machine')
    : warn('proxy', `HOST is ${host} and no proxy is trusted: a TLS proxy that limits connections belongs before ${host}:${port}`);
}

/** The scheme and the last two labels, which are not the registrable domain of every host. */
function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${hostname.split('.').slice(-2).join('.')}`;
}

/** `undefined`: files can be created there. Tried with one that is deleted again: permissions alone do not tell. */
function checkFolder(folder: string): Finding | undefined {
  if (!existsSync(folder)) return fail('store', `VESTIBULE_STORE: create the folder ${folder}, owned by the user of the BFF`);
  try {
    rmdirSync(mkdtempSync(join(folder, '.vestibule-check-')));
    return undefined;
  } catch (error) {
    return fail('store', `VESTIBULE_STORE: this user cannot write to the folder ${folder} (${reasonOf(error)}): make it owned by the user of the BFF`);
  }
}

/** Whether the store opens, reads and writes, and which cookie secrets its profiles still need. Creates no file. */
async function checkStore({ store: address, cookieSecrets, siteKey }: Config): Promise<readonly Finding[]> {
  try {
    const path = sqlitePathOf(address);
    if (path !== undefined && !existsSync(path)) return [checkFolder(dirname(path)) ?? ok('store', `sqlite at ${path}, which "vestibule serve" creates`)];
    await using store = await openStore(address);
    await store.ping();
    const profiles = await createRecords<Profile>('profile', { store, cipher: new Cipher(cookieSecrets), now: Date.now, siteKey }).countBySecret();
    return [
      ...(store.warnings ?? []).map((message) => warn('store', message)),
      ...(path !== undefined && statSync(path).uid !== process.geteuid?.() ? [
        warn('store', `${path} belongs to another user: give it to the user of this process alone (mode 0600)`),
      ] : []),
      store.kind === 'memory' ? warn('store', 'a memory store loses everything when the process ends: use sqlite: or a Redis')
        // The address of a Redis may contain a password.
        : ok('store', `${path === undefined ? store.kind : `sqlite at ${path}`} reads and writes`),
      ...cookieSecrets.map((_, i) => {
        const which = `secret ${i + 1} of ${cookieSecrets.length}`;
        if (i === 0) return ok('cookie secrets', `${which}: encrypts new records`);
        return profiles.has(i) ? warn('cookie secrets', `${which}: ${profiles.get(i)} profiles need it; "vestibule serve" encrypts them anew at its start`)
          : ok('cookie secrets', `${which}: no profile needs it; remove it once its sessions have ended or may end, or put it first if it is new`);
      }),
      ...(profiles.has(-1) ? [
        warn('cookie secrets', `${profiles.get(-1)} profiles need a secret that is missing at the end of VESTIBULE_COOKIE_SECRETS`),
      ] : []),
    ];
  } catch (error) {
    return [fail('store', `VESTIBULE_STORE: ${(error as Error).message}`)];
  }
}

async function checkService(config: Config): Promise<readonly Finding[]> {
  const { serviceUrl } = config;
  const { host, protocol, hostname } = new URL(serviceUrl);
  const tls = protocol === 'https:' || isLoopback(hostname) ? []
    : [warn('service', 'VESTIBULE_SERVICE_URL starts with http: the secret key and tokens can be intercepted; use https')];
  const sentAt = Date.now();
  try {
    const { headers } = await request(config, serviceUrl, { method: 'HEAD' });
    const ms = Date.now() - sentAt;
    const offset = Math.round((Date.parse(headers.get('date') ?? '') - sentAt) / 1000);
    return [
      ok('service', `${host} responds in ${ms} ms`), ...tls,
      Number.isNaN(offset) ? warn('clock', 'the response has no Date header: synchronize this machine\'s clock (NTP)')
        : Math.abs(offset) <= 2 + ms / 1000 ? ok('clock', 'within 2 s of the service\'s clock')
          : warn('clock', `${offset} s from this clock to the service's: synchronize this machine's clock (NTP), or the service refuses posts`),
    ];
  } catch (error) {
    const reason = reasonOf(error);
    const settings = [proxyFor(serviceUrl)?.variable, 'VESTIBULE_SERVICE_URL'].filter((name) => name !== undefined).join(', ');
    return [fail('service', reason === 'TimeoutError'
      ? `${host} does not answer within ${config.serviceTimeoutMs} ms: the service hangs, or something before it; ask who runs it`
      : `unreachable (${reason}): check ${settings}, DNS, certificates and the firewall`), ...tls];
  }
}

/** Exchanges a code that does not exist (interface 4.4), once with the secret key and once with a wrong one. The keys are proved
 *  if the service refuses the client only for the wrong one. */
async function checkKeys(config: Config): Promise<readonly Finding[]> {
  const found = await exchangeUnknownCode(config);
  if (found !== 'code') return [found];
  const control = await exchangeUnknownCode({ ...config, secretKey: UNKNOWN });
  return [
    control !== 'code' && control.status === 'fail' ? ok('keys', 'the service accepts them')
      : warn('keys', 'not proved: the service does not refuse a wrong secret key either'),
  ];
}

/** `code`: the service accepted the client and refused the code. */
async function exchangeUnknownCode(config: Config): Promise<'code' | Finding> {
  await using service = createServiceClient(config);
  try {
    await service.exchangeCode(UNKNOWN);
  } catch (error) {
    const { type, diagnosis } = error as ProblemError;
    if (type === 'service-unavailable' || type === 'outcome-unknown') return warn('keys', 'not proved: the service did not respond');
    // `error` of OAuth 2 (RFC 6749, 5.2); the service's own codes are numbers.
    const code = diagnosis['service_code'] ?? '';
    if (/^[a-z_]+$/.test(code)) {
      return !['invalid_client', 'unauthorized_client'].includes(code) ? 'code'
        : fail('keys', 'the service refuses these keys: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY');
    }
  }
  return fail('keys', 'the response to an unknown code is not that of the service: check VESTIBULE_SERVICE_URL, including its path');
}

/** Requests the page of the authorization request (interface 4.2) as configured, and with values that no service knows. Proved is
 *  what the service refuses only for those. */
async function checkRegistration(config: Config): Promise<readonly Finding[]> {
  const { redirectUri, forums: [defaultForum = '', ...otherForums], embeddedUrl } = config;
  if (embeddedUrl !== undefined) return [warn('registration', 'not proved: sign-ins start at VESTIBULE_EMBEDDED_URL, which is not requested')];
  const response = await requestAuthorization(config, defaultForum);
  if (response === 'none') return [warn('registration', 'not proved: the service did not respond')];
  if (response === 'refused') {
    return [fail('registration', `the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly ${redirectUri}`)];
  }
  const unregistered = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}unregistered=1`;
  const isProved = await requestAuthorization({ ...config, redirectUri: unregistered }, defaultForum) === 'refused';
  const areForumsProved = await requestAuthorization(config, UNKNOWN) === 'error';
  const checkForum = (forum: string, found: Authorization) => (
    !areForumsProved || found === 'none' || found === 'refused' ? warn('forums', `${forum}: not proved: the service does not tell forums apart`)
      : found === 'error' ? fail('forums', `${forum}: the service does not know this forum: check VESTIBULE_FORUMS`)
        : ok('forums', `${forum}: the service knows it`)
  );
  return [
    isProved ? ok('registration', `the service knows the public key and the redirect URI ${redirectUri}`)
      : warn('registration', 'not proved: the service does not refuse a redirect URI that is not registered'),
    checkForum(defaultForum, response),
    ...await Promise.all(otherForums.map(async (forum) => checkForum(forum, await requestAuthorization(config, forum)))),
  ];
}

/** `error`: the service returns the reader with an error. `refused`: it shows one itself. `none`: no verdict, as for 429. */
type Authorization = 'page' | 'error' | 'refused' | 'none';

async function requestAuthorization(config: Config, forum: string): Promise<Authorization> {
  try {
    const { status, headers } = await request(config, authorizeUrl(config, forum));
    if (status >= 400) return status < 500 && status !== 429 ? 'refused' : 'none';
    return URL.parse(headers.get('location') ?? '')?.searchParams.has('error') === true ? 'error' : 'page';
  } catch {
    return 'none';
  }
}
