/** One site: creates its parts and wires them. Store, metrics and caches are shared with the other sites of the process. */

import type { PostList, PostOrder } from '@vestibule/shared';
import { createApp, type Handler } from './app.ts';
import type { Config } from './config/config.ts';
import { createHooks } from './hooks/hooks.ts';
import { createAdmission } from './http/admission.ts';
import { createCookies, type WithCookies } from './http/cookies.ts';
import { ProblemError } from './problem.ts';
import { createFailureLog } from './http/problem-response.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createLogIds, createUserKeys } from './lib/identifiers.ts';
import type { PostRecord } from './posts/idempotency.ts';
import { createPostLists } from './posts/list.ts';
import { parseListQuery } from './posts/parse.ts';
import { createActionHandlers } from './handlers/actions.ts';
import { createPostHandlers } from './handlers/posts.ts';
import { createReaderData } from './readers.ts';
import { createServiceClient } from './service/client.ts';
import type { SignedRequests } from './config/signed-requests.ts';
import type { AcceptedUser } from './config/types.ts';
import { createSessions, type Session } from './session/session.ts';
import { Cipher } from './store/cipher.ts';
import { createRecords } from './store/records.ts';
import { createPages } from './handlers/pages.ts';
import type { Profile } from './sync/profiles.ts';
import { createSyncHandlers } from './handlers/sync.ts';
import type { Sync } from './sync/sync.ts';
import type { Shared } from './shared-parts.ts';
import { createServiceThreads } from './threads/service.ts';

/** Accepted answers. */
export interface ProfileAccess {
  /** The latest profile of each reader, in any order. Those of a missing secret are left out. @throws {StoreUnavailableError} */
  all(): AsyncIterable<Profile>;
  /** Deletes the profile of a reader with the reader's sessions, sign-ins and posting records. @returns whether there was a
   *  profile @throws {StoreUnavailableError} */
  delete(userId: string): Promise<boolean>;
}

/** What a host application uses. */
export interface Instance {
  /** Mount it under the path of `publicUrl` and before body parsers: `app.use('/vestibule', vestibule.router)`. In
   *  `createServer(vestibule.router)` it answers under that path by itself. A path that it does not know goes to `next`;
   *  without one, the response is `not-found`. */
  readonly router: Handler;
  /** Signs and sends any request to the service. */
  readonly service: SignedRequests;
  /** Accepted answers. */
  readonly profiles: ProfileAccess;
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
  /** Stops admitting posts and sign-ins: they are `service-unavailable` with `Retry-After`, and `GET /readyz` is 503.
   *  Resolves when the requests that are open now are finished, also posts and sign-ins whose reader has disconnected. Waits for
   *  no connection that carries no request: `server.closeAllConnections()` ends those. */
  drain(): Promise<void>;
}

export type Site = ReturnType<typeof createSite>;

/** @returns an instance; disposing it closes its connections to the service */
export function createSite(given: Config, shared: Shared) {
  const { store, metrics: allMetrics, caches, log: processLog, dispatcher, now } = shared;
  const { siteKey, siteHost, threads, posts: own } = given;
  const log = siteHost === undefined ? processLog : processLog.child({ site: siteHost });
  const config: Config = { ...given, posts: threads === 'service' ? createServiceThreads(own) : own };
  const metrics = allMetrics.ofSite(siteHost);
  const service = createServiceClient(config, { dispatcher, startCall: metrics.startCall });

  const cipher = new Cipher(config.cookieSecrets);
  const recordsOf = <T>(kind: string) => createRecords<T>(kind, { store, cipher, now, siteKey });
  const records = {
    profiles: recordsOf<Profile>('profile'),
    sessions: recordsOf<Session>('session'),
    syncs: recordsOf<Sync>('sync'),
    posts: recordsOf<PostRecord>('post'),
  };
  if (config.cookieSecrets.length > 1) {
    records.profiles.reencrypt().catch((err: unknown) => {
      log.warn({ err, setting: 'VESTIBULE_STORE' }, 'profiles cannot be encrypted anew: keep the older cookie secrets');
    });
  }

  const logIds = createLogIds(config);
  const userKeys = createUserKeys(config);
  const cookies = createCookies(config);
  const sessions = createSessions({ cookies, records: records.sessions, logIds, config, now });
  const hooks = createHooks({ config, service, log });
  const findPosts = createPostLists({ config, caches, hooks, userKeys, now, log });
  const readerKeyOf = (req: WithCookies) => sessions.claimed(req)?.readerKey;
  const limits = createRateLimits({
    limits: config.rateLimits,
    readerKeyOf,
    sharedStore: store.rateLimits && ((kind) => store.rateLimits!(siteKey === '' ? kind : `${kind}@${siteKey}`)),
    log,
  });
  const reportFailure = createFailureLog(log, metrics.countFailure);
  const pages = createPages(config, { hasThread: config.posts.list !== undefined });
  const parts = {
    config, log, metrics, records, limits, sessions, userKeys, cookies, pages, service, store, hooks, reportFailure, now,
  };
  const admission = createAdmission({ readerKeyOf });
  const posts = createPostHandlers({ ...parts, findPosts, caches });
  const router = createApp({
    ...parts,
    syncs: createSyncHandlers(parts),
    posts,
    actions: createActionHandlers(parts),
    admission,
  });
  const readers = createReaderData(records);
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
    /** Profiles by the index of the secret that encrypts them, 0 the newest; -1: no secret decrypts them. */
    profilesBySecret: () => records.profiles.countBySecret(),
    async listPosts(query) {
      if (!findPosts) throw new ProblemError('not-found');
      return (await findPosts(parseListQuery(config, query))).value;
    },
    async getSession(req, { unproven = false } = {}) {
      const user = (await sessions.find(req))?.user;
      return user && (unproven || user.proven !== false) ? user : undefined;
    },
    /** Lets `GET /readyz` respond with 503 while everything is still admitted. */
    markUnready: admission.markUnready,
    drain() {
      service.refuseWaiting();
      return admission.drain();
    },
    async [Symbol.asyncDispose]() {
      limits[Symbol.dispose]();
      await service[Symbol.asyncDispose]();
    },
  } satisfies Instance & Record<string | symbol, unknown>;
}
