/** Emulates the hosted service. Refuses every request that the interface does not allow. */

import { randomBytes } from 'node:crypto';
import { Arrivals } from './arrivals.ts';
import type { Completion, ServiceContext, StoredPost } from './context.ts';
import { Faults } from './faults.ts';
import { Grants, type Reader } from './grants.ts';
import { LateActions } from './late-actions.ts';
import { startListener } from './listener.ts';
import { NonceMemory } from './nonce-memory.ts';
import { demonstrationReaders, type ServiceOptions } from './options.ts';
import type { EndpointName, ReceivedRequest } from './request.ts';
import { issueReturn, type ReturnParams } from './return-to-publisher.ts';
import { createRequestListener } from './serve.ts';
import { readState, writeState } from './state-file.ts';

export interface EmulatedService extends AsyncDisposable {
  /** `base_url`, without a slash at its end. */
  readonly url: string;
  /** The port that it listens on; `url` may be that of a proxy. */
  readonly port: number;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly forums: ReadonlySet<string>;
  /** Exact strings; more may be added. */
  readonly redirectUris: Set<string>;
  readonly readers: readonly Reader[];
  /** `user_id`s that are returned with `success=1` and no code, as if they had granted access on an earlier visit. */
  readonly alreadyGranted: Set<string>;
  /** Posts that were created, oldest first. */
  readonly posts: readonly StoredPost[];
  /** Every completion that was accepted, reloads included. */
  readonly completions: readonly Completion[];
  /** Every request whose head and body arrived, also without a response. */
  readonly requests: readonly ReceivedRequest[];
  readonly faults: Faults;
  /** How far the service's clock is ahead of this machine's. `Date` headers and the check of nonces use the service's. */
  clockOffsetMs: number;
  /** `Cross-Origin-Opener-Policy` of its pages. */
  openerPolicy: 'same-origin' | undefined;
  /** Issues the parameters that the embedded entrance adds to `redirectUri`, which must be registered. Default reader: the
   *  first. */
  issueReturn(options: { readonly redirectUri: string; readonly user?: Reader }): ReturnParams;
  /** Revokes the tokens of this reader. */
  revokeTokensOf(userId: string): void;
  /** Resolves with the next request to `endpoint`, after its body has arrived and its immediate effects are committed. */
  whenReceived(endpoint: EndpointName): Promise<ReceivedRequest>;
  /** Resolves when no late commit or delayed response is outstanding. */
  whenSettled(): Promise<void>;
  /** Refuses connections and ends those there are. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

export async function startEmulatedService(options: ServiceOptions = {}): Promise<EmulatedService> {
  const now = options.now ?? Date.now;
  const serviceNow = () => now() + service.clockOffsetMs;
  const listener = await startListener({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 5000,
    date: () => new Date(serviceNow()).toUTCString(),
  });
  const url = new URL(options.publicUrl ?? `http://${options.host ?? '127.0.0.1'}:${listener.port}${options.basePath ?? ''}`);

  const { stateFile } = options;
  const state = stateFile === undefined ? undefined : readState(stateFile);
  const faults = new Faults();
  const lateActions = new LateActions();
  const arrivals = new Arrivals(options.recordRequests ?? true);
  const context: ServiceContext = {
    url,
    publicKey: options.publicKey ?? randomBytes(16).toString('hex'),
    secretKey: options.secretKey ?? randomBytes(16).toString('hex'),
    forums: new Set(options.forums ?? ['news']),
    redirectUris: new Set(options.redirectUris),
    readers: options.readers ?? demonstrationReaders,
    alreadyGranted: new Set(),
    publisherName: options.publisherName ?? 'the publisher',
    completionReturnUrl: options.completionReturnUrl,
    completionQuery: options.completionQuery ?? '',
    threads: options.threads ?? false,
    grants: new Grants({ codeLifetimeSeconds: options.codeLifetimeSeconds ?? 600, now, ...(state && { tokens: state.tokens }) }),
    nonces: new NonceMemory(options.nonceLifetimeSeconds ?? 300),
    posts: [...state?.posts ?? options.posts ?? []],
    completions: [],
    now,
    serviceNow,
  };

  const service: EmulatedService = {
    url: `${url.origin}${url.pathname.replace(/\/$/, '')}`,
    port: listener.port,
    publicKey: context.publicKey,
    secretKey: context.secretKey,
    forums: context.forums,
    redirectUris: context.redirectUris,
    readers: context.readers,
    alreadyGranted: context.alreadyGranted,
    posts: context.posts,
    completions: context.completions,
    requests: arrivals.requests,
    faults,
    clockOffsetMs: 0,
    openerPolicy: options.openerPolicy,
    issueReturn: issueRegisteredReturn,
    revokeTokensOf: (userId) => context.grants.revokeTokensOf(userId),
    whenReceived: (endpoint) => arrivals.next(endpoint),
    whenSettled: () => lateActions.whenSettled(),
    down: () => listener.down(),
    up: () => listener.up(),
    async [Symbol.asyncDispose]() {
      lateActions.cancel();
      await listener.down();
    },
  };
  listener.onRequest(createRequestListener({
    context, arrivals, faults, lateActions,
    openerPolicy: () => service.openerPolicy,
    save: () => { if (stateFile !== undefined) writeState(stateFile, { posts: context.posts, tokens: context.grants.tokens }); },
  }));
  return service;

  function issueRegisteredReturn({ redirectUri, user }: { readonly redirectUri: string; readonly user?: Reader }): ReturnParams {
    if (!context.redirectUris.has(redirectUri)) throw new Error('redirectUri is not registered with the emulated service');
    const reader = user ?? context.readers[0];
    if (!reader) throw new Error('the emulated service has no reader');
    return issueReturn(context, reader, redirectUri);
  }
}
