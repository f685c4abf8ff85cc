/** Requests per minute (`RateLimit` fields, draft 8): `posts` per reader and `sync` per client address, both across the fleet;
 *  `other` per reader, otherwise per address, and `lists` per address, both in this process. */

import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import { sha256 } from '../lib/identifiers.ts';
import { ProblemError } from '../problem.ts';
import { clientAddress } from './request.ts';

const WINDOW_MS = 60_000;

/** Lists that are not cached, of all addresses together. */
const LISTS_IN_TOTAL = 10;

export interface RateLimitDeps {
  readonly limits: 'off' | Readonly<Record<'posts' | 'sync' | 'other' | 'lists', number>>;
  readonly readerKeyOf: (req: Request) => string | undefined;
  /** Where counts are kept that the fleet shares; in this process by default. */
  readonly sharedStore?: ((kind: string) => LimiterStore) | undefined;
  readonly log: Pick<Logger, 'debug'>;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Of IPv6 the /64 network, as a household or a server has. Hashed. */
function clientAddressHash(req: Request): string {
  return sha256('address', ipKeyGenerator(clientAddress(req), 64));
}

export function createRateLimits({ limits, readerKeyOf, sharedStore, log }: RateLimitDeps) {
  const report = (err: unknown): void => { log.debug({ err }, 'rate limiter'); };
  const inMemory = new DisposableStack();
  const createMemoryStore = () => inMemory.adopt(new MemoryStore(), (store) => { store.shutdown(); });
  const limiter = (
    kind: string, limit: number, keyGenerator: (req: Request) => string, store: LimiterStore = createMemoryStore(),
  ) => rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: kind,
    keyGenerator,
    handler: (_req, res, next) => {
      // 0 where the window has just ended.
      const seconds = Math.max(Number(res.get('Retry-After') ?? WINDOW_MS / 1000), 1);
      next(new ProblemError('too-many-requests', { retryAfterSeconds: seconds }));
    },
    passOnStoreError: true,
    validate: false,
    logger: { error: report, warn: report },
    store,
  });
  const pass: RequestHandler = (_req, _res, next) => { next(); };
  if (limits === 'off') {
    return { posts: pass, sync: pass, other: pass, lists: async () => undefined, [Symbol.dispose]: () => undefined };
  }
  const byReader = (req: Request) => readerKeyOf(req) ?? clientAddressHash(req);
  const ofLists = [
    limiter('lists', limits.lists, clientAddressHash),
    limiter('lists-total', limits.lists * LISTS_IN_TOTAL, () => 'all'),
  ];
  return {
    posts: limiter('posts', limits.posts, byReader, sharedStore?.('posts')),
    sync: limiter('sync', limits.sync, clientAddressHash, sharedStore?.('sync')),
    other: limiter('other', limits.other, byReader),
    /** Run before a list that is not cached is read. The fields of an address are in refusals only: a list is the same for every
     *  client. @throws {ProblemError} `too-many-requests` */
    async lists(req: Request, res: Response): Promise<void> {
      for (const limit of ofLists) {
        await new Promise<void>((resolve, reject) => {
          void limit(req, res, (error?: unknown) => { if (error) reject(error as Error); else resolve(); });
        });
      }
      res.removeHeader('RateLimit');
      res.removeHeader('RateLimit-Policy');
    },
    /** Ends the timers of the counts in this process. */
    [Symbol.dispose]: () => { inMemory.dispose(); },
  };
}
