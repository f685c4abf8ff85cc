/** The configuration: what a publisher writes, with defaults and cross-checks. Strings of the environment become these
 *  values in `env.ts`; a configuration file may hold the same settings by these names. */

import * as z from 'zod';
import { fieldSchema } from './fields.ts';
import { rateLimitsSchema } from './rate-limits.ts';
import { serviceLimits } from './service-limits.ts';
import { trustProxySchema } from './trust-proxy.ts';
import type { ValidationHooks } from './hooks.ts';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((text) => {
    const url = URL.parse(text);
    return url === null || (url.username === '' && url.password === '' && url.hash === '' && url.search === '');
  }, 'must carry no user info, query or fragment')
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

const origin = z.string().refine(isOrigin, 'must be an origin such as https://www.example.com, without a path');

const headerSafe = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be visible ASCII without quotes or backslashes');

const forum = z.string().regex(/^[\w-]{1,100}$/, 'must be a forum short name: letters, digits, - and _');

const cookieSecret = z.string().refine((secret) => Buffer.byteLength(secret) >= 32, 'must be 32 bytes or more');

const storeAddress = z.string().regex(
  /^(?:sqlite:.+|memory:|rediss?:\/\/.+|redis\+cluster:\/\/.+)$/,
  'must be sqlite:PATH, redis://…, rediss://…, redis+cluster://host:port,… or memory:',
);

const WHOLE_MS = 'must be a whole number of milliseconds, 0 or more';

const seconds = (text: string) => z.number(text).int(text).positive(text);

const validation = z.strictObject({
  /** The publisher's questions, in order. */
  fields: z.array(fieldSchema).default([]),
  /** Judges checked answers; may turn the reader away. */
  validate: z.custom<ValidationHooks['validate']>((hook) => typeof hook === 'function', 'must be a function').optional(),
  /** Runs before the reader is told that they are accepted. */
  onAccepted: z.custom<ValidationHooks['onAccepted']>((hook) => typeof hook === 'function', 'must be a function').optional(),
}).refine(
  ({ fields }) => new Set(fields.map(({ name }) => name)).size === fields.length,
  'fields: two fields have the same name',
);

export const configSchema = z.strictObject({
  /** The service's base address. */
  serviceUrl: httpUrl,
  /** The publisher's public key. */
  publicKey: headerSafe,
  /** The publisher's secret key. Better given by `VESTIBULE_SECRET_KEY_FILE` than in a file with everything else. */
  secretKey: z.string().min(1),
  /** Forum short names; the first is the default. */
  forums: z.array(forum).min(1, 'must name at least one forum'),
  /** The BFF's address as browsers see it; may carry a path. */
  publicUrl: httpUrl,
  /** Origins of the pages that carry the widget. Default: the public address's. */
  allowedOrigins: z.array(origin).min(1).optional(),
  /** Where the service returns readers, byte for byte as registered there. Default: `{publicUrl}/sync/return`. */
  redirectUri: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Newest first: the first signs and seals, all are accepted. */
  cookieSecrets: z.array(cookieSecret).min(1, 'must hold at least one secret'),
  /** Where sessions and posts are kept: `sqlite:PATH`, `redis://…`, `rediss://…`, `redis+cluster://host:port,…`, `memory:`. */
  store: storeAddress.default('sqlite:vestibule.db'),
  /** The questions that a reader answers before they may comment, and the publisher's own code around them. */
  validation: validation.default({ fields: [] }),
  /** `discard`: accepted answers are checked and forgotten. */
  profiles: z.enum(['keep', 'discard']).default('keep'),
  /** Requests a minute for a session, or for a client address where there is none. */
  rateLimits: rateLimitsSchema,
  /** Code points. */
  messageMaxLength: z.number().int().min(1).max(1_000_000).default(10_000),
  /** Express's `trust proxy`. */
  trustProxy: trustProxySchema,
  /** Port of the metrics listener on loopback; none by default. */
  adminPort: z.number().int().min(0).max(65_535).optional(),
  /** The address to listen on. */
  host: z.string().min(1).default('127.0.0.1'),
  /** The port to listen on; 0 for any free one. */
  port: z.number().int().min(0).max(65_535).default(8080),
  /** The least severe events that are logged. */
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ...serviceLimits,
  /** Until a hook of the publisher's must have settled, in milliseconds. */
  hookTimeoutMs: seconds('must be a whole number of milliseconds above 0').default(10_000),
  /** Until a request must have arrived whole, in milliseconds. */
  requestTimeoutMs: seconds('must be a whole number of milliseconds above 0').default(30_000),
  /** After a signal to end: how long connections are still taken while `/readyz` says 503, in milliseconds. */
  drainDelayMs: z.number(WHOLE_MS).int(WHOLE_MS).nonnegative(WHOLE_MS).default(0),
  /** After that: how long requests under way may take to end, in milliseconds. */
  drainTimeoutMs: seconds('must be a whole number of milliseconds above 0').default(25_000),
  /** Seconds without a request after which a session ends. Default 14 days. */
  sessionIdleSeconds: seconds('must be a whole number of seconds above 0').default(14 * 86_400),
  /** Seconds after which a session ends in any case. Default 90 days. */
  sessionAbsoluteSeconds: seconds('must be a whole number of seconds above 0').default(90 * 86_400),
  /** Seconds a reader has for a sync. Default 15 minutes. */
  syncSeconds: seconds('must be a whole number of seconds above 0').default(15 * 60),
  /** Seconds for which the answer to an `Idempotency-Key` is kept. Default 24 hours. */
  idempotencySeconds: seconds('must be a whole number of seconds above 0').default(86_400),
});

/** What a publisher writes. */
export type VestibuleConfig = z.input<typeof configSchema>;

/** What the program reads: every default filled in. */
export type Config = Readonly<Omit<z.output<typeof configSchema>, 'adminPort' | 'allowedOrigins' | 'redirectUri'>> & {
  readonly adminPort: number | undefined;
  readonly allowedOrigins: readonly string[];
  readonly redirectUri: string;
};

/** The configuration is missing something or has something wrong; every fault is named. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One sentence each: the setting and the rule, never the value. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.join('\n')}`);
    this.faults = faults;
  }
}

/** @throws {ConfigError} with every fault, each named by `nameOf` its setting. */
export function parseConfig(input: unknown, nameOf: (setting: string) => string = (setting) => setting): Config {
  const result = configSchema.safeParse(input, { reportInput: true });
  if (!result.success) throw new ConfigError(result.error.issues.flatMap((issue) => faultsOf(issue, nameOf)));
  const config = result.data;
  return {
    ...config,
    adminPort: config.adminPort,
    allowedOrigins: config.allowedOrigins ?? [new URL(config.publicUrl).origin],
    redirectUri: config.redirectUri ?? `${config.publicUrl}/sync/return`,
  };
}

function faultsOf(issue: z.core.$ZodIssue, nameOf: (setting: string) => string): string[] {
  if (issue.code === 'unrecognized_keys') {
    const [first, ...others] = issue.path.map(String);
    return issue.keys.map((key) => `${[...(first === undefined ? [] : [nameOf(first)]), ...others, key].join('.')}: is not a setting`);
  }
  const [setting = 'configuration', ...rest] = issue.path.map(String);
  const missing = issue.code === 'invalid_type' && issue.input === undefined && rest.length === 0;
  return [`${[nameOf(setting), ...rest].join('.')}: ${missing ? 'is required' : issue.message}`];
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}
