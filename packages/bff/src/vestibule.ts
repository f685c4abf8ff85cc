/** The BFF as a library: creates the parts, wires them, and closes them. */

import type { PostList, PostOrder } from '@vestibule/shared';
import type { Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createApp, type Handler } from './app.ts';
import { parseConfig, type Config } from './config/config.ts';
import type { VestibuleConfig } from './config/vestibule-config.ts';
import { hookRunner } from './hooks.ts';
import { createAdmission } from './http/admission.ts';
import { createCookies, type WithCookies } from './http/cookies.ts';
import { ProblemError } from './problem.ts';
import { createFailureLog } from './http/problem-response.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createUserTags } from './lib/identifiers.ts';
import { proxyFaults } from './lib/proxy.ts';
import type { Clock } from './lib/time.ts';
import { serializeError, silentLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { PostRecord } from './posts/idempotency.ts';
import { createPostCaches, createPostLists } from './posts/list.ts';
import { parseListQuery } from './posts/parse.ts';
import { createActionHandlers } from './posts/actions.ts';
import { createPostHandlers } from './posts/handlers.ts';
import { createReaderData, type ReaderData } from './readers.ts';
import { createServiceClient } from './service/client.ts';
import type { SignedRequests } from './service/signed-requests.ts';
import type { AcceptedUser } from './session/accepted-user.ts';
import { createSessions, type Session } from './session/session.ts';
import { Cipher } from './store/cipher.ts';
import { openStore } from './store/open.ts';
import { createRecords } from './store/records.ts';
import type { Store } from './store/store.ts';
import { createPages } from './sync/pages.ts';
import type { Profile } from './sync/profiles.ts';
import { createSyncHandlers } from './sync/handlers.ts';
import type { SyncRecord } from './sync/sync.ts';

/** Accepted answers. */
export interface ProfileAccess {
  /** The latest profile of each reader, in any order. Those of a missing secret are left out. @throws {StoreUnavailableError} */
  all(): AsyncIterable<Profile>;
  /** Deletes the profile of a reader with the reader's sessions, sign-ins and posting records. @returns whether there was a
   *  profile @throws {StoreUnavailableError} */
  delete(userId: string): Promise<boolean>;
}

/** An instance of the BFF. */
export interface Vestibule extends AsyncDisposable {
  /** Mount it under the path of `publicUrl` and before body parsers: `app.use('/vestibule', vestibule.router)`. In
   *  `createServer(vestibule.router)` it answers under that path by itself. A path that it does not know goes to `next`;
   *  without one, the response is `not-found`. */
  readonly router: Handler;
  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;
  /** Accepted answers. */
  readonly profiles: ProfileAccess;
  /** The posts of an article, for a page that renders them on the server. Shares calls of the `posts.list` hook, and their
   *  results for 15 s, with `GET /posts`.
   *  @throws {ProblemError} `not-found` without a hook, `invalid-request`, `forum-not-allowed`, `internal-error` */
  listPosts(query: {
    readonly forum?: string; readonly page: string; readonly order?: PostOrder; readonly cursor?: string;
  }): Promise<PostList>;
  /** The user of a request's session; works in any route of the host, outside the router too. `undefined` without a live session.
   *  A user that the token exchange did not prove is returned only with `unproven`, and has `proven: false`. Extends the
   *  session like any other request. @param req a request of Node.js or of the Fetch API, or an object with its `headers`
   *  @throws {StoreUnavailableError} */
  getSession(req: WithCookies, options?: { readonly unproven?: boolean }): Promise<AcceptedUser | undefined>;
  /** The metrics in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Stops admitting posts and sign-ins: they are `service-unavailable` with `Retry-After`, and `GET /readyz` is 503.
   *  Resolves when the requests that are open now are finished, also posts and sign-ins whose reader has disconnected. Waits for
   *  no connection that carries no request: `server.closeAllConnections()` ends those. */
  drain(): Promise<void>;
  /** Closes the connections to the service and the store. Call it after `drain()` and after the server has closed. */
  close(): Promise<void>;
}

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

/** An instance for a process that runs its own server. */
export interface VestibuleProcess extends Vestibule {
  /** Lets `GET /readyz` respond with 503 while everything is still admitted. */
  markUnready(): void;
  readonly readers: ReaderData;
  /** Profiles by the index of the secret that encrypts them, 0 the newest; -1: no secret decrypts them. */
  profilesBySecret(): Promise<ReadonlyMap<number, number>>;
}

/**
 * Creates an instance and opens its store.
 * @throws {ConfigError} with every fault
 * @throws {Error} if the store cannot be opened
 */
export async function createVestibule(config: VestibuleConfig, overrides: Overrides = {}): Promise<Vestibule> {
  await using resources = new AsyncDisposableStack();
  resources.use(overrides.store);
  const parsed = parseConfig(config, undefined, overrides.dispatcher ? [] : proxyFaults());
  resources.move();
  return createFromConfig(parsed, overrides);
}

/** What the sites of one process have in common. */
export type Shared = Awaited<ReturnType<typeof createShared>>;

/** @param config any of the sites' @param overrides `store`: closed with the result, also if its creation fails */
export async function createShared({ store: address }: Pick<Config, 'store'>, overrides: Overrides = {}) {
  const { now = Date.now, logger = silentLog(), metricsRegistry } = overrides;
  await using resources = new AsyncDisposableStack();
  const log = logger.child({}, { serializers: { err: serializeError } });
  const store: Store & { rateLimits?: (kind: string) => LimiterStore } = resources.use(overrides.store)
    ?? resources.use(await openStore(address, now));
  for (const reason of store.warnings ?? []) log.warn({ reason, setting: 'VESTIBULE_STORE' }, 'the store should be configured otherwise');
  const metrics = resources.use(createMetrics(metricsRegistry));
  const open = resources.move();
  return { store, metrics, caches: createPostCaches(now), log, now, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** The same from a checked configuration. @param shared of several sites; the caller closes it */
export async function createFromConfig(config: Config, overrides: Overrides = {}, shared?: Shared): Promise<VestibuleProcess> {
  await using resources = new AsyncDisposableStack();
  const own = shared ?? resources.use(await createShared(config, overrides));
  const { store, metrics: allMetrics, caches, log: processLog, now } = own;
  const { siteKey, siteHost } = config;
  const log = siteHost === undefined ? processLog : processLog.child({ site: siteHost });
  const metrics = allMetrics.ofSite(siteHost);
  const service = resources.use(createServiceClient(config, { dispatcher: overrides.dispatcher, startCall: metrics.startCall }));

  const cipher = new Cipher(config.cookieSecrets);
  const recordsOf = <T>(kind: string) => createRecords<T>(kind, { store, cipher, now, siteKey });
  const records = {
    profiles: recordsOf<Profile>('profile'),
    sessions: recordsOf<Session>('session'),
    syncs: recordsOf<SyncRecord>('sync'),
    posts: recordsOf<PostRecord>('post'),
  };
  if (config.cookieSecrets.length > 1) {
    records.profiles.reencrypt().catch((err: unknown) => {
      log.warn({ err, setting: 'VESTIBULE_STORE' }, 'profiles cannot be encrypted anew: keep the older cookie secrets');
    });
  }

  const tags = createUserTags(config.cookieSecrets);
  const cookies = createCookies(config);
  const sessions = createSessions({ cookies, records: records.sessions, tags, config, now });
  const runHook = hookRunner(service, config.hookTimeoutMs, log);
  const lists = createPostLists({ config, caches, runHook, now, log });
  const limits = createRateLimits({
    limits: config.rateLimits,
    readerKeyOf: (req) => sessions.named(req)?.readerKey,
    sharedStore: store.rateLimits && ((kind) => store.rateLimits!(siteKey === '' ? kind : `${kind}@${siteKey}`)),
    log,
  });
  const reportFailure = createFailureLog(log, metrics.countFailure);
  const pages = createPages(config);
  const parts = {
    config, log, metrics, records, limits, sessions, tags, cookies, pages, service, store, runHook, reportFailure, now,
  };
  const admission = createAdmission();
  const router = createApp({
    ...parts,
    syncs: createSyncHandlers(parts),
    posts: createPostHandlers({ ...parts, lists, caches }),
    actions: createActionHandlers({ ...parts, lists }),
    admission,
  });
  const readers = createReaderData(records, tags);
  const open = resources.move();
  const close = () => open.disposeAsync();
  return {
    router,
    service,
    readers,
    profiles: {
      async* all() {
        for await (const { record } of records.profiles.entries()) if (record) yield record;
      },
      delete: async (userId) => (await readers.delete(userId)).profiles > 0,
    },
    profilesBySecret: () => records.profiles.countBySecret(),
    async listPosts(query) {
      if (!lists) throw new ProblemError('not-found');
      return (await lists.find(parseListQuery(config, query))).list;
    },
    async getSession(req, { unproven = false } = {}) {
      const user = (await sessions.find(req))?.user;
      return user && (unproven || user.proven !== false) ? user : undefined;
    },
    metrics: () => allMetrics.text(),
    markUnready: admission.markUnready,
    drain() {
      service.refuseWaiting();
      return admission.drain();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
