/** `vestibule check`: prints one line per finding with what to do about it, and runs every check even if one fails. `serve` logs
 *  the local findings. No request has an effect. */

import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { readConfig, unknownVariables, type Environment } from '../config/load.ts';
import { isLoopback } from '../lib/proxy.ts';
import type { ProblemError } from '../problem.ts';
import { readWidgetManifest } from '../http/static.ts';
import { createServiceClient } from '../service/client.ts';
import { clockOffset } from '../service/response.ts';
import { authorizeUrl } from '../sync/addresses.ts';
import { Cipher, createRecords } from '../store/records.ts';
import { openStore, sqlitePathOf } from '../store/open.ts';
import type { Profile } from '../sync/acceptance.ts';
import { isMissing, threadDetails } from '../threads/service.ts';
import { checkPublicUrl, refusedStore } from './check-public-url.ts';
import { exitStatus, type CommandContext } from './command.ts';
import { fail, newFileFinding, ok, ownerFindings, request, warn, type Finding, type RequestError } from './finding.ts';

/** A code that no service has issued. */
const UNKNOWN = 'vestibule-check';

export async function check({ environment, print }: CommandContext): Promise<number> {
  let hasFailed = false;
  const report = ({ status, name, message }: Finding): void => {
    print(`${status.padEnd(6)}${name.padEnd(16)} ${message}`);
    hasFailed ||= status === 'fail';
  };
  let config: Config;
  try {
    config = await readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) report(fail('settings', fault));
    for (const sentence of unknownVariables(environment)) report(warn('settings', sentence));
    return exitStatus.config;
  }
  localFindings(config, environment).forEach(report);
  for (const checks of [checkPublicUrl, checkStore, checkThreads, checkService, checkKeys, checkRegistration]) {
    (await checks(config)).forEach(report);
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

/** Logs what `check` would warn about or fail. */
export function logLocalFindings(config: Config, environment: Environment | undefined, log: Logger): void {
  for (const { status, name, message } of localFindings(config, environment)) {
    if (status !== 'ok') log[status === 'fail' ? 'error' : 'warn']({ check: name }, message);
  }
}

function widgetFinding(): Finding {
  try {
    readWidgetManifest();
    return ok('widget', 'its files are there');
  } catch (error) {
    return fail('widget', (error as Error).message);
  }
}

function localFindings(config: Config, environment?: Environment): readonly Finding[] {
  const { publicUrl, allowedOrigins, forums, validation } = config;
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
    redirectFinding(config),
    ...unknownVariables(environment).map((sentence) => warn('settings', sentence)),
    proxyFinding(config, own),
    widgetFinding(),
  ];
}

function redirectFinding({ publicUrl, redirectUri, origins }: Config): Finding {
  if (redirectUri === `${publicUrl}/sync/return`) return ok('redirect uri', `${redirectUri} (register exactly this with the service)`);
  if (!origins.includes(new URL(redirectUri).origin)) {
    return fail('redirect uri', 'VESTIBULE_REDIRECT_URI is on none of the allowed origins, so sign-ins cannot finish: use a page of one');
  }
  return warn('redirect uri', `${redirectUri} must be a page that embeds the widget; register exactly this with the service`);
}

function proxyFinding({ trustProxy }: Config, own: URL): Finding {
  if (trustProxy === true) {
    return warn('proxy', 'VESTIBULE_TRUST_PROXY is true, so a client names its own address and passes every limit: use the number of proxies or their addresses');
  }
  // The BFF itself has no TLS.
  if (trustProxy === false && (own.protocol === 'https:' || !isLoopback(own.hostname))) {
    return fail('proxy', 'VESTIBULE_TRUST_PROXY is not set, so all readers count as one address: name the proxy that has the certificate, such as loopback');
  }
  return ok('proxy', trustProxy === false ? 'none' : 'the client\'s address comes from X-Forwarded-For of trusted proxies');
}

/** The scheme and the last two labels, which are not the registrable domain of every host. */
function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${hostname.split('.').slice(-2).join('.')}`;
}

/** Whether the store takes writes, also those of the BFF that runs: this process opens a file anew, does not notice that it was
 *  replaced, and may find room on a full disk that the BFF does not have. */
async function checkStore(config: Config): Promise<readonly Finding[]> {
  // First: opening the file may make that room.
  const refused = await refusedStore(config);
  const found = await tryStore(config);
  return refused ? [refused, ...found.filter(({ name, status }) => name !== 'store' || status !== 'ok')] : found;
}

/** Whether the store opens, reads and writes, and which cookie secrets its profiles still need. Creates no file. */
async function tryStore({ store: address, cookieSecrets }: Config): Promise<readonly Finding[]> {
  try {
    const path = sqlitePathOf(address);
    if (path !== undefined && !existsSync(path)) return [newFileFinding(path, 'store', 'VESTIBULE_STORE')];
    await using store = await openStore(address);
    await store.ping();
    const profiles = await createRecords<Profile>('profile', { store, cipher: new Cipher(cookieSecrets), now: Date.now }).countBySecret();
    // The address of a Redis may contain a password.
    const name = path === undefined ? store.kind : `sqlite at ${path}`;
    return [
      ...(store.warnings ?? []).map((message) => warn('store', message)),
      ...(path === undefined ? [] : ownerFindings(path, 'store')),
      store.kind === 'memory' ? warn('store', 'a memory store loses everything when the process ends: use sqlite: or a Redis')
        : ok('store', `${name} reads and writes`),
      ...secretFindings(cookieSecrets.length, profiles),
    ];
  } catch (error) {
    return [fail('store', `VESTIBULE_STORE: ${(error as Error).message}`)];
  }
}

/** @param profiles their numbers by the index of the secret; -1: none decrypts them */
function secretFindings(secrets: number, profiles: ReadonlyMap<number, number>): readonly Finding[] {
  const missing = profiles.get(-1);
  const findings = Array.from({ length: secrets }, (_, i) => {
    const count = profiles.get(i) ?? 0;
    const which = `secret ${i + 1} of ${secrets}: ${count} profiles need it`;
    if (i === 0) return ok('cookie secrets', `${which}; new records are encrypted with it`);
    return count > 0 ? warn('cookie secrets', `${which}; "vestibule serve" encrypts them anew at its start`)
      : ok('cookie secrets', `${which}: remove it once its sessions have ended or may end, or put it first if it is new`);
  });
  return missing === undefined ? findings
    : [...findings, warn('cookie secrets', `${missing} profiles need a secret that is missing at the end of VESTIBULE_COOKIE_SECRETS`)];
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
    return [ok('service', `${host} responds in ${ms} ms`), ...tls, clockFinding(Date.parse(headers.get('date') ?? '') - sentAt, ms)];
  } catch (error) {
    const { reason, proxy } = error as RequestError;
    return [fail('service', `unreachable (${reason}): check ${proxy === undefined ? '' : `${proxy}, `}VESTIBULE_SERVICE_URL, DNS, certificates and the firewall`), ...tls];
  }
}

/** How long a nonce is valid (interface, section 8). */
const NONCE_MS = 300_000;

/** @param aheadMs of the service's clock; `NaN`: unknown @param ms that the request took */
function clockFinding(aheadMs: number, ms: number): Finding {
  if (Number.isNaN(aheadMs)) return warn('clock', 'the response has no Date header: synchronize this machine\'s clock (NTP)');
  if (Math.abs(aheadMs) <= 2_500 + ms) return ok('clock', 'within 2 s of the service\'s clock');
  const finding = Math.abs(aheadMs) > NONCE_MS ? fail : warn;
  return finding('clock', `this machine's clock is ${clockOffset(aheadMs)}: synchronize it (NTP), or the service refuses requests`);
}

/** Which thread is in force. Of the service, asks for the thread of the public URL, which it need not have. */
async function checkThreads(config: Config): Promise<readonly Finding[]> {
  if (config.threads === undefined) {
    return [ok('threads', config.posts.list ? 'the hook list' : 'none, so show-posts has nothing to show: set VESTIBULE_THREADS, or write the hook list')];
  }
  await using service = createServiceClient(config);
  const failure = await threadDetails(service, config.forums[0] ?? '', config.publicUrl).then(() => undefined, (error: unknown) => error as ProblemError);
  if (!failure || isMissing(failure)) return [ok('threads', 'the service has threads')];
  if (failure.diagnosis['service_status'] === undefined) return [warn('threads', 'not proved: the service did not respond')];
  return [fail('threads', `VESTIBULE_THREADS=service: the service refuses threads/details.json (${failure.detail}): ask who runs it, or write the hook list`)];
}

/** Exchanges a code that does not exist (interface 4.4): the service refuses the keys, or the code. */
async function checkKeys(config: Config): Promise<readonly Finding[]> {
  await using service = createServiceClient(config);
  const error = await service.exchangeCode(UNKNOWN).then(() => undefined, (thrown: unknown) => thrown as ProblemError);
  if (error?.type === 'service-unavailable' || error?.type === 'outcome-unknown') return [warn('keys', 'not proved: the service did not respond')];
  // `error` of OAuth 2 (RFC 6749, 5.2); the service's own codes are numbers.
  const code = error?.diagnosis['service_code'] ?? '';
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return [fail('keys', 'the service refuses these keys: check VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY')];
  }
  if (/^[a-z_]+$/.test(code)) return [ok('keys', 'the service does not refuse them')];
  return [fail('keys', 'the response to an unknown code is not that of the service: check VESTIBULE_SERVICE_URL, including its path')];
}

/** Requests the page of the authorization request (interface 4.2) for each forum. */
async function checkRegistration(config: Config): Promise<readonly Finding[]> {
  const { redirectUri, forums, embeddedUrl } = config;
  if (embeddedUrl !== undefined) return [warn('registration', 'not proved: sign-ins start at VESTIBULE_EMBEDDED_URL, which is not requested')];
  const answers = await Promise.all(forums.map((forum) => requestAuthorization(config, forum)));
  if (answers[0] === 'none') return [warn('registration', 'not proved: the service did not respond')];
  if (answers[0] === 'refused') {
    return [fail('registration', `the service refuses VESTIBULE_PUBLIC_KEY or the redirect URI: register exactly ${redirectUri}`)];
  }
  return [
    ok('registration', `the service does not refuse the public key and the redirect URI ${redirectUri}`),
    ...forums.map((forum, i) => (answers[i] === 'page' ? ok('forums', `${forum}: the service does not refuse it`)
      : fail('forums', `${forum}: the service refuses this forum, or did not respond: check VESTIBULE_FORUMS`))),
  ];
}

/** `error`: the service returns the reader with an error. `refused`: it shows one itself. `none`: no verdict, as for 429. */
type Authorization = 'page' | 'error' | 'refused' | 'none';

async function requestAuthorization(config: Config, forum: string): Promise<Authorization> {
  try {
    const { status, headers } = await request(config, authorizeUrl(config, forum));
    if (status === 429 || status >= 500) return 'none';
    if (status >= 400) return 'refused';
    return URL.parse(headers.get('location') ?? '')?.searchParams.has('error') === true ? 'error' : 'page';
  } catch {
    return 'none';
  }
}
