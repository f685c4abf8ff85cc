/** Requests a minute (contract, section 4; `RateLimit` fields, draft 8): `posts` per user, `sync` per client address, `other`
 *  per user of a live session, otherwise per address. No cookie buys a new count. */

import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit as limiter, type Logger as LimiterLog, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { sha256 } from '../lib/sha256.ts';
import { ProblemError } from './problem-error.ts';

const WINDOW_MS = 60_000;

export type RateLimitKind = 'posts' | 'sync' | 'other';

export interface RateLimitDeps {
  readonly limits: Config['rateLimits'];
  /** Of the live session; `undefined` without one. */
  readonly userIdOf: (req: Request) => Promise<string | undefined>;
  /** Where counts are kept; in this process by default. */
  readonly storeFor?: ((kind: RateLimitKind) => LimiterStore) | undefined;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/** The limiter of one kind of request. */
export function createRateLimits({ limits, userIdOf, storeFor, log }: RateLimitDeps): (kind: RateLimitKind) => RequestHandler {
  return (kind) => {
    if (limits === 'off') return (_req, _res, next) => { next(); };
    return limiter({
      windowMs: WINDOW_MS,
      limit: limits[kind],
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      identifier: kind,
      keyGenerator: (req) => keyOf(req, kind, userIdOf),
      handler: (req, _res, next) => { next(tooManyRequests(req)); },
      passOnStoreError: true,
      logger: limiterLog(log),
      ...(storeFor && { store: storeFor(kind) }),
    });
  };
}

async function keyOf(req: Request, kind: RateLimitKind, userIdOf: RateLimitDeps['userIdOf']): Promise<string> {
  const userId = kind === 'sync' ? undefined : await userIdOf(req);
  return userId === undefined ? `address:${clientAddressHash(req)}` : `user:${sha256(userId)}`;
}

/** SHA-256 of the client's address; of the /64 network for IPv6. */
export function clientAddressHash(req: Request): string {
  return sha256('address', ipKeyGenerator(req.ip ?? '', 64));
}

function tooManyRequests(req: Request): ProblemError {
  const resetTime = (req as Request & { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime?.getTime() ?? 0;
  return new ProblemError('too-many-requests', { retryAfterSeconds: Math.max(Math.ceil((resetTime - Date.now()) / 1000), 1) });
}

/** A mistake in how the limiter is set up is the operator's to know. That counts are not kept at the moment is not: the store
 *  has said so, and this is told once a request. */
function limiterLog(log: RateLimitDeps['log']): LimiterLog {
  const tell = (error: unknown, message?: string): void => {
    const isMistake = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_ERL_');
    log[isMistake ? 'warn' : 'debug']({ err: error }, message ?? 'the rate limiter');
  };
  return { error: tell, warn: tell };
}
