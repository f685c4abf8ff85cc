/** The BFF as a library: everything wired together, ready to be mounted. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { PostList } from '@vestibule/shared';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { parseConfig, type Config } from './config/config.ts';
import type { VestibuleConfig } from './config/vestibule-config.ts';
import { ProblemError } from './http/problem-error.ts';
import { Cookies } from './http/cookies.ts';
import { sharedCounts } from './http/rate-limit-redis.ts';
import { StaticFiles } from './http/static-files.ts';
import type { Clock } from './lib/clock.ts';
import { createLog } from './log.ts';
import { Metrics } from './metrics/metrics.ts';
import { PostLists } from './posts/post-list.ts';
import { parsePostListQuery } from './posts/post-list-router.ts';
import { Idempotency, type IdempotencyRecord } from './posts/idempotency.ts';
import { observeService } from './service/observe-service.ts';
import { longestCallMs, ServiceClient } from './service/service-client.ts';
import type { SignedRequests } from './service/signed-requests.ts';
import { BrowserCookies } from './session/browser-cookies.ts';
import { Readers } from './session/reader.ts';
import { SessionManager, type Session } from './session/session-manager.ts';
import { openStore } from './store/open-store.ts';
import { EncryptedCollection } from './store/encrypted-collection.ts';
import { RecordCipher } from './store/record-cipher.ts';
import type { Store } from './store/store.ts';
import { AuthorizationAttempts, type AuthorizationAttempt } from './sync/authorization-attempts.ts';
import { CodeClaims, type CodeClaim } from './sync/code-claims.ts';
import { Pages } from './sync/pages.ts';
import { Profiles, type Profile } from './sync/profiles.ts';
import { SignIn } from './sync/sign-in.ts';
import { SyncTransactions, type SyncRecord } from './sync/sync-transaction.ts';

/** What `node:http`, Express and whatever takes their handlers can call. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

export interface Vestibule extends AsyncDisposable {
  /** Mount it under the path of `publicUrl`, `app.use('/vestibule', vestibule.router)`, best before the application's body
   *  parsers; or give it to a plain server, `createServer(vestibule.router)`, which answers under that path. */
  readonly router: Handler;
  /** Any signed call to the service. */
  readonly service: SignedRequests;
  /** Accepted answers. */
  readonly profiles: Profiles;
  /** The posts of an article, for a page that renders them on the server. Shares calls of the `posts.list` hook, and their
   *  results for 15 s, with `GET /posts`.
   *  @throws {ProblemError} `not-found` without a hook, `invalid-request`, `forum-not-allowed`, `internal-error` */
  listPosts(query: { readonly forum?: string; readonly page: string; readonly cursor?: string }): Promise<PostList>;
  /** What was measured, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** From now on `/readyz` says 503, so that no more traffic is sent here. Settles when no post is under way. */
  drain(): Promise<void>;
  /** Ends connections to the service and the store. Close the server first. */
  close(): Promise<void>;
}

export interface AssembledVestibule extends Vestibule {
  readonly router: Express;
}

/** What tests put in the place of the edge. */
export interface Edge {
  readonly now?: Clock;
  readonly log?: Logger;
  readonly store?: Store;
}

/** Retries and pauses of the store within one request, in ms at most. */
const STORE_MARGIN_MS = 5_000;

/** @throws {ConfigError} with every fault; an `Error` where the store cannot be opened */
export async function createVestibule(config: VestibuleConfig, edge: Edge = {}): Promise<Vestibule> {
  return assembleVestibule(parseConfig(config), edge);
}

/** As `createVestibule`, from a configuration that was parsed already. */
export async function assembleVestibule(config: Config, edge: Edge = {}): Promise<AssembledVestibule> {
  const { now = Date.now, log = createLog(config.logLevel) } = edge;
  const staticFiles = await StaticFiles.read({ archive: config.widgetArchive });
  const store = edge.store ?? await openStore(config.store, log);
  const cipher = new RecordCipher(config.cookieSecrets);
  const metrics = new Metrics();
  const measured = metrics.store.measure(store);
  const collection = <T>(kind: string) => new EncryptedCollection<T>(kind, { store: measured, cipher, now });
  const service = new ServiceClient(config, observeService(log, metrics.service));
  metrics.service.watch(service);
  const origins = [...config.allowedOrigins, new URL(config.publicUrl).origin];
  const cookies = new BrowserCookies(
    new Cookies({ cookieSecrets: config.cookieSecrets, secure: config.publicUrl.startsWith('https:') }),
    config,
  );
  const sessions = new SessionManager(collection<Session>('session'), config, now);
  const readers = new Readers(cookies, sessions);
  const profiles = new Profiles(collection<Profile>('profile'), config.profileDays);
  const idempotency = new Idempotency(collection<IdempotencyRecord>('post'), {
    lifetimeMs: config.idempotencySeconds * 1000,
    workMs: longestCallMs(config) + STORE_MARGIN_MS,
  }, now);
  const lifetimeMs = config.syncSeconds * 1000;
  const transactions = new SyncTransactions({
    records: collection<SyncRecord>('sync'),
    leases: collection<string>('lease'),
    lifetimeMs,
  });
  const codes = new CodeClaims(collection<CodeClaim>('code'), lifetimeMs + STORE_MARGIN_MS);
  const signIn = new SignIn({ config, service, sessions, transactions, codes, profiles, now });
  const attempts = new AuthorizationAttempts({ cookies, attempts: collection<AuthorizationAttempt>('attempt'), lifetimeMs });
  const { list } = config.posts;
  const postLists = list && new PostLists({ config, list, service, now });
  const pages = new Pages({ publicUrl: config.publicUrl, origins });
  let draining = false;
  const router = createApp({
    config, log, metrics, service, cookies, readers, sessions, transactions, idempotency, postLists, signIn, attempts, pages,
    store: measured,
    staticFiles,
    rateLimitStore: sharedCounts(store),
    isDraining: () => draining,
  });
  const close = async () => {
    await service[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  return {
    router,
    service,
    profiles,
    listPosts: async (query) => {
      if (!postLists) throw new ProblemError('not-found');
      return (await postLists.find(parsePostListQuery(config, query))).list;
    },
    metrics: () => metrics.text(),
    drain: () => {
      draining = true;
      return Promise.all([idempotency.idle(), signIn.idle()]).then(() => undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
