/** The settings: one table, from which the schema, the reader of the environment, the JSON schema, the reference and the help
 *  derive. Messages name the rule and an example, never the value. */

import { isIP } from 'node:net';
import * as z from 'zod';
import type { PostOrder } from '@vestibule/shared';
import { isObject } from '../input.ts';
import { fieldSchema } from './fields.ts';
import type { PostHooks, PostSettings, ValidationHooks } from './types.ts';

export interface Setting<S extends z.ZodType = z.ZodType> {
  /** `undefined`: only in the configuration file. */
  readonly variable: string | undefined;
  readonly group: 'required' | 'usual' | 'rare';
  readonly sentence: string;
  readonly schema: S;
  /** Converts a text of the environment. Returns text that it cannot convert; the schema refuses it. */
  readonly read: (text: string) => unknown;
}

const asText = (text: string): unknown => text;
/** A file may have an item in each line. */
const asList = (text: string): unknown => text.split(/[,\n]/).map((item) => item.trim()).filter((item) => item !== '');
const asNumber = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);
const asBoolean = (text: string): unknown => (text === 'true' || text === 'false' ? text === 'true' : text);
const asTrustProxy = (text: string): unknown => (asBoolean(text) === text ? asNumber(text) : asBoolean(text));

function asRateLimits(text: string): unknown {
  const pairs = text.split(',').map((pair) => /^\s*(posts|sync|other|lists)\s*=\s*(\d+)\s*$/.exec(pair));
  return pairs.includes(null) ? text : Object.fromEntries(pairs.map((pair) => [pair?.[1], Number(pair?.[2])]));
}

function setting<S extends z.ZodType>(group: Setting['group'], variable: string | undefined, schema: S, sentence: string, read = asText): Setting<S> {
  return { group, variable, schema, sentence, read };
}

const WILDCARD_RULE = 'must not have a wildcard (*): name each host';
const httpUrl = (example: string) => {
  const rule = `must be an http or https URL such as ${example}`;
  return z.string(rule).refine((text) => /^https?:\/\//i.test(text.trim()) && URL.canParse(text), { error: rule, abort: true })
    .refine((text) => !new URL(text).hostname.includes('*'), WILDCARD_RULE);
};
const hasUserInfo = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && url.username + url.password !== '';
};
const baseUrl = (example: string) => httpUrl(example)
  .refine((text) => !hasUserInfo(text) && !/[?#]/.test(text), 'must not contain user info, a query or a fragment')
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** Parameters that the service adds to the redirect URI (interface 4.3). */
const CALLBACK_PARAMETERS = ['code', 'username', 'user_id', 'audiencesync_uri', 'error', 'success'];
const exactUrl = (example: string) => httpUrl(example)
  .refine((text) => !hasUserInfo(text) && !/[#\s]/.test(text), 'must not contain user info, a fragment or white space');
const redirectUri = exactUrl('https://www.example.com/vestibule/sync/return').refine((text) => {
  const query = URL.parse(text)?.searchParams;
  return !CALLBACK_PARAMETERS.some((name) => query?.has(name));
}, `must not contain a parameter of the callback (${CALLBACK_PARAMETERS.join(', ')})`);

const ORIGIN_RULE = 'must be an origin such as https://www.example.com, without a path';
const origin = z.string(ORIGIN_RULE).refine((text) => !text.includes('*'), { error: WILDCARD_RULE, abort: true }).transform((text, context) => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !hasUserInfo(text) && !/[?#]/.test(text) && !/\/$/.test(text)) return url.origin;
  context.addIssue({ code: 'custom', message: ORIGIN_RULE });
  return z.NEVER;
});

const FORUM_RULE = 'must be a forum short name of letters, digits, - and _, such as news';
const FORUMS_RULE = 'must contain at least one forum short name, such as news';

const PUBLIC_KEY_RULE = 'must be visible ASCII characters without quotes and backslashes';
const SECRET_KEY_RULE = 'must be the secret key of the service, not a placeholder';
const CONTROLS = /\p{Cc}/u;
const LINES_RULE = 'must be one line without tabs; the file or the variable has more';
const COOKIE_SECRET_RULE = 'must be 32 bytes or more; "openssl rand -hex 32" prints one';
const cookieSecret = z.string(COOKIE_SECRET_RULE).refine((secret) => Buffer.byteLength(secret) >= 32, COOKIE_SECRET_RULE);

const STORE_RULE = 'must be sqlite:PATH, redis://HOST:PORT, redis+cluster://HOST:PORT,…, with rediss for TLS, or memory:, such as sqlite:vestibule.db';
const THREADS_RULE = 'must be service';
const TRUST_PROXY_RULE = 'must be true, false, the number of proxies, or their addresses, such as loopback,10.0.0.0/8';

/** As Express's `trust proxy` takes them. */
function isProxyAddress(text: string): boolean {
  const [ip = '', prefix = '1'] = text.split(/\/(?=\d+$)/);
  const bits = isIP(ip) === 4 ? 32 : 128;
  return /^(?:loopback|linklocal|uniquelocal)$/.test(text) || (isIP(ip) !== 0 && Number(prefix) > 0 && Number(prefix) <= bits);
}

function wholeNumber(unit: string, example: number, { min, max }: { readonly min: number; readonly max?: number }) {
  const range = max === undefined ? `, ${min} or more` : ` from ${min} to ${max}`;
  const rule = `must be a whole number${unit && ` of ${unit}`}${range}, such as ${example}`;
  return z.number(rule).int(rule).min(min, rule).max(max ?? Number.MAX_SAFE_INTEGER, rule);
}
/** A timer of more than 2^31 - 1 ms fires at once. */
const milliseconds = (value: number, min = 1) => wholeNumber('milliseconds', value, { min, max: 86_400_000 }).default(value);
const seconds = (value: number, max: number) => wholeNumber('seconds', value, { min: 1, max }).default(value);
const DAY_SECONDS = 86_400;
/** Browsers keep no cookie longer. */
const MAX_SESSION_SECONDS = 400 * DAY_SECONDS;
const count = (value: number) => wholeNumber('', value, { min: 1 }).default(value);
const port = wholeNumber('', 8080, { min: 0, max: 65_535 });

const perMinute = (value: number) => wholeNumber('requests per minute', 60, { min: 1 }).default(value);
const rateLimits = z.union([
  z.literal('off'),
  z.strictObject({ posts: perMinute(20), sync: perMinute(60), other: perMinute(600), lists: perMinute(60) }),
], 'must be off, or requests per minute such as posts=20,sync=60,other=600,lists=60');

/** What `messageMaxLength` can allow at most, in code points. */
export const MESSAGE_MAX_LENGTH = 100_000;

const HOST_RULE = 'must be an address such as 127.0.0.1';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const hook = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function');
const validation = z.strictObject({
  ask: z.enum(['once', 'always'], 'must be once or always').default('once'),
  fields: z.array(fieldSchema, 'must be a list of questions').default([]),
  validate: hook<NonNullable<ValidationHooks['validate']>>().optional(),
  onAccepted: hook<NonNullable<ValidationHooks['onAccepted']>>().optional(),
}, 'must be an object with ask, fields, validate and onAccepted, all optional').refine(
  ({ fields }) => new Set(fields.map(({ name }) => name)).size === fields.length,
  { path: ['fields'], error: 'must not contain two fields with the same name' },
);
export const LIST_ORDERS = ['newest', 'oldest', 'top'] as const satisfies readonly PostOrder[];
const ORDERS_RULE = `must be a list of ${LIST_ORDERS.join(', ')}, each at most once, newest among them, such as ["newest", "oldest", "top"]`;
const posts = z.strictObject({
  replies: z.boolean('must be true or false').optional(),
  orders: z.array(z.enum(LIST_ORDERS, ORDERS_RULE), ORDERS_RULE)
    .refine((orders) => orders.includes('newest') && new Set(orders).size === orders.length, ORDERS_RULE).optional(),
  prepare: hook<NonNullable<PostHooks['prepare']>>().optional(),
  created: hook<NonNullable<PostHooks['created']>>().optional(),
  list: hook<NonNullable<PostHooks['list']>>().optional(),
  conversation: hook<NonNullable<PostHooks['conversation']>>().optional(),
  edit: hook<NonNullable<PostHooks['edit']>>().optional(),
  remove: hook<NonNullable<PostHooks['remove']>>().optional(),
  like: hook<NonNullable<PostHooks['like']>>().optional(),
  count: hook<NonNullable<PostHooks['count']>>().optional(),
}, 'must be an object with replies, orders, prepare, created, list, conversation, count, edit, remove and like, all optional');

const NAME_RULE = 'must be a name of 1 to 100 characters';
const ACCENT_RULE = 'must be a colour such as #1c5273';
const site = z.strictObject({
  name: z.string(NAME_RULE).min(1, NAME_RULE).max(100, NAME_RULE).optional(),
  logo: httpUrl('https://www.example.com/logo.svg').optional(),
  accent: z.string(ACCENT_RULE).regex(/^#[\da-f]{6}$/i, ACCENT_RULE).optional(),
}, 'must be an object with name, logo and accent, all optional');

/** By the name in a configuration file, in the order of the reference. */
export const settings = {
  serviceUrl: setting('required', 'VESTIBULE_SERVICE_URL', baseUrl('https://comments.example.net'), 'Base URL of the comment service.'),
  publicKey: setting(
    'required', 'VESTIBULE_PUBLIC_KEY', z.string(PUBLIC_KEY_RULE).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, PUBLIC_KEY_RULE),
    'The publisher\'s public key.',
  ),
  secretKey: setting(
    'required', 'VESTIBULE_SECRET_KEY', z.string(SECRET_KEY_RULE).regex(/[^….\s]/, SECRET_KEY_RULE).refine((key) => !CONTROLS.test(key), LINES_RULE),
    'The publisher\'s secret key. Prefer a file.',
  ),
  forums: setting(
    'required', 'VESTIBULE_FORUMS', z.array(z.string(FORUM_RULE).regex(/^[\w-]{1,100}$/, FORUM_RULE), FORUMS_RULE).min(1, FORUMS_RULE),
    'Forum short names; the first is the default.', asList,
  ),
  publicUrl: setting(
    'required', 'VESTIBULE_PUBLIC_URL', baseUrl('https://www.example.com/vestibule'), 'URL of Vestibule as browsers see it. It may include a path.',
  ),
  cookieSecrets: setting(
    'required', 'VESTIBULE_COOKIE_SECRETS', z.array(cookieSecret, COOKIE_SECRET_RULE).min(1, COOKIE_SECRET_RULE),
    'Secrets of 32 bytes or more, newest first: the first one signs and encrypts, all are accepted. Prefer a file.', asList,
  ),
  store: setting(
    'usual', 'VESTIBULE_STORE', z.string(STORE_RULE).regex(/^(?:sqlite:.+|memory:|rediss?(?:\+cluster)?:\/\/.+)$/, STORE_RULE).default('sqlite:vestibule.db'),
    'Store of sessions, sign-ins, posts and profiles: `sqlite:PATH`, `redis://…`, `redis+cluster://host:port,…`, each with `rediss` for TLS, or `memory:`.',
  ),
  threads: setting(
    'usual', 'VESTIBULE_THREADS', z.literal('service', THREADS_RULE).optional(),
    'A thread without code: `service` uses the thread endpoints of the service. Default: none.',
  ),
  trustProxy: setting('usual', 'VESTIBULE_TRUST_PROXY', z.union([
    z.boolean(),
    z.number().int().nonnegative(),
    z.string().refine((text) => text.split(',').every((item) => isProxyAddress(item.trim())), TRUST_PROXY_RULE),
    z.array(z.string().refine(isProxyAddress, TRUST_PROXY_RULE)),
  ], TRUST_PROXY_RULE).default(false), 'Express\'s `trust proxy`: the number of proxies, or their addresses such as `loopback,10.0.0.0/8`.', asTrustProxy),
  allowedOrigins: setting(
    'usual', 'VESTIBULE_ALLOWED_ORIGINS', z.array(origin, ORIGIN_RULE).min(1, ORIGIN_RULE).optional(),
    'Origins of the pages that embed the widget. Default: the origin of the public URL.', asList,
  ),
  redirectUri: setting(
    'usual', 'VESTIBULE_REDIRECT_URI', redirectUri.optional(),
    'Where the service returns readers, exactly as registered there. Default: `{public URL}/sync/return`.',
  ),
  embeddedUrl: setting(
    'usual', 'VESTIBULE_EMBEDDED_URL', exactUrl('https://comments.example.net/embed').optional(),
    'URL that starts the sign-in from the service\'s own page (the embedded variant), if the service gave you one.',
  ),
  host: setting(
    'usual', 'HOST', z.string(HOST_RULE).min(1, HOST_RULE).transform((text) => text.replace(/^\[(.*)\]$/, '$1')).default('127.0.0.1'),
    'Address to listen on.',
  ),
  port: setting('usual', 'PORT', port.default(8080), 'Port to listen on; 0 takes any free port.', asNumber),
  logLevel: setting('usual', 'LOG_LEVEL', z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'), 'Lowest level that is logged.'),
  validation: setting('usual', undefined, validation.default({ ask: 'once', fields: [] }), 'Questions that a reader answers when signing in, whether they are asked once (`ask`), and their hooks.'),
  posts: setting('usual', undefined, posts.default({}), 'Hooks around posts, and whether they may reply to others (`replies`).'),
  site: setting('usual', undefined, site.default({}), 'Name, logo and accent of the sign-in window. Default name: the host of the public URL.'),
  profiles: setting(
    'usual', 'VESTIBULE_PROFILES', z.enum(['keep', 'discard'], 'must be keep or discard').default('keep'),
    'Whether accepted answers are kept, or discarded after the hooks ran.',
  ),
  profileDays: setting(
    'rare', 'VESTIBULE_PROFILE_DAYS', wholeNumber('days', 365, { min: 1, max: 36_500 }).optional(),
    'Days after which kept answers are deleted. Default: never.', asNumber,
  ),
  requireProvenUser: setting(
    'rare', 'VESTIBULE_REQUIRE_PROVEN_USER', z.boolean('must be true or false').default(false),
    'Whether the token exchange must return a `user_id`. `false` accepts the claimed user and marks it `proven: false`.', asBoolean,
  ),
  rateLimits: setting(
    'rare', 'VESTIBULE_RATE_LIMITS', rateLimits.prefault({}),
    'Requests per minute, or `off`. `posts` counts per user and `sync` per client address; with Redis, all processes count together. `other` counts per session or address, and `lists` (reads that are not cached) per address, in each process.', asRateLimits,
  ),
  messageMaxLength: setting(
    'rare', 'VESTIBULE_MESSAGE_MAX_LENGTH', wholeNumber('characters', 10_000, { min: 1, max: MESSAGE_MAX_LENGTH }).default(10_000),
    'Longest message in Unicode code points.', asNumber,
  ),
  adminPort: setting('rare', 'VESTIBULE_ADMIN_PORT', port.optional(), 'Port of the metrics listener on 127.0.0.1. Default: none.', asNumber),
  serviceConnectTimeoutMs: setting('rare', 'VESTIBULE_SERVICE_CONNECT_TIMEOUT_MS', milliseconds(3_000), 'Limit for connecting to the service.', asNumber),
  serviceTimeoutMs: setting('rare', 'VESTIBULE_SERVICE_TIMEOUT_MS', milliseconds(10_000), 'Limit for a complete response of the service.', asNumber),
  serviceMaxInFlight: setting(
    'rare', 'VESTIBULE_SERVICE_MAX_IN_FLIGHT', count(64), 'Limit of simultaneous calls to the service: one such limit for posts and actions (edit, remove, like), one for token exchanges, and a quarter of it for other hooks.', asNumber,
  ),
  hookTimeoutMs: setting('rare', 'VESTIBULE_HOOK_TIMEOUT_MS', milliseconds(10_000), 'Limit for each call of a hook.', asNumber),
  requestTimeoutMs: setting('rare', 'VESTIBULE_REQUEST_TIMEOUT_MS', milliseconds(30_000), 'Limit for receiving a complete request.', asNumber),
  maxConnections: setting('rare', 'VESTIBULE_MAX_CONNECTIONS', count(10_000), 'Connections at the same time; further ones are closed.', asNumber),
  drainDelayMs: setting(
    'rare', 'VESTIBULE_DRAIN_DELAY_MS', milliseconds(0, 0), 'How long connections are accepted after a stop signal, while `/readyz` is 503.', asNumber,
  ),
  drainTimeoutMs: setting('rare', 'VESTIBULE_DRAIN_TIMEOUT_MS', milliseconds(35_000), 'Limit for the requests in flight after that delay.', asNumber),
  sessionIdleSeconds: setting('rare', 'VESTIBULE_SESSION_IDLE_SECONDS', seconds(14 * DAY_SECONDS, MAX_SESSION_SECONDS), 'Time without a request after which a session ends.', asNumber),
  sessionAbsoluteSeconds: setting('rare', 'VESTIBULE_SESSION_ABSOLUTE_SECONDS', seconds(90 * DAY_SECONDS, MAX_SESSION_SECONDS), 'Time after which a session ends.', asNumber),
  syncSeconds: setting('rare', 'VESTIBULE_SYNC_SECONDS', seconds(15 * 60, DAY_SECONDS), 'Time that a reader has to finish a sign-in.', asNumber),
} as const satisfies Readonly<Record<string, Setting>>;

type Shape = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]['schema'] };

export const configSchema = z.strictObject(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as Shape, 'must be an object',
).refine(({ port, adminPort }) => port === 0 || !Number.isInteger(port) || port !== adminPort, {
  path: ['adminPort'], error: 'must be another port than PORT', when: ({ value }) => isObject(value),
}).superRefine(checkThreads, { when: ({ value }) => isObject(value) });

interface ThreadSettings {
  readonly threads?: string | undefined;
  readonly posts?: PostSettings | undefined;
}

/** Hooks that do nothing without another one, whatever else is wrong with the others. */
function checkThreads({ threads, posts }: ThreadSettings, context: z.core.$RefinementCtx): void {
  if (threads !== undefined) return;
  const report = (path: string[], message: string): void => { context.addIssue({ code: 'custom', path, message }); };
  const hooks: PostSettings = isObject(posts) ? posts : {};
  if (hooks.replies === true && hooks.prepare === undefined) {
    report(['posts', 'replies'], 'needs the hook prepare, which passes `parent` on to the service: without it a reply becomes a comment');
  }
  for (const name of ['edit', 'remove', 'like', 'orders', 'conversation'] as const) {
    if (hooks[name] !== undefined && hooks.list === undefined) report(['posts', name], 'needs the hook list: readers find it in the list alone');
  }
}
