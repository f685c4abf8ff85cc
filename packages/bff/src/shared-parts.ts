/** What the sites of one process have in common. */

import type { Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import type { Clock } from './lib/time.ts';
import { serializeError, silentLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createPostCaches } from './posts/caches.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Parts that a host or a test supplies. */
export interface Overrides {
  /** Store to use instead of the one that `store` names. Closed with the instance, also if its creation fails. */
  readonly store?: Store | undefined;
  /** Receives the log; its own level decides what is written. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  /** Registry that gets the metrics until `close()`. Default: one of its own. */
  readonly metricsRegistry?: Registry | undefined;
  /** Sends the requests to the service, for a proxy or client certificates; not closed. Default: pools of its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: Clock | undefined;
}

export type Shared = Awaited<ReturnType<typeof openShared>>;

/** @param address of the store @throws {Error} if it cannot be opened */
export async function openShared(address: string, { now = Date.now, logger = silentLog(), ...overrides }: Overrides) {
  await using resources = new AsyncDisposableStack();
  const log = logger.child({}, { serializers: { err: serializeError } });
  const store: Store & { rateLimits?: (kind: string) => LimiterStore } = resources.use(overrides.store)
    ?? resources.use(await openStore(address, now));
  for (const reason of store.warnings ?? []) log.warn({ reason, setting: 'VESTIBULE_STORE' }, 'the store should be configured otherwise');
  const metrics = resources.use(createMetrics(overrides.metricsRegistry));
  const open = resources.move();
  return {
    store, metrics, caches: createPostCaches(), log, dispatcher: overrides.dispatcher, now,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
