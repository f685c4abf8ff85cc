/** Requests per minute (`RateLimit` fields, draft 8): `posts` per reader and `sync` per client address, both across a fleet with
 *  Redis, otherwise in this process; `other` per reader, otherwise per address, and `lists` per address, both in this process;
 *  as many conversations as lists, counted apart. Totals are of this process. */

import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit, type Options, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import { sha256 } from '../lib/identifiers.ts';
import { ProblemError } from '../problem.ts';
import { clientAddress } from './request.ts';

const WINDOW_MS = 60_000;

/** Of all addresses together, as multiples of the limit of one. */
const LISTS_IN_TOTAL = 10;
const SYNCS_IN_TOTAL = 100;

/** So many lists of an address in this minute come from a second pool once the total is used up: a few addresses do not stop
 *  everybody. */
const RESERVED_UP_TO = 10;

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
  if (limits === 'off') return { posts: [], sync: [], other: [], lists: async () => undefined, conversations: async () => undefined, [Symbol.dispose]: () => undefined };
  const byReader = (req: Request) => readerKeyOf(req) ?? clientAddressHash(req);
  const counts = createMemoryStore();
  counts.init({ windowMs: WINDOW_MS } as Options);
  const syncTotal: RequestHandler = async (_req, res, next) => {
    const total = await take('sync', limits.sync * SYNCS_IN_TOTAL, 'total');
    if (total.isOver) total.refuse(res);
    next();
  };
  return {
    posts: [limiter('posts', limits.posts, byReader, sharedStore?.('posts'))],
    sync: [limiter('sync', limits.sync, clientAddressHash, sharedStore?.('sync')), syncTotal],
    other: [limiter('other', limits.other, byReader)],
    lists: ofReads('lists', limits.lists),
    conversations: ofReads('conversations', limits.lists),
    /** Ends the timers of the counts in this process. */
    [Symbol.dispose]: () => { inMemory.dispose(); },
  };

  /** Run before a list or a conversation that is not cached is read. The fields of an address are in refusals only: the result
   *  is the same for every client. @throws {ProblemError} `too-many-requests` */
  function ofReads(kind: 'lists' | 'conversations', limit: number) {
    return async (req: Request, res: Response): Promise<void> => {
      const own = await take(kind, limit, clientAddressHash(req));
      if (own.isOver) own.refuse(res);
      const total = await take(kind, limit * LISTS_IN_TOTAL, 'total');
      if (!total.isOver) return;
      const reserve = own.count <= RESERVED_UP_TO ? await take(kind, limit * LISTS_IN_TOTAL, 'reserve') : total;
      if (reserve.isOver) reserve.refuse(res);
    };
  }

  /** Counts one more of `kind` under `key` in this minute. */
  async function take(kind: string, limit: number, key: string) {
    const { totalHits: count, resetTime } = await counts.increment(`${kind} ${key}`);
    return {
      count,
      isOver: count > limit,
      /** @throws {ProblemError} `too-many-requests` */
      refuse(res: Response): never {
        const seconds = Math.max(Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000), 1);
        res.set({ 'RateLimit-Policy': `"${kind}"; q=${limit}; w=${WINDOW_MS / 1000}`, RateLimit: `"${kind}"; r=0; t=${seconds}` });
        throw new ProblemError('too-many-requests', { retryAfterSeconds: seconds });
      },
    };
  }
}
