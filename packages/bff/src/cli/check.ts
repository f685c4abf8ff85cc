/** `vestibule check`: prints one line per finding with what to do about it, about the settings, the public URL, the store and the
 *  service, and runs every check even if one fails. No request has an effect. */

import { existsSync } from 'node:fs';
import { endpoints, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import { ConfigError, type Config } from '../config/config.ts';
import { readConfig, unknownVariables, type Environment } from '../config/load.ts';
import { isLoopback } from '../lib/proxy.ts';
import type { ProblemError } from '../problem.ts';
import { createServiceClient } from '../service/client.ts';
import { clockOffset } from '../service/response.ts';
import { authorizeUrl } from '../sync/addresses.ts';
import { Cipher, createRecords } from '../store/records.ts';
import { openStore, sqlitePathOf } from '../store/open.ts';
import type { Profile } from '../sync/acceptance.ts';
import { exitStatus, type CommandContext } from './command.ts';
import { fail, newStoreFinding, ok, ownerFindings, request, warn, type Finding, type RequestError } from './finding.ts';

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
  checkSettings(config, environment).forEach(report);
  for (const checks of [checkPublicUrl, checkStore, checkService, checkKeys]) {
    (await checks(config)).forEach(report);
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

function checkSettings(config: Config, environment?: Environment): readonly Finding[] {
  const { publicUrl, redirectUri, origins, forums, validation, trustProxy } = config;
  const own = new URL(publicUrl);
  const isPlain = own.protocol !== 'https:' && !isLoopback(own.hostname);
  const hooks = Object.entries({ ...validation, ...config.posts }).flatMap(([name, hook]) => (typeof hook === 'function' ? [name] : []));
  const found = (isFound: boolean, finding: typeof warn, message: string) => (isFound ? [finding('settings', message)] : []);
  return [
    ok('settings', `forums: ${forums.length}, questions: ${validation.fields.length}, hooks: ${hooks.join(', ') || 'none'}; `
    + `register exactly ${redirectUri} with the service`),
    ...found(isPlain, fail, 'VESTIBULE_PUBLIC_URL starts with http: use https, otherwise sessions can be intercepted and cookies lose their prefix'),
    ...origins.filter((origin) => siteOf(new URL(origin)) !== siteOf(own)).map((origin) => (
      warn('settings', `${origin} may be another site than ${own.origin}, so browsers would not send the session cookie: `
      + 'use the scheme of the pages and a host of their domain')
    )),
    ...found(!origins.includes(new URL(redirectUri).origin), fail,
      'VESTIBULE_REDIRECT_URI is on none of the allowed origins, so sign-ins cannot finish: use a page of one'),
    ...found(trustProxy === true, warn,
      'VESTIBULE_TRUST_PROXY is true, so a client names its own address and passes every limit: use the number of proxies or their addresses'),
    // The BFF itself has no TLS.
    ...found(trustProxy === false && (own.protocol === 'https:' || isPlain), fail,
      'VESTIBULE_TRUST_PROXY is not set, so all readers count as one address: name the proxy that has the certificate, such as loopback'),
    ...unknownVariables(environment).map((sentence) => warn('settings', sentence)),
  ];
}

/** The scheme and the last two labels, which are not the registrable domain of every host. */
function siteOf({ protocol, hostname }: URL): string {
  return `${protocol}//${hostname.split('.').slice(-2).join('.')}`;
}

/** Asks the public URL for the start of a sign-in, as a browser does: whether the BFF gets the request, and the browser its
 *  redirect and its cookie. Only what a BFF has answered is a failure: before it runs, anything may be at its address. */
async function checkPublicUrl(config: Config): Promise<readonly Finding[]> {
  const { publicUrl, host, port } = config;
  const url = publicUrl + endpoints.syncAuthorize.path;
  const answer = await request(config, url, { headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' } })
    .catch(({ reason }: RequestError) => reason);
  if (typeof answer === 'string') {
    return [warn('reachable', `${url}: no answer (${answer}): start the server and the proxy, or correct VESTIBULE_PUBLIC_URL, DNS or the certificate, `
      + 'and repeat the check')];
  }
  const { status, headers, text } = answer;
  const [, problem] = new RegExp(`"${PROBLEM_TYPE_PREFIX}([a-z-]+)"`).exec(text) ?? [];
  if (problem === 'not-found') return [fail('reachable', `Vestibule answers ${url} with not-found: the proxy must pass the path on unchanged`)];
  if (problem !== undefined) return [warn('reachable', `Vestibule answers ${url} with ${problem}: repeat the check in a minute`)];
  const location = headers.get('location');
  if (status !== 302 || location !== (config.embeddedUrl ?? authorizeUrl(config, config.forums[0] ?? ''))) {
    // Without its query, which may contain a key.
    const to = location === null ? '' : ` to ${URL.parse(location, url)?.origin ?? 'an invalid address'}`;
    return [warn('reachable', `${url} answers ${status}${to}, which is not the sign-in of these settings: let the proxy pass requests on to `
      + `${host}:${port}, and redirects back, or correct VESTIBULE_PUBLIC_URL`)];
  }
  const [cookie = ''] = headers.getSetCookie();
  const isWhole = [...cookie.matchAll(/; *(?:SameSite|Path|Domain)=[^;]*/gi)].join() === '; Path=/,; SameSite=Lax';
  return [
    ok('reachable', `${publicUrl} leads to Vestibule with these settings`),
    isWhole ? ok('cookies', 'arrive as they were set')
      : fail('cookies', 'a proxy removes or changes the cookies of the public URL, so sign-ins do not finish: let Set-Cookie pass as it is'),
  ];
}

/** Whether the store opens, reads and writes, and which cookie secrets its profiles still need. Creates no file. */
async function checkStore({ store: address, cookieSecrets }: Config): Promise<readonly Finding[]> {
  try {
    const path = sqlitePathOf(address);
    if (path !== undefined && !existsSync(path)) return [newStoreFinding(path)];
    await using store = await openStore(address);
    await store.ping();
    const profiles = await createRecords<Profile>('profile', { store, cipher: new Cipher(cookieSecrets), now: Date.now }).countBySecret();
    // The address of a Redis may contain a password.
    const name = path === undefined ? store.kind : `sqlite at ${path}`;
    return [
      ...(store.warnings ?? []).map((message) => warn('store', message)),
      ...(path === undefined ? [] : ownerFindings(path)),
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
