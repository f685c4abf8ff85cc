/** Requests per minute (`RateLimit` fields, draft 8): `posts` per reader and `sync` per client address, both across a fleet with
 *  Redis, otherwise in this process; `other` per session, otherwise per address, and `lists` per address, both in this process.
 *  No total over all clients: a few networks would refuse everybody. */

import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit, type Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import { sha256 } from '../lib/identifiers.ts';
import { ProblemError, type ProblemOptions } from '../problem.ts';
import { clientAddress } from './request.ts';

const WINDOW_MS = 60_000;

/** Posts and actions of one reader at work at the same time: a service that hangs leaves room for the others. */
const MAX_AT_ONCE = 4;

type LimitKind = 'posts' | 'sync' | 'other' | 'lists';

export interface RateLimitDeps {
  readonly limits: 'off' | Readonly<Record<LimitKind, number>>;
  /** What the signed cookie of a request names. */
  readonly sessionOf: (req: Request) => { readonly id: string; readonly readerKey: string } | undefined;
  /** Where counts are kept that the fleet shares; in this process by default. */
  readonly sharedStore?: ((kind: string) => LimiterStore) | undefined;
  readonly log: Pick<Logger, 'debug'>;
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Of IPv6 the /64 network, as a household or a server has. Hashed. */
function clientAddressHash(req: Request): string {
  return sha256('address', ipKeyGenerator(clientAddress(req), 64));
}

export function createRateLimits({ limits, sessionOf, sharedStore, log }: RateLimitDeps) {
  const report = (err: unknown): void => { log.debug({ err }, 'rate limiter'); };
  const inMemory = new DisposableStack();
  const byReader = (req: Request) => sessionOf(req)?.readerKey ?? clientAddressHash(req);
  const bySession = (req: Request) => {
    const session = sessionOf(req);
    return session ? sha256('session', session.id) : clientAddressHash(req);
  };
  const lists = limiter('lists', clientAddressHash);
  /** Posts and actions at work, by reader. */
  const atWork = new Map<string | undefined, number>();
  return {
    posts: limiter('posts', byReader, sharedStore?.('posts')),
    sync: limiter('sync', clientAddressHash, sharedStore?.('sync')),
    other: limiter('other', bySession),
    /** Run before something public is read that is not cached. @throws {ProblemError} `too-many-requests` */
    async lists(req: Request, res: Response): Promise<void> {
      await new Promise<void>((resolve, reject) => {
        void lists(req, res, (error?: unknown) => { if (error) reject(error as Error); else resolve(); });
      });
      // The response is the same for every client.
      for (const name of ['RateLimit', 'RateLimit-Policy']) res.removeHeader(name);
    },
    atOnce,
    /** Ends the timers of the counts in this process. */
    [Symbol.dispose]: () => { inMemory.dispose(); },
  };

  /** A handler of a post or an action. A fifth of one reader at once is refused. */
  function atOnce(handler: (req: Request, res: Response) => Promise<void>) {
    return async (req: Request, res: Response): Promise<void> => {
      const reader = sessionOf(req)?.readerKey;
      const count = atWork.get(reader) ?? 0;
      if (count === MAX_AT_ONCE) throw new ProblemError('service-unavailable', BUSY);
      atWork.set(reader, count + 1);
      try {
        await handler(req, res);
      } finally {
        const left = (atWork.get(reader) as number) - 1;
        if (left > 0) atWork.set(reader, left);
        else atWork.delete(reader);
      }
    };
  }

  function limiter(kind: LimitKind, keyGenerator: (req: Request) => string, store?: LimiterStore): RequestHandler {
    if (limits === 'off') return (_req, _res, next) => { next(); };
    return rateLimit({
      windowMs: WINDOW_MS,
      limit: limits[kind],
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
      store: store ?? inMemory.adopt(new MemoryStore(), (one) => { one.shutdown(); }),
    });
  }
}

const BUSY: ProblemOptions = {
  detail: 'Your earlier comments are still being sent. Please try again in a moment.',
  retryAfterSeconds: 2,
  diagnosis: { reason: `${MAX_AT_ONCE} posts and actions of one reader are at work`, setting: 'the service, which answers slowly' },
};
