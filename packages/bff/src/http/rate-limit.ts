/**
 * Requests per minute (`RateLimit` fields, draft 8). `posts` and `other` count per user of a live session, otherwise per
 * client address; `sync` counts per client address. A dead or forged cookie does not change the key.
 */

import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Logger as LimiterLog, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { sha256 } from '../lib/identifiers.ts';
import { ProblemError } from './problem-error.ts';

const WINDOW_MS = 60_000;

/** A household or a server has a whole /64. */
const IPV6_PREFIX_BITS = 64;

export type RateLimitKind = 'posts' | 'sync' | 'other';

export interface RateLimitDeps {
  readonly limits: Config['rateLimits'];
  /** Key of the reader with a live session; `undefined` without one. */
  readonly readerKeyOf: (req: Request) => Promise<string | undefined>;
  /** Where counts are kept; in this process by default. */
  readonly storeFor?: ((kind: RateLimitKind) => LimiterStore) | undefined;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/** One limiter for each kind of request. */
export function createRateLimits({ limits, readerKeyOf, storeFor, log }: RateLimitDeps): Record<RateLimitKind, RequestHandler> {
  return { posts: limiter('posts'), sync: limiter('sync'), other: limiter('other') };

  function limiter(kind: RateLimitKind): RequestHandler {
    if (limits === 'off') return (_req, _res, next) => { next(); };
    return rateLimit({
      windowMs: WINDOW_MS,
      limit: limits[kind],
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      identifier: kind,
      keyGenerator: async (req) => {
        const reader = kind === 'sync' ? undefined : await readerKeyOf(req);
        return reader === undefined ? `address:${clientAddressHash(req)}` : `user:${sha256(reader)}`;
      },
      handler: (_req, res, next) => { next(tooManyRequests(res)); },
      passOnStoreError: true,
      logger: limiterLog(log),
      ...(storeFor && { store: storeFor(kind) }),
    });
  }
}

/** SHA-256 of the client address; for IPv6, of its /64 network. */
export function clientAddressHash(req: Request): string {
  return sha256('address', ipKeyGenerator(req.ip ?? '', IPV6_PREFIX_BITS));
}

/** `Retry-After` is set; it is 0 where the window has just ended. */
function tooManyRequests(res: Response): ProblemError {
  return new ProblemError('too-many-requests', { retryAfterSeconds: Math.max(Number(res.get('Retry-After')), 1) });
}

/** Misconfiguration is logged at `warn`; a store failure at `debug`, because the store logs it once itself. */
function limiterLog(log: RateLimitDeps['log']): LimiterLog {
  const report = (error: unknown, message?: string): void => {
    const isMisconfiguration = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_ERL_');
    log[isMisconfiguration ? 'warn' : 'debug']({ err: error }, message ?? 'rate limiter');
  };
  return { error: report, warn: report };
}
