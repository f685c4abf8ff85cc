/**
 * Turns the strings of the environment into values. The only reader of `process.env`.
 * A name that ends in `_FILE` reads the value from a file, for mounted secrets.
 */

import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Converts a text. Returns text that it cannot convert as it is; `configSchema` refuses it. */
type Reader = (text: string) => unknown;

const asText: Reader = (text) => text;
/** A file may have an item in each line. */
const asList: Reader = (text) => text.split(/[,\n]/).map((item) => item.trim()).filter((item) => item !== '');
const asNumber: Reader = (text) => (/^\d+$/.test(text) ? Number(text) : text);
const asBoolean: Reader = (text) => (text === 'true' || text === 'false' ? text === 'true' : text);
const asTrustProxy: Reader = (text) => asBoolean(text) === text ? asNumber(text) : asBoolean(text);

function asRateLimits(text: string): unknown {
  const pairs = text.split(',').map((pair) => /^\s*(posts|sync|other)\s*=\s*(\d+)\s*$/.exec(pair));
  if (pairs.includes(null)) return text;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])]));
}

/** Variables by the setting's name in a configuration file. */
const settings: Readonly<Record<string, { readonly variable: string; readonly read: Reader }>> = {
  serviceUrl: { variable: 'VESTIBULE_SERVICE_URL', read: asText },
  publicKey: { variable: 'VESTIBULE_PUBLIC_KEY', read: asText },
  secretKey: { variable: 'VESTIBULE_SECRET_KEY', read: asText },
  forums: { variable: 'VESTIBULE_FORUMS', read: asList },
  publicUrl: { variable: 'VESTIBULE_PUBLIC_URL', read: asText },
  allowedOrigins: { variable: 'VESTIBULE_ALLOWED_ORIGINS', read: asList },
  redirectUri: { variable: 'VESTIBULE_REDIRECT_URI', read: asText },
  embeddedUrl: { variable: 'VESTIBULE_EMBEDDED_URL', read: asText },
  cookieSecrets: { variable: 'VESTIBULE_COOKIE_SECRETS', read: asList },
  store: { variable: 'VESTIBULE_STORE', read: asText },
  redisWaitReplicas: { variable: 'VESTIBULE_REDIS_WAIT_REPLICAS', read: asNumber },
  profiles: { variable: 'VESTIBULE_PROFILES', read: asText },
  profileDays: { variable: 'VESTIBULE_PROFILE_DAYS', read: asNumber },
  requireProvenUser: { variable: 'VESTIBULE_REQUIRE_PROVEN_USER', read: asBoolean },
  rateLimits: { variable: 'VESTIBULE_RATE_LIMITS', read: asRateLimits },
  messageMaxLength: { variable: 'VESTIBULE_MESSAGE_MAX_LENGTH', read: asNumber },
  trustProxy: { variable: 'VESTIBULE_TRUST_PROXY', read: asTrustProxy },
  widgetArchive: { variable: 'VESTIBULE_WIDGET_ARCHIVE', read: asText },
  adminPort: { variable: 'VESTIBULE_ADMIN_PORT', read: asNumber },
  serviceConnectTimeoutMs: { variable: 'VESTIBULE_SERVICE_CONNECT_TIMEOUT_MS', read: asNumber },
  serviceTimeoutMs: { variable: 'VESTIBULE_SERVICE_TIMEOUT_MS', read: asNumber },
  serviceMaxInFlight: { variable: 'VESTIBULE_SERVICE_MAX_IN_FLIGHT', read: asNumber },
  serviceMaxQueued: { variable: 'VESTIBULE_SERVICE_MAX_QUEUED', read: asNumber },
  serviceQueueTimeoutMs: { variable: 'VESTIBULE_SERVICE_QUEUE_TIMEOUT_MS', read: asNumber },
  serviceBreakerFailures: { variable: 'VESTIBULE_SERVICE_BREAKER_FAILURES', read: asNumber },
  serviceBreakerOpenMs: { variable: 'VESTIBULE_SERVICE_BREAKER_OPEN_MS', read: asNumber },
  serviceProbeTimeoutMs: { variable: 'VESTIBULE_SERVICE_PROBE_TIMEOUT_MS', read: asNumber },
  hookTimeoutMs: { variable: 'VESTIBULE_HOOK_TIMEOUT_MS', read: asNumber },
  requestTimeoutMs: { variable: 'VESTIBULE_REQUEST_TIMEOUT_MS', read: asNumber },
  maxConnections: { variable: 'VESTIBULE_MAX_CONNECTIONS', read: asNumber },
  maxConnectionsPerAddress: { variable: 'VESTIBULE_MAX_CONNECTIONS_PER_ADDRESS', read: asNumber },
  drainDelayMs: { variable: 'VESTIBULE_DRAIN_DELAY_MS', read: asNumber },
  drainTimeoutMs: { variable: 'VESTIBULE_DRAIN_TIMEOUT_MS', read: asNumber },
  sessionIdleSeconds: { variable: 'VESTIBULE_SESSION_IDLE_SECONDS', read: asNumber },
  sessionAbsoluteSeconds: { variable: 'VESTIBULE_SESSION_ABSOLUTE_SECONDS', read: asNumber },
  syncSeconds: { variable: 'VESTIBULE_SYNC_SECONDS', read: asNumber },
  idempotencySeconds: { variable: 'VESTIBULE_IDEMPOTENCY_SECONDS', read: asNumber },
  host: { variable: 'HOST', read: asText },
  port: { variable: 'PORT', read: asNumber },
  logLevel: { variable: 'LOG_LEVEL', read: asText },
};

/** Value of a setting whose source could not be read: the fault of the source is the only one. */
export const UNREAD = Symbol('unread');

const CONFIG_VARIABLE = 'VESTIBULE_CONFIG';

export interface EnvironmentSettings {
  /** Settings by their names in a configuration file. A variable that is not set is absent. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Path of the configuration file. */
  readonly configPath: string | undefined;
  /** One sentence per variable that could not be read. */
  readonly faults: readonly string[];
}

/** Reads every setting. An empty text counts as not set. */
export function readEnvironment(environment: Environment = process.env): EnvironmentSettings {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [setting, { variable, read }] of Object.entries(settings)) {
    const known = faults.length;
    const text = valueOf(environment, variable, faults);
    if (text !== undefined) values[setting] = read(text);
    else if (faults.length > known) values[setting] = UNREAD;
  }
  return { settings: values, configPath: valueOf(environment, CONFIG_VARIABLE, faults), faults };
}

/** Names of `VESTIBULE_` variables that are not settings, such as misspelt ones. */
export function unknownVariables(environment: Environment = process.env): readonly string[] {
  const isKnown = (variable: string) => variable === CONFIG_VARIABLE || settingOf(variable) !== undefined;
  return Object.keys(environment).filter((name) => name.startsWith('VESTIBULE_') && !isKnown(name.replace(/_FILE$/, ''))).sort();
}

/** The variable of a setting; the setting's own name if it has none. */
export function variableOf(setting: string): string {
  return settings[setting]?.variable ?? setting;
}

/** The setting of a variable. */
export function settingOf(variable: string): string | undefined {
  return Object.keys(settings).find((setting) => settings[setting]?.variable === variable);
}

/** Each setting as `UNREAD`. */
export const unreadSettings = Object.fromEntries(Object.keys(settings).map((setting) => [setting, UNREAD]));

/** Converts the text of a variable into the setting's value. */
export function readSetting(setting: string, text: string): unknown {
  return settings[setting]?.read(text);
}

function valueOf(environment: Environment, variable: string, faults: string[]): string | undefined {
  const text = environment[variable] || undefined;
  const path = environment[`${variable}_FILE`] || undefined;
  if (path === undefined) return text;
  if (text !== undefined) {
    faults.push(`${variable}: is set twice; unset ${variable} or ${variable}_FILE`);
    return undefined;
  }
  try {
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (content !== '') return content;
    faults.push(`${variable}_FILE: the file is empty; write the value into it, or unset ${variable}_FILE`);
    return undefined;
  } catch {
    faults.push(`${variable}_FILE: the file cannot be read; check its path and permissions`);
    return undefined;
  }
}
