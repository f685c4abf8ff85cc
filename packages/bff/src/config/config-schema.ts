/** Schema of `VestibuleConfig`: rules, defaults, and messages that name the rule and an example, never the value. */

import { isIP } from 'node:net';
import * as z from 'zod';
import { fieldSchema } from './fields.ts';
import type { PostHooks, ValidationHooks } from './hooks.ts';
import type { RateLimits, ValidationConfig, VestibuleConfig } from './vestibule-config.ts';

/** A schema for each member of `T`. */
type Schemas<T> = { [Name in keyof Required<T>]: z.ZodType<unknown, T[Name]> };

const URL_RULE = 'must be an http or https URL such as https://www.example.com/vestibule';
const httpUrl = z.string(URL_RULE).refine((text) => /^https?:\/\//i.test(text.trim()) && URL.canParse(text), { error: URL_RULE, abort: true });

const BASE_URL_RULE = 'must not contain user info, a query or a fragment';
const baseUrl = httpUrl.refine((text) => !hasUserInfo(text) && !/[?#]/.test(text), BASE_URL_RULE)
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** Parameters that the service adds to the redirect URI (interface 4.3). */
const CALLBACK_PARAMETERS = ['code', 'username', 'user_id', 'audiencesync_uri', 'error', 'success'];

const EXACT_URL_RULE = 'must not contain user info, a fragment or white space';
const CALLBACK_RULE = `must not contain a parameter of the callback (${CALLBACK_PARAMETERS.join(', ')})`;
const exactUrl = httpUrl.refine((text) => !hasUserInfo(text) && !/[#\s]/.test(text), EXACT_URL_RULE);
const redirectUri = exactUrl.refine((text) => {
  const query = URL.parse(text)?.searchParams;
  return !CALLBACK_PARAMETERS.some((name) => query?.has(name));
}, CALLBACK_RULE);

const ORIGIN_RULE = 'must be an origin such as https://www.example.com, without a path';
const origin = z.string(ORIGIN_RULE).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}, ORIGIN_RULE);

const FORUM_RULE = 'must be a forum short name of letters, digits, - and _, such as news';
const FORUMS_RULE = 'must contain at least one forum short name, such as news';
const forum = z.string(FORUM_RULE).regex(/^[\w-]{1,100}$/, FORUM_RULE);

const PLACEHOLDER_RULE = 'must not be a placeholder of an example';
const PUBLIC_KEY_RULE = 'must be visible ASCII characters without quotes and backslashes';
const SECRET_KEY_RULE = 'must be the secret key of the service, not a placeholder';
const COOKIE_SECRET_RULE = 'must be 32 bytes or more; "openssl rand -base64 32" prints one';
const cookieSecret = z.string(COOKIE_SECRET_RULE)
  .refine((secret) => Buffer.byteLength(secret) >= 32, { error: COOKIE_SECRET_RULE, abort: true })
  .refine((secret) => !isPlaceholder(secret), PLACEHOLDER_RULE);

const STORE_RULE = 'must be sqlite:PATH, redis://HOST:PORT, redis+cluster://HOST:PORT,…, '
  + 'redis+sentinel://HOST:PORT,…/MASTER, with rediss for TLS, or memory:, such as sqlite:vestibule.db';
const store = z.string(STORE_RULE).regex(/^(?:sqlite:.+|memory:|rediss?(?:\+(?:cluster|sentinel))?:\/\/.+)$/, STORE_RULE);

const WAIT_REPLICAS_RULE = 'must be auto or a whole number of replicas, 0 or more, such as 1';
const waitReplicas = z.union([z.literal('auto'), z.number().int().nonnegative()], WAIT_REPLICAS_RULE);

const TRUST_PROXY_RULE = 'must be true, false, the number of proxies, or their addresses, such as loopback, 10.0.0.0/8';
const trustProxy = z.union([
  z.boolean(),
  z.number().int().nonnegative(),
  z.string().refine((text) => text.split(',').every((item) => isProxyAddress(item.trim())), TRUST_PROXY_RULE),
  z.array(z.string().refine(isProxyAddress, TRUST_PROXY_RULE)),
], TRUST_PROXY_RULE);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const RATE_LIMITS_RULE = 'must be off, or requests per minute such as posts=20,sync=60,other=600';
const DEFAULT_RATE_LIMITS = { posts: 20, sync: 60, other: 600 };
const perMinute = wholeNumber('requests per minute', 60, { min: 1 });
const rateLimits = z.union([
  z.literal('off'),
  z.strictObject({
    posts: perMinute.default(DEFAULT_RATE_LIMITS.posts),
    sync: perMinute.default(DEFAULT_RATE_LIMITS.sync),
    other: perMinute.default(DEFAULT_RATE_LIMITS.other),
  } satisfies Schemas<RateLimits>),
], RATE_LIMITS_RULE);

const validation = z.strictObject({
  fields: z.array(fieldSchema, 'must be a list of questions').default([]),
  validate: hook<ValidationHooks['validate']>().optional(),
  onAccepted: hook<ValidationHooks['onAccepted']>().optional(),
} satisfies Schemas<ValidationConfig>, 'must be an object with fields, validate and onAccepted, all optional').refine(
  ({ fields }) => new Set(fields.map(({ name }) => name)).size === fields.length,
  { path: ['fields'], error: 'must not contain two fields with the same name' },
);

const posts = z.strictObject({
  prepare: hook<PostHooks['prepare']>().optional(),
  list: hook<PostHooks['list']>().optional(),
} satisfies Schemas<PostHooks>, 'must be an object with prepare and list, both optional');

const DAY_SECONDS = 86_400;

const port = wholeNumber('', 8080, { min: 0, max: 65_535 });
/** A timer of more than 2^31 - 1 ms fires at once. */
const milliseconds = (defaultValue: number, min = 1) => (
  wholeNumber('milliseconds', defaultValue, { min, max: DAY_SECONDS * 1000 }).default(defaultValue)
);
const seconds = (defaultValue: number) => wholeNumber('seconds', defaultValue, { min: 1 }).default(defaultValue);
const count = (defaultValue: number, min = 1) => wholeNumber('', defaultValue, { min }).default(defaultValue);

export const configSchema = z.strictObject({
  serviceUrl: baseUrl,
  publicKey: z.string(PUBLIC_KEY_RULE).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: PUBLIC_KEY_RULE, abort: true })
    .refine((text) => !isPlaceholder(text), PLACEHOLDER_RULE),
  forums: z.array(forum, FORUMS_RULE).min(1, FORUMS_RULE),
  publicUrl: baseUrl,
  allowedOrigins: z.array(origin, ORIGIN_RULE).min(1, ORIGIN_RULE).optional(),
  redirectUri: redirectUri.optional(),
  embeddedUrl: exactUrl.optional(),
  store: store.default('sqlite:vestibule.db'),
  redisWaitReplicas: waitReplicas.default('auto'),
  validation: validation.default({ fields: [] }),
  posts: posts.default({}),
  profiles: z.enum(['keep', 'discard'], 'must be keep or discard').default('keep'),
  profileDays: wholeNumber('days', 365, { min: 1, max: 36_500 }).optional(),
  requireProvenUser: z.boolean('must be true or false').default(false),
  rateLimits: rateLimits.default(DEFAULT_RATE_LIMITS),
  messageMaxLength: wholeNumber('characters', 10_000, { min: 1, max: 1_000_000 }).default(10_000),
  trustProxy: trustProxy.default(false),
  adminPort: port.optional(),
  widgetArchive: z.string('must be a directory').min(1, 'must be a directory').optional(),
  host: z.string('must be an address such as 127.0.0.1').min(1, 'must be an address such as 127.0.0.1').default('127.0.0.1'),
  port: port.default(8080),
  logLevel: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  serviceConnectTimeoutMs: milliseconds(3_000),
  serviceTimeoutMs: milliseconds(10_000),
  serviceMaxInFlight: count(64),
  serviceMaxQueued: count(1_000, 0),
  serviceQueueTimeoutMs: milliseconds(1_000),
  serviceBreakerFailures: count(5),
  serviceBreakerOpenMs: milliseconds(2_000),
  serviceProbeTimeoutMs: milliseconds(2_000),
  hookTimeoutMs: milliseconds(10_000),
  requestTimeoutMs: milliseconds(30_000),
  maxConnections: count(10_000),
  maxConnectionsPerAddress: count(256),
  drainDelayMs: milliseconds(0, 0),
  drainTimeoutMs: milliseconds(25_000),
  sessionIdleSeconds: seconds(14 * DAY_SECONDS),
  sessionAbsoluteSeconds: seconds(90 * DAY_SECONDS),
  syncSeconds: seconds(15 * 60),
  idempotencySeconds: seconds(DAY_SECONDS),
  secretKey: z.string(SECRET_KEY_RULE).refine((text) => !isPlaceholder(text), SECRET_KEY_RULE),
  cookieSecrets: z.array(cookieSecret, COOKIE_SECRET_RULE).min(1, COOKIE_SECRET_RULE),
} satisfies Schemas<VestibuleConfig>, 'must be an object');

function wholeNumber(unit: string, example: number, { min, max }: { readonly min: number; readonly max?: number }) {
  const range = max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`;
  const rule = `must be a whole number${unit && ` of ${unit}`}${range}, such as ${example}`;
  return z.number(rule).int(rule).min(min, rule).max(max ?? Number.MAX_SAFE_INTEGER, rule);
}

/** Placeholders of examples, copied instead of a key. */
function isPlaceholder(text: string): boolean {
  return /^(?:[.…\s]*|(?:replace|change)[-_ ]?me|your (?:public|secret) key|a secret of 32 bytes or more.*)$/iu.test(text);
}

function hook<T>() {
  return z.custom<T>((value) => typeof value === 'function', 'must be a function');
}

function hasUserInfo(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username + url.password !== '';
}

/** Whether Express accepts the text as an address in `trust proxy`. */
function isProxyAddress(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [ip = '', prefix, ...more] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (version === 4 ? 32 : 128));
}
