/**
 * The configuration as a publisher writes it. `config-schema.ts` checks it and fills in the defaults.
 * A value that breaks its rule is a fault of `ConfigError`; all faults are reported together.
 */

import type { FieldType } from '@vestibule/shared';
import type { PostHooks, ValidationHooks } from './hooks.ts';

/** All settings; strict about types and names. */
export interface VestibuleConfig {
  /** Base URL of the comment service, `https:`, without user info, query and fragment. With `http:`, the secret key and tokens
   *  are sent unencrypted; `check` only warns. Required. */
  readonly serviceUrl: string;

  /** The publisher's public key. Visible ASCII without quotes and backslashes. Required. */
  readonly publicKey: string;

  /** Forum short names (letters, digits, `-`, `_`); the first is the default. At least one is required. */
  readonly forums: readonly string[];

  /** URL of the BFF as browsers see it; may include a path. No user info, query and fragment. Required. */
  readonly publicUrl: string;

  /** Origins of the pages that embed the widget, such as `https://www.example.com`. Default: the origin of `publicUrl`. */
  readonly allowedOrigins?: readonly string[] | undefined;

  /** Where the service returns readers, exactly as registered there. No fragment, user info, white space or callback
   *  parameters. Default: `{publicUrl}/sync/return`. */
  readonly redirectUri?: string | undefined;

  /** The URL that starts the sign-in from the service's own page (the embedded variant), if the service gave you one;
   *  `GET /sync/authorize` then redirects there. Otherwise leave it out. No fragment, user info and white space. Default:
   *  none, the standard variant. */
  readonly embeddedUrl?: string | undefined;

  /** Store of sessions and posts: `sqlite:PATH`, `redis://…`, `redis+cluster://host:port,…`,
   *  `redis+sentinel://host:port,…/master`, each with `rediss` for TLS, or `memory:`. Default: `sqlite:vestibule.db`. */
  readonly store?: string | undefined;

  /** How many replicas of a Redis must have received the intent of a post, the claim of a sign-in's code, or a session
   *  before the BFF continues; otherwise it responds with `service-unavailable`. Default: `auto`, one if the master has
   *  connected replicas. */
  readonly redisWaitReplicas?: number | 'auto' | undefined;

  /** Questions that a reader answers when signing in, and hooks around them. Default: no questions. */
  readonly validation?: ValidationConfig | undefined;

  /** Hooks around posts. Default: none. */
  readonly posts?: PostHooks | undefined;

  /** Whether accepted answers are kept (`keep`) or discarded after the hooks ran (`discard`). Default: `keep`. */
  readonly profiles?: 'keep' | 'discard' | undefined;

  /** Days after which kept answers are deleted, 1 to 36500. Default: never. */
  readonly profileDays?: number | undefined;

  /** Whether the token exchange must return a `user_id`. `false` accepts the claimed user and marks it `proven: false`.
   *  Default: `false`. */
  readonly requireProvenUser?: boolean | undefined;

  /** Requests per minute, or `off`: posts per user, sign-ins per client address, other requests per user of a live session,
   *  otherwise per client address (IPv6: per /64). Default: `posts=20,sync=60,other=600`. */
  readonly rateLimits?: 'off' | RateLimits | undefined;

  /** Longest message in Unicode code points, 1 to 1000000. The body of a request may have 12 bytes for each of them and
   *  64 KiB more; the proxy must accept such a body. Default: 10000. */
  readonly messageMaxLength?: number | undefined;

  /** Express's `trust proxy`: `true`, `false`, a number of proxies, or their addresses such as `loopback, 10.0.0.0/8`.
   *  Default: `false`. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;

  /** Port of the metrics listener on 127.0.0.1, 0 to 65535. Default: no listener. */
  readonly adminPort?: number | undefined;

  /**
   * Directory that the instances of a fleet share. Each process adds its widget files at start and serves those of other
   * releases, so that pages keep working during an upgrade, and pinned scripts after it. Default: none.
   */
  readonly widgetArchive?: string | undefined;

  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;

  /** Port to listen on, 0 to 65535; 0 takes any free port. Default: 8080. */
  readonly port?: number | undefined;

  /** Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug` or `trace`; `silent` logs nothing. Default:
   *  `info`. */
  readonly logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | undefined;

  /** Timeout for connecting to the service, in milliseconds. Default: 3000. */
  readonly serviceConnectTimeoutMs?: number | undefined;

  /** Timeout for a complete response of the service, in milliseconds. Default: 10000. */
  readonly serviceTimeoutMs?: number | undefined;

  /** Concurrent requests to the service, per kind of request: token exchanges, posts, other. Default: 64. */
  readonly serviceMaxInFlight?: number | undefined;

  /** Requests that wait for a slot of `serviceMaxInFlight`; a further one is `service-unavailable`. 0 or more. Default: 1000. */
  readonly serviceMaxQueued?: number | undefined;

  /** How long a request waits for a slot of `serviceMaxInFlight`, in milliseconds. Default: 1000. */
  readonly serviceQueueTimeoutMs?: number | undefined;

  /** Readers (sign-ins: client addresses) whose requests fail in a row, with no response or a 5xx, before the circuit breaker
   *  opens. A failed connection counts each time. Default: 5. */
  readonly serviceBreakerFailures?: number | undefined;

  /** How long the circuit breaker stays open before it sends a probe, in milliseconds. Default: 2000. */
  readonly serviceBreakerOpenMs?: number | undefined;

  /** Timeout for the response to a probe, in milliseconds. Default: 2000. */
  readonly serviceProbeTimeoutMs?: number | undefined;

  /** Timeout for each call of a hook, in milliseconds. Default: 10000. */
  readonly hookTimeoutMs?: number | undefined;

  /** Timeout for receiving a complete request, in milliseconds. Default: 30000. */
  readonly requestTimeoutMs?: number | undefined;

  /** Connections at the same time; further ones are closed at once. Default: 10000. */
  readonly maxConnections?: number | undefined;

  /** Connections of one client address (IPv6: /64) at the same time, beyond which a new one is closed, and new connections a
   *  second, beyond which a new one waits for the next second, if `trustProxy` is not set. Default: 256. */
  readonly maxConnectionsPerAddress?: number | undefined;

  /** After a signal to stop: how long connections are still accepted while `/readyz` is 503, in milliseconds. Default: 0. */
  readonly drainDelayMs?: number | undefined;

  /** After `drainDelayMs`: timeout for the requests in flight, in milliseconds. Default: 25000. */
  readonly drainTimeoutMs?: number | undefined;

  /** Seconds without a request after which a session ends. Default: 1209600 (14 days). */
  readonly sessionIdleSeconds?: number | undefined;

  /** Seconds after which a session ends in any case. Default: 7776000 (90 days). */
  readonly sessionAbsoluteSeconds?: number | undefined;

  /** Seconds a reader has to finish a sign-in. Default: 900. */
  readonly syncSeconds?: number | undefined;

  /** Seconds for which the response to an `Idempotency-Key` is kept. Default: 86400. */
  readonly idempotencySeconds?: number | undefined;

  /** The publisher's secret key. Prefer `VESTIBULE_SECRET_KEY_FILE`. Required. */
  readonly secretKey: string;

  /** Secrets of 32 bytes or more, newest first: the first one signs and encrypts, all are accepted. At least one is
   *  required. Prefer `VESTIBULE_COOKIE_SECRETS_FILE`. */
  readonly cookieSecrets: readonly string[];
}

/** Requests per minute; each 1 or more. */
export interface RateLimits {
  /** `POST /posts`, per user. Default: 20. */
  readonly posts?: number | undefined;

  /** Requests that start or finish a sign-in, per client address. Default: 60. */
  readonly sync?: number | undefined;

  /** Other requests, per user of a live session, otherwise per client address. Default: 600. */
  readonly other?: number | undefined;
}

/** The questions of a sign-in and the hooks around them. */
export interface ValidationConfig extends ValidationHooks {
  /** The questions, in order. Each name is unique. Default: none. */
  readonly fields?: readonly ValidationField[] | undefined;
}

/** One text for all languages, or texts by BCP 47 tag such as `{ en: 'Your age', de: 'Ihr Alter' }`. */
export type LocalizedText = string | Readonly<Record<string, string>>;

/** One question. */
export interface ValidationField {
  /** Name of the answer: a letter or `_`, then up to 63 letters, digits, `-` and `_`. */
  readonly name: string;

  /** Type of the answer: `text`, `email`, `number`, `date`, `select` or `checkbox`. */
  readonly type: FieldType;

  /** The question. */
  readonly label: LocalizedText;

  /** A sentence below the question. */
  readonly help?: LocalizedText | undefined;

  /** Whether an answer is required; for a checkbox, whether it must be checked. Default: `false`. */
  readonly required?: boolean | undefined;

  /** Smallest answer: a number for `number`, `YYYY-MM-DD` for `date`. */
  readonly min?: number | string | undefined;

  /** Largest answer: a number for `number`, `YYYY-MM-DD` for `date`. */
  readonly max?: number | string | undefined;

  /** Shortest answer of a `text` or `email`, in Unicode code points. */
  readonly min_length?: number | undefined;

  /** Longest answer of a `text` or `email`, in Unicode code points; 1 to 10000. Default: 1000. */
  readonly max_length?: number | undefined;

  /** Regular expression (`v` flag) that must match the complete answer of a `text` or `email`, as HTML's `pattern`. The BFF
   *  matches it in linear time, so look-around, back-references and set operations are refused, and counted repetitions that
   *  make it large for the answer's `max_length`. */
  readonly pattern?: string | undefined;

  /** The choices of a `select`. */
  readonly options?: readonly (string | { readonly value: string; readonly label: LocalizedText })[] | undefined;

  /** `correct` lets the reader correct a wrong answer; `reject` ends the sign-in with `success=0`. Default: `correct`. */
  readonly onFail?: 'correct' | 'reject' | undefined;
}

/** Types a configuration module and returns its argument. Settings that it leaves out come from the environment. */
export function defineConfig(config: VestibuleConfig): VestibuleConfig;
export function defineConfig(config: Partial<VestibuleConfig>): Partial<VestibuleConfig>;
export function defineConfig(config: Partial<VestibuleConfig>): Partial<VestibuleConfig> {
  return config;
}
