/** The BFF as a library: creates the parts of an instance and wires them. */

import type { PostList, PostOrder } from '@vestibule/shared';
import type { Store as LimiterStore } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createApp, type Handler } from './app.ts';
import { parseConfig, type Config, type VestibuleConfig } from './config/config.ts';
import type { AcceptedUser, SignedRequests } from './config/types.ts';
import { createActionHandlers } from './handlers/actions.ts';
import { createPages } from './handlers/pages.ts';
import { createPostHandlers } from './handlers/posts.ts';
import { createSyncHandlers } from './handlers/sync.ts';
import { createHooks } from './hooks/hooks.ts';
import { createCookies, type WithCookies } from './http/cookies.ts';
import { createFrame } from './http/frame.ts';
import { createFailureLog } from './http/problem-response.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createKeyedHashes } from './lib/identifiers.ts';
import { proxyFaults } from './lib/proxy.ts';
import type { Clock } from './lib/time.ts';
import { serializeError, silentLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createPostConversations, createPostLists } from './posts/list.ts';
import { createCounts } from './posts/counts.ts';
import { createPostCreator, type PostRecord } from './posts/create.ts';
import { parseListQuery } from './posts/parse.ts';
import { ProblemError } from './problem.ts';
import { createReaderData } from './readers.ts';
import { createServiceClient } from './service/client.ts';
import { createSessions, type Session } from './session/session.ts';
import { Cipher, createRecords } from './store/records.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import type { Profile } from './sync/acceptance.ts';
import type { Sync } from './sync/record.ts';
import { createServiceThreads } from './threads/service.ts';

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

/** Accepted answers. */
export interface Profiles {
  /** The latest profile of each reader, in any order. Those of a missing secret are left out. @throws {StoreUnavailableError} */
  all(): AsyncIterable<Profile>;
  /** Deletes the profile of a reader with the reader's sessions, sign-ins and posting records. @returns whether there was a
   *  profile @throws {StoreUnavailableError} */
  delete(userId: string): Promise<boolean>;
}

/** An instance of the BFF, for a host application. */
export interface Vestibule extends AsyncDisposable {
  /** Mount it under the path of `publicUrl` and before body parsers: `app.use('/vestibule', vestibule.router)`. In
   *  `createServer(vestibule.router)` it answers under that path by itself. A path that it does not know goes to `next`;
   *  without one, the response is `not-found`. */
  readonly router: Handler;
  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;
  /** Accepted answers. */
  readonly profiles: Profiles;
  /** The posts of an article, for a page that renders them on the server. Shares calls of the `posts.list` hook and their
   *  results with `GET /posts`: up to a minute old, and up to ten while the hook fails.
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
  const { readers: _, profilesBySecret: __, markUnready: ___, ...vestibule } = await openVestibule(parsed, overrides);
  return vestibule;
}

/** An instance as the commands use it. */
export type OpenVestibule = Awaited<ReturnType<typeof openVestibule>>;

/** @param overrides `store`: closed with the result, also if its creation fails @throws {Error} if the store cannot be opened */
export async function openVestibule(given: Config, overrides: Overrides = {}) {
  await using resources = new AsyncDisposableStack();
  const { now = Date.now, logger = silentLog(), dispatcher } = overrides;
  const log = logger.child({}, { serializers: { err: serializeError } });
  const store: Store & { rateLimits?: (kind: string) => LimiterStore } = resources.use(overrides.store)
    ?? resources.use(await openStore(given.store, now));
  for (const reason of store.warnings ?? []) log.warn({ reason, setting: 'VESTIBULE_STORE' }, 'the store should be configured otherwise');
  const metrics = resources.use(createMetrics(overrides.metricsRegistry));
  const config: Config = { ...given, posts: given.threads === 'service' ? createServiceThreads(given.posts) : given.posts };
  const service = resources.use(createServiceClient(config, { dispatcher, startCall: metrics.startCall }));

  const cipher = new Cipher(config.cookieSecrets);
  const recordsOf = <T>(kind: string) => createRecords<T>(kind, { store, cipher, now });
  const profiles = recordsOf<Profile>('profile');
  const sessionRecords = recordsOf<Session>('session');
  const syncs = recordsOf<Sync>('sync');
  const postRecords = recordsOf<PostRecord>('post');
  if (config.cookieSecrets.length > 1) {
    profiles.reencrypt().catch((err: unknown) => {
      log.warn({ err, setting: 'VESTIBULE_STORE' }, 'profiles cannot be encrypted anew: keep the older cookie secrets');
    });
  }

  const userKeys = createKeyedHashes(config, 'user key');
  const cookies = createCookies(config);
  const sessions = createSessions({ cookies, records: sessionRecords, logIds: createKeyedHashes(config, 'log id'), config, now });
  const hooks = createHooks({ config, service, log });
  const findPosts = createPostLists({ config, hooks, userKeys, now, log });
  const limits = resources.use(createRateLimits({
    limits: config.rateLimits, sessionOf: sessions.claimed, sharedStore: store.rateLimits, log,
  }));
  const reportFailure = createFailureLog(log, metrics.countFailure);
  const pages = createPages(config, { hasThread: config.posts.list !== undefined });
  const frame = createFrame(log, metrics.observeRequest);
  const router = createApp({
    config, store, sessions, limits, frame, pages, reportFailure, log,
    syncs: createSyncHandlers({
      config, records: { syncs, profiles }, cookies, sessions, userKeys, pages, service, hooks, metrics, reportFailure, log, now,
    }),
    posts: createPostHandlers({
      config, sessions, limits, now, findPosts,
      create: createPostCreator({ config, records: postRecords, sessions, service, hooks, userKeys, metrics, log }),
      findConversation: createPostConversations({ config, hooks, userKeys, now, log }),
      count: createCounts({ hooks, now }),
    }),
    actions: createActionHandlers({ config, sessions, hooks, userKeys, metrics }),
  });
  const readers = createReaderData({ profiles, sessions: sessionRecords, syncs, posts: postRecords });
  const open = resources.move();
  const close = () => open.disposeAsync();
  return {
    router,
    service,
    readers,
    profiles: {
      async* all() {
        for await (const { record } of profiles.entries()) if (record) yield record;
      },
      delete: async (userId) => (await readers.delete(userId)).profiles > 0,
    },
    /** Profiles by the index of the secret that encrypts them, 0 the newest; -1: no secret decrypts them. */
    profilesBySecret: () => profiles.countBySecret(),
    async listPosts(query) {
      if (!findPosts) throw new ProblemError('not-found');
      const { body } = await findPosts(parseListQuery(config, query));
      return JSON.parse(body.toString()) as PostList;
    },
    async getSession(req, { unproven = false } = {}) {
      const user = (await sessions.find(req))?.user;
      return user && (unproven || user.proven !== false) ? user : undefined;
    },
    metrics: metrics.text,
    /** Lets `GET /readyz` respond with 503 while everything is still admitted. */
    markUnready: frame.markUnready,
    drain() {
      service.refuseWaiting();
      return frame.drain();
    },
    close,
    [Symbol.asyncDispose]: close,
  } satisfies Vestibule & Record<string | symbol, unknown>;
}
