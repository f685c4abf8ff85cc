/** The BFF as a library: creates the parts, wires them, and closes them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PostList } from '@vestibule/shared';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createApp } from './app.ts';
import { parseConfig, type Config } from './config/config.ts';
import type { AcceptedUser } from './config/hooks.ts';
import type { VestibuleConfig } from './config/vestibule-config.ts';
import { Admission } from './http/admission.ts';
import { Cookies } from './http/cookies.ts';
import { ProblemError } from './http/problem-error.ts';
import type { RateLimitDeps } from './http/rate-limit.ts';
import { StaticFiles } from './http/static-files.ts';
import type { Clock } from './lib/time.ts';
import { serializeError } from './log-error.ts';
import { silentLog } from './log.ts';
import { Metrics } from './metrics/metrics.ts';
import { Idempotency, type IdempotencyRecord } from './posts/idempotency.ts';
import { parsePostListQuery } from './posts/post-list-router.ts';
import { PostLists } from './posts/post-list.ts';
import { logServiceEvents, longestCallMs, ServiceClient } from './service/service-client.ts';
import type { SignedRequests } from './service/signed-sender.ts';
import { BrowserCookies } from './session/browser-cookies.ts';
import { ReaderData } from './reader-data.ts';
import { Readers } from './session/reader.ts';
import { SessionManager, type Session } from './session/session-manager.ts';
import { EncryptedCollection } from './store/encrypted-collection.ts';
import { openStore } from './store/open-store.ts';
import { RecordCipher } from './store/record-cipher.ts';
import { SecretRotation } from './store/secret-rotation.ts';
import type { Store } from './store/store.ts';
import { AuthorizationAttempts, type AuthorizationAttempt } from './sync/authorization-attempts.ts';
import { CodeClaims, type CodeClaim } from './sync/code-claims.ts';
import { Pages } from './sync/pages.ts';
import { ProfileCollection, type Profile } from './sync/profiles.ts';
import { SignIn } from './sync/sign-in.ts';
import { SyncTransactions, type SyncRecord } from './sync/sync-transaction.ts';

/** A handler for `node:http`, Express and frameworks that accept their handlers. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

/** Accepted answers. */
export interface Profiles {
  /** The latest profile of each reader, in any order.
   *  @throws {StoreUnavailableError}
   *  @throws {UndecryptableRecordsError} after the readable profiles, if the secret of others is missing */
  all(): AsyncIterable<Profile>;
  /** Deletes the profile of a reader with the reader's sessions, sign-ins and posting records. @returns whether there was a
   *  profile @throws {StoreUnavailableError} */
  delete(userId: string): Promise<boolean>;
}

/** An instance of the BFF. */
export interface Vestibule extends AsyncDisposable {
  /** Mount it under the path of `publicUrl` and before body parsers: `app.use('/vestibule', vestibule.router)`. In
   *  `createServer(vestibule.router)` it answers under that path by itself. */
  readonly router: Handler;

  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;

  /** Accepted answers. */
  readonly profiles: Profiles;

  /** The posts of an article, for a page that renders them on the server. Shares calls of the `posts.list` hook, and their
   *  results for 15 s, with `GET /posts`.
   *  @throws {ProblemError} `not-found` without a hook, `invalid-request`, `forum-not-allowed`, `internal-error` */
  listPosts(query: { readonly forum?: string; readonly page: string; readonly cursor?: string }): Promise<PostList>;

  /** The user of a request's session; works in any route of the host, outside the router too. `undefined` without a live session.
   *  A user that the token exchange did not prove is returned only with `unproven`, and has `proven: false`. Extends the
   *  session like any other request. @throws {StoreUnavailableError} */
  getSession(req: IncomingMessage, options?: { readonly unproven?: boolean }): Promise<AcceptedUser | undefined>;

  /** The metrics in the Prometheus text format. */
  metrics(): Promise<string>;

  /** Stops admitting posts and sign-ins: they are `service-unavailable` with `Retry-After`, and `GET /readyz` is 503.
   *  Resolves when those in flight are finished, also those whose reader has disconnected. */
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
  /** Registry that gets the metrics until `close()`. Default: one of its own, to which `metrics()` adds the metrics of the
   *  process. */
  readonly metricsRegistry?: Registry | undefined;
  /** Sends the requests to the service, for a proxy or client certificates; not closed. Default: a pool of its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: Clock | undefined;
}

/** An instance for a process that runs its own server. */
export interface VestibuleProcess extends Vestibule {
  readonly router: Express;
  /** Lets `GET /readyz` respond with 503 while everything is still admitted. */
  markUnready(): void;
  readonly readers: ReaderData;
}

/** Retries and pauses of the store within one request, in ms at most. */
const STORE_MARGIN_MS = 5_000;

/**
 * Creates an instance and opens its store.
 * @throws {ConfigError} with every fault
 * @throws {Error} if the store cannot be opened
 */
export async function createVestibule(config: VestibuleConfig, overrides: Overrides = {}): Promise<Vestibule> {
  await using resources = new AsyncDisposableStack();
  resources.use(overrides.store);
  const parsed = parseConfig(config);
  resources.move();
  return createFromConfig(parsed, overrides);
}

/** The same from a checked configuration. */
export async function createFromConfig(config: Config, overrides: Overrides = {}): Promise<VestibuleProcess> {
  const { now = Date.now, logger = silentLog() } = overrides;
  await using resources = new AsyncDisposableStack();
  const log = logger.child({}, { serializers: { err: serializeError } });
  const givenStore = resources.use(overrides.store);
  const staticFiles = await StaticFiles.read({ archive: config.widgetArchive });
  const store = givenStore ?? resources.use(await openStore(config.store, { log, now, waitReplicas: config.redisWaitReplicas }));
  const metrics = resources.use(new Metrics(overrides.metricsRegistry));
  const logServiceEvent = logServiceEvents(log);
  const service = resources.use(new ServiceClient(config, {
    dispatcher: overrides.dispatcher,
    observe: (event) => {
      metrics.service.record(event);
      logServiceEvent(event);
    },
  }));
  metrics.service.watch(service);
  const measured = metrics.store.measure(store);
  const cipher = new RecordCipher(config.cookieSecrets);
  const replicated = store.replicated ? metrics.store.measure(store.replicated) : measured;
  const collection = <T>(kind: string, at = measured) => new EncryptedCollection<T>(kind, { store: at, cipher, now });
  resources.use(new SecretRotation({ store: measured, cipher, log }));
  const cookies = new BrowserCookies(new Cookies(config), config);
  const records = {
    profiles: collection<Profile>('profile'),
    sessions: collection<Session>('session', replicated),
    syncs: collection<SyncRecord>('sync'),
    posts: collection<IdempotencyRecord>('post', replicated),
  };
  const sessions = new SessionManager(records.sessions, config, now);
  const readers = new Readers(cookies, sessions);
  const profiles = new ProfileCollection(records.profiles, config.profileDays);
  const idempotency = new Idempotency(records.posts, {
    lifetimeMs: config.idempotencySeconds * 1000,
    workMs: longestCallMs(config) + STORE_MARGIN_MS,
  }, now);
  const lifetimeMs = config.syncSeconds * 1000;
  const transactions = new SyncTransactions({
    records: records.syncs,
    leases: collection<string>('lease'),
    lifetimeMs,
  });
  const codes = new CodeClaims(collection<CodeClaim>('code', replicated), lifetimeMs + STORE_MARGIN_MS);
  const signIn = new SignIn({ config, service, sessions, transactions, codes, profiles, now, log });
  const attempts = new AuthorizationAttempts({ cookies, attempts: collection<AuthorizationAttempt>('attempt'), lifetimeMs });
  const { list } = config.posts;
  const postLists = list && new PostLists({ config, list, service, now, log });
  const pages = new Pages(config);
  const admission = new Admission();
  let isUnready = false;
  const router = createApp({
    config, log, metrics, service, cookies, readers, sessions, transactions, idempotency, postLists, signIn, attempts, pages,
    admission,
    store: measured,
    staticFiles,
    rateLimitStore: await rateLimitStoreOf(store),
    isDraining: () => isUnready || admission.isClosed,
  });
  const readerData = new ReaderData(records);
  const open = resources.move();
  const close = () => open.disposeAsync();
  return {
    router,
    service,
    profiles: {
      all: () => profiles.all(),
      delete: async (userId) => (await readerData.delete(userId)).profiles > 0,
    },
    readers: readerData,
    async listPosts(query) {
      if (!postLists) throw new ProblemError('not-found');
      return (await postLists.find(parsePostListQuery(config, query))).list;
    },
    async getSession(req, { unproven = false } = {}) {
      const user = (await readers.find(req))?.user;
      return user && (unproven || user.proven !== false) ? user : undefined;
    },
    metrics: () => metrics.text(),
    markUnready() { isUnready = true; },
    async drain() {
      await admission.close();
      await Promise.all([idempotency.idle(), signIn.idle()]);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Request counts that the processes share; `undefined`: each counts on its own. */
async function rateLimitStoreOf(store: Store): Promise<RateLimitDeps['storeFor']> {
  if (store.kind !== 'redis') return undefined;
  const { sharedRateLimits } = await import('./store/redis-rate-limit.ts');
  return sharedRateLimits(store);
}
