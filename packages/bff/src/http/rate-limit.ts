/**
 * Requests per minute (`RateLimit` fields, draft 8). `posts` counts per reader of the signed session cookie and `sync` per client
 * address, both across the fleet; `other` per reader, otherwise per address, and `lists` per address, both in this process.
 */

import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import { sha256 } from '../lib/identifiers.ts';
import { ProblemError } from './problem.ts';

const WINDOW_MS = 60_000;

/** A household or a server has a whole /64. */
const IPV6_PREFIX_BITS = 64;

/** Lists that are not cached, of all addresses together. */
const LISTS_IN_TOTAL = 10;

export interface RateLimitDeps {
  readonly limits: 'off' | Readonly<Record<'posts' | 'sync' | 'other' | 'lists', number>>;
  /** Key of the reader whose signed cookie arrived; `undefined` without one. */
  readonly readerKeyOf: (req: Request) => string | undefined;
  /** Where counts are kept that the fleet shares; in this process by default. */
  readonly sharedStore?: ((kind: string) => LimiterStore) | undefined;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

export interface RateLimits {
  readonly posts: RequestHandler;
  readonly sync: RequestHandler;
  readonly other: RequestHandler;
  /** Run before a list that is not cached is read. @throws {ProblemError} `too-many-requests` */
  readonly lists: (req: Request, res: Response) => Promise<void>;
}

/** The client's address without a port; for IPv6, of its /64 network. Hashed. */
export function clientAddressHash(req: Request): string {
  const address = (req.ip ?? '').replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return sha256('address', ipKeyGenerator(address, IPV6_PREFIX_BITS));
}

export function createRateLimits({ limits, readerKeyOf, sharedStore, log }: RateLimitDeps): RateLimits {
  const report = (error: unknown, message?: string): void => {
    const isMisconfiguration = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_ERL_');
    log[isMisconfiguration ? 'warn' : 'debug']({ err: error }, message ?? 'rate limiter');
  };
  const limiter = (kind: string, limit: number, keyOf: (req: Request) => string, isShared: boolean): RequestHandler => rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: kind.startsWith('lists') ? false : 'draft-8',
    legacyHeaders: false,
    identifier: kind,
    keyGenerator: keyOf,
    handler: (_req, res, next) => {
      // 0 where the window has just ended.
      const seconds = Math.max(Number(res.get('Retry-After') ?? WINDOW_MS / 1000), 1);
      next(new ProblemError('too-many-requests', { retryAfterSeconds: seconds }));
    },
    passOnStoreError: true,
    validate: { keyGeneratorIpFallback: false },
    logger: { error: report, warn: report },
    ...(isShared && sharedStore && { store: sharedStore(kind) }),
  });
  const pass: RequestHandler = (_req, _res, next) => { next(); };
  if (limits === 'off') return { posts: pass, sync: pass, other: pass, lists: async () => undefined };
  const byReader = (req: Request) => readerKeyOf(req) ?? clientAddressHash(req);
  const lists = [
    limiter('lists', limits.lists, clientAddressHash, false),
    limiter('lists-total', limits.lists * LISTS_IN_TOTAL, () => 'all', false),
  ];
  return {
    posts: limiter('posts', limits.posts, byReader, true),
    sync: limiter('sync', limits.sync, clientAddressHash, true),
    other: limiter('other', limits.other, byReader, false),
    async lists(req, res) {
      for (const limit of lists) {
        await new Promise<void>((resolve, reject) => {
          void limit(req, res, (error?: unknown) => { if (error) reject(error as Error); else resolve(); });
        });
      }
    },
  };
}
