/** Written by scripts/settings.ts from the table of settings.ts. */

import type * as z from 'zod';
import type { configSchema } from './settings.ts';
import type { PostSettings, ValidationSettings } from './types.ts';

type Input = z.input<typeof configSchema>;

/** All settings as a publisher writes them; strict about types and names. */
export interface VestibuleConfig {
  /** Base URL of the comment service. Environment: `VESTIBULE_SERVICE_URL`. */
  readonly serviceUrl: Input['serviceUrl'];
  /** The publisher's public key. Environment: `VESTIBULE_PUBLIC_KEY`. */
  readonly publicKey: Input['publicKey'];
  /** The publisher's secret key. Prefer a file. Environment: `VESTIBULE_SECRET_KEY`. */
  readonly secretKey: Input['secretKey'];
  /** Forum short names; the first is the default. Environment: `VESTIBULE_FORUMS`. */
  readonly forums: Input['forums'];
  /** URL of the BFF as browsers see it; may include a path. Environment: `VESTIBULE_PUBLIC_URL`. */
  readonly publicUrl: Input['publicUrl'];
  /** Secrets of 32 bytes or more, newest first: the first one signs and encrypts, all are accepted. Prefer a file.
   *  Environment: `VESTIBULE_COOKIE_SECRETS`. */
  readonly cookieSecrets: Input['cookieSecrets'];
  /** Store of sessions, sign-ins, posts and profiles: `sqlite:PATH`, `redis://…`, `redis+cluster://host:port,…`,
   *  each with `rediss` for TLS, or `memory:`. Default: `sqlite:vestibule.db`. Environment: `VESTIBULE_STORE`. */
  readonly store?: Input['store'];
  /** A thread without code: `sqlite:PATH`, the comments are kept in this file, or `service`, the service lists
   *  them. Default: none. Environment: `VESTIBULE_THREADS`. */
  readonly threads?: Input['threads'];
  /** Express's `trust proxy`: the number of proxies, or their addresses such as `loopback,10.0.0.0/8`. Default:
   *  `false`. Environment: `VESTIBULE_TRUST_PROXY`. */
  readonly trustProxy?: Input['trustProxy'];
  /** Origins of the pages that embed the widget. Default: the origin of the public URL. Environment:
   *  `VESTIBULE_ALLOWED_ORIGINS`. */
  readonly allowedOrigins?: Input['allowedOrigins'];
  /** Where the service returns readers, exactly as registered there. Default: `{public URL}/sync/return`.
   *  Environment: `VESTIBULE_REDIRECT_URI`. */
  readonly redirectUri?: Input['redirectUri'];
  /** URL that starts the sign-in from the service's own page (the embedded variant), if the service gave you one.
   *  Environment: `VESTIBULE_EMBEDDED_URL`. */
  readonly embeddedUrl?: Input['embeddedUrl'];
  /** Address to listen on. Default: `127.0.0.1`. Environment: `HOST`. */
  readonly host?: Input['host'];
  /** Port to listen on; 0 takes any free port. Default: `8080`. Environment: `PORT`. */
  readonly port?: Input['port'];
  /** Lowest level that is logged. Default: `info`. Environment: `LOG_LEVEL`. */
  readonly logLevel?: Input['logLevel'];
  /** Questions that a reader answers when signing in, whether they are asked once (`ask`), and hooks around them. */
  readonly validation?: ValidationSettings | undefined;
  /** Hooks around posts, and whether they may reply to others (`replies`). */
  readonly posts?: PostSettings | undefined;
  /** Name, logo and accent of the pages of the BFF. Default name: the host of the public URL. */
  readonly site?: Input['site'];
  /** Whether accepted answers are kept, or discarded after the hooks ran. Default: `keep`. Environment:
   *  `VESTIBULE_PROFILES`. */
  readonly profiles?: Input['profiles'];
  /** Days after which kept answers are deleted. Default: never. Environment: `VESTIBULE_PROFILE_DAYS`. */
  readonly profileDays?: Input['profileDays'];
  /** Whether the token exchange must return a `user_id`. `false` accepts the claimed user and marks it
   *  `proven: false`. Default: `false`. Environment: `VESTIBULE_REQUIRE_PROVEN_USER`. */
  readonly requireProvenUser?: Input['requireProvenUser'];
  /** Requests per minute, or `off`: `posts` per user and `sync` per client address, both of a fleet with Redis, of
   *  a process with SQLite; `other` per user or address, `lists` per address, conversations likewise and apart. In
   *  total, per process: `lists` ten times as many, with a reserve for addresses that read few, `sync` a hundred
   *  times. Default: `posts=20,sync=60,other=600,lists=60`. Environment: `VESTIBULE_RATE_LIMITS`. */
  readonly rateLimits?: Input['rateLimits'];
  /** Longest message in Unicode code points. Default: `10000`. Environment: `VESTIBULE_MESSAGE_MAX_LENGTH`. */
  readonly messageMaxLength?: Input['messageMaxLength'];
  /** Port of the metrics listener on 127.0.0.1. Default: none. Environment: `VESTIBULE_ADMIN_PORT`. */
  readonly adminPort?: Input['adminPort'];
  /** Limit for connecting to the service. Default: `3000`. Environment: `VESTIBULE_SERVICE_CONNECT_TIMEOUT_MS`. */
  readonly serviceConnectTimeoutMs?: Input['serviceConnectTimeoutMs'];
  /** Limit for a complete response of the service. Default: `10000`. Environment: `VESTIBULE_SERVICE_TIMEOUT_MS`. */
  readonly serviceTimeoutMs?: Input['serviceTimeoutMs'];
  /** Calls to the service at the same time: posts and exchanges each; calls of hooks a quarter. Default: `64`.
   *  Environment: `VESTIBULE_SERVICE_MAX_IN_FLIGHT`. */
  readonly serviceMaxInFlight?: Input['serviceMaxInFlight'];
  /** Limit for each call of a hook. Default: `10000`. Environment: `VESTIBULE_HOOK_TIMEOUT_MS`. */
  readonly hookTimeoutMs?: Input['hookTimeoutMs'];
  /** Limit for receiving a complete request. Default: `30000`. Environment: `VESTIBULE_REQUEST_TIMEOUT_MS`. */
  readonly requestTimeoutMs?: Input['requestTimeoutMs'];
  /** Connections at the same time; further ones are closed. Default: `10000`. Environment:
   *  `VESTIBULE_MAX_CONNECTIONS`. */
  readonly maxConnections?: Input['maxConnections'];
  /** After a signal: how long connections are accepted while `/readyz` is 503. Default: `0`. Environment:
   *  `VESTIBULE_DRAIN_DELAY_MS`. */
  readonly drainDelayMs?: Input['drainDelayMs'];
  /** Then: limit for the requests in flight. Default: `35000`. Environment: `VESTIBULE_DRAIN_TIMEOUT_MS`. */
  readonly drainTimeoutMs?: Input['drainTimeoutMs'];
  /** Time without a request after which a session ends. Default: `1209600`. Environment:
   *  `VESTIBULE_SESSION_IDLE_SECONDS`. */
  readonly sessionIdleSeconds?: Input['sessionIdleSeconds'];
  /** Time after which a session ends. Default: `7776000`. Environment: `VESTIBULE_SESSION_ABSOLUTE_SECONDS`. */
  readonly sessionAbsoluteSeconds?: Input['sessionAbsoluteSeconds'];
  /** Time that a reader has to finish a sign-in. Default: `900`. Environment: `VESTIBULE_SYNC_SECONDS`. */
  readonly syncSeconds?: Input['syncSeconds'];
}
