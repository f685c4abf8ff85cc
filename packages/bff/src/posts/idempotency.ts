/**
 * One intent, one post (draft-ietf-httpapi-idempotency-key-header). The intent is durable before the request leaves, the
 * result before the reader gets it, unless the store fails in between.
 *
 *     absent ──▶ started ──▶ done (a post, or a final problem)
 *                  └──▶ absent, if the service certainly created nothing
 *
 * State after a crash: before `started`, nothing, and the same request starts over; after it, `started`,
 * which ends as `outcome-unknown` once no request can be in flight any more; after `done`, the result.
 */

import { randomUUID } from 'node:crypto';
import type { Post, ProblemType } from '@vestibule/shared';
import { ProblemError, replayedProblem } from '../http/problem-error.ts';
import { InFlight } from '../lib/in-flight.ts';
import type { Clock } from '../lib/time.ts';
import type { EncryptedCollection, Found } from '../store/encrypted-collection.ts';
import { ignoreUnavailableStore, StoreUnavailableError, withStoreRetries } from '../store/store.ts';

interface RecordBase {
  readonly body: string;
  /** Absent in records of earlier releases. */
  readonly user_id?: string;
  /** Id of the request that began it, for the log. Absent in records of earlier releases. */
  readonly request_id?: string;
}

export type IdempotencyRecord = RecordBase & (
  /** `attempt`: unique to the request that started it. `lifetime_ms`: of the record, whose rest tells the age; absent in records
   *  of earlier releases. */
  | { readonly state: 'started'; readonly attempt: string; readonly lifetime_ms?: number }
  | { readonly state: 'done'; readonly result: Result }
);

type Started = IdempotencyRecord & { readonly state: 'started' };

type Result =
  | { readonly post: Post }
  | { readonly problem: ProblemType; readonly detail: string };

export interface Intent {
  /** Identifies the key among all readers' keys. */
  readonly scope: string;
  /** Hash of what is posted; the text itself is not stored. */
  readonly body: string;
  /** Attributes the record to its reader, for `readers export|delete`. */
  readonly userId: string;
  readonly requestId: string;
}

export interface Work<P> {
  /** A reason to refuse new intents now, without a write. */
  readonly refusal: () => ProblemError | undefined;
  /** Runs before the intent is stored. Its `post-rejected` belongs to the key: a repeated request gets it again. */
  readonly prepare?: (() => Promise<P>) | undefined;
  readonly create: (prepared: P | undefined) => Promise<Post>;
}

export interface Once {
  readonly post: Post;
  /** Whether an earlier request with the key created it. */
  readonly replayed: boolean;
}

export interface IdempotencySettings {
  /** How long the result of a key is kept, in ms. */
  readonly lifetimeMs: number;
  /** Longer than any request is in flight, in ms. */
  readonly workMs: number;
}

/** Problems that every repeated request gets too. */
const finalProblems: readonly ProblemType[] = ['post-rejected', 'service-refused', 'bad-service-response', 'outcome-unknown'];

export class Idempotency {
  readonly #records: EncryptedCollection<IdempotencyRecord>;
  readonly #settings: IdempotencySettings;
  readonly #now: Clock;
  readonly #inFlight = new InFlight();

  constructor(records: EncryptedCollection<IdempotencyRecord>, settings: IdempotencySettings, now: Clock = Date.now) {
    this.#records = records;
    this.#settings = settings;
    this.#now = now;
  }

  /** Creates the post of the intent's key at most once.
   *  @throws {ProblemError} those of `work`; `post-in-progress`, `idempotency-key-reused`, `outcome-unknown` */
  once<P>(intent: Intent, work: Work<P>): Promise<Once> {
    return this.#inFlight.run(() => this.#once(intent, work));
  }

  /** Lifetime of `started`, in ms: it outlasts the request. */
  get #startedMs(): number {
    return Math.max(this.#settings.lifetimeMs, 2 * this.#settings.workMs);
  }

  /** Resolves when no post is in flight, even one whose reader has gone. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  async #once<P>({ scope, body, userId, requestId }: Intent, { refusal, prepare, create }: Work<P>): Promise<Once> {
    const base = { body, user_id: userId, request_id: requestId };
    const refused = refusal();
    if (refused || prepare) {
      const found = await this.#records.find(scope);
      if (found) return this.#replay(found, body);
      if (refused) throw refused;
    }
    let prepared: P | undefined;
    try {
      prepared = await prepare?.();
    } catch (error) {
      return this.#reject(scope, base, error);
    }
    const started: Started = { ...base, state: 'started', attempt: randomUUID(), lifetime_ms: this.#startedMs };
    if (!await this.#start(scope, started)) {
      const other = await this.#records.find(scope);
      if (!other) throw new ProblemError('post-in-progress', { retryAfterSeconds: 1 });
      return this.#replay(other, body);
    }
    let post: Post;
    try {
      post = await create(prepared);
    } catch (error) {
      await this.#finish(() => this.#settle(scope, started, error));
      throw error;
    }
    // The post exists, so the reader is told so even while the store keeps `started`.
    await this.#finish(() => this.#records.put(scope, { ...base, state: 'done', result: { post } }, this.#settings.lifetimeMs));
    return { post, replayed: false };
  }

  /** Stores the intent; `false` if another request did. A write whose reply is lost is written again: replicas may lack it.
   *  @throws {StoreUnavailableError} the intent is not stored, or is removed again if the store is back within a minute */
  async #start(scope: string, record: Started): Promise<boolean> {
    try {
      return await this.#records.putIfAbsent(scope, record, this.#startedMs) !== undefined;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const found = await this.#findOwn(scope, record.attempt).catch(ignoreUnavailableStore);
      if (found && await this.#records.compareAndSet(scope, found, record).catch(ignoreUnavailableStore)) return true;
      if (error.mayHaveApplied) void this.#repeat(() => this.#remove(scope, record.attempt));
      throw error;
    }
  }

  /** Runs `step`. If the store is still down after the retries, repeats it after the response. */
  async #finish(step: () => Promise<unknown>): Promise<void> {
    await withStoreRetries(step).catch((error: unknown) => {
      ignoreUnavailableStore(error);
      void this.#repeat(step);
    });
  }

  /** Repeats `step` for about a minute while the store is down or it returns `false`. */
  async #repeat(step: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = 500; pauseMs <= LAST_PAUSE_MS; pauseMs *= 2) {
      await new Promise((resolve) => { setTimeout(resolve, pauseMs).unref(); });
      if (await step().then((result) => result !== false, (error: unknown) => !(error instanceof StoreUnavailableError))) return;
    }
  }

  /** The record as it is stored, unless another request's is there: a failover may have lost it and let another one start. */
  async #findOwn(scope: string, attempt: string): Promise<Found<IdempotencyRecord> | undefined> {
    const found = await this.#records.find(scope);
    return found?.record.state === 'started' && found.record.attempt === attempt ? found : undefined;
  }

  /** Removes the record of a post that was not created. `false`: it is not there, perhaps not yet. */
  async #remove(scope: string, attempt: string): Promise<boolean> {
    const found = await this.#findOwn(scope, attempt);
    return found !== undefined && this.#records.delete(scope, found);
  }

  #replay({ record, expiresAt }: Found<IdempotencyRecord>, body: string): Once {
    if (record.body !== body) throw new ProblemError('idempotency-key-reused');
    if (record.state === 'started') throw this.#unfinished(record, expiresAt);
    if ('post' in record.result) return { post: record.result.post, replayed: true };
    throw replayedProblem({ ...record.result, request_id: record.request_id });
  }

  /** Computes the age from the rest of the record's lifetime, which the store counts. */
  #unfinished({ request_id, lifetime_ms = this.#startedMs }: Started, expiresAt = 0): ProblemError {
    const ageMs = lifetime_ms - (expiresAt - this.#now());
    if (ageMs > this.#settings.workMs) {
      const diagnosis = { reason: 'the BFF ended, or lost its store, while it worked on the post', setting: 'log lines of first_request_id' };
      return new ProblemError('outcome-unknown', { diagnosis: { ...diagnosis, ...(request_id !== undefined && { first_request_id: request_id }) } });
    }
    return new ProblemError('post-in-progress', { retryAfterSeconds: ageMs < EARLY_RESPONSE_AFTER_MS ? 1 : STALLED_RETRY_SECONDS });
  }

  /** A rejection belongs to the key, unless another request with the key has passed its `prepare`. */
  async #reject(scope: string, base: RecordBase, error: unknown): Promise<Once> {
    if (error instanceof ProblemError && error.type === 'post-rejected') {
      const result = { problem: error.type, detail: error.detail };
      const written = await this.#records.putIfAbsent(scope, { ...base, state: 'done', result }, this.#settings.lifetimeMs);
      const other = written ? undefined : await this.#records.find(scope);
      if (other) return this.#replay(other, base.body);
    }
    throw error;
  }

  /** If the store stays down the record stays `started`, which ends as `outcome-unknown`: the post is never sent again. A problem
   *  does not replace what another request with the key stored after a failover had lost the record. */
  async #settle(scope: string, { attempt, lifetime_ms: _, ...base }: Started, error: unknown): Promise<void> {
    const { type, detail } = error instanceof ProblemError ? error : new ProblemError('outcome-unknown');
    const found = await this.#findOwn(scope, attempt);
    const done: IdempotencyRecord = { ...base, state: 'done', result: { problem: type, detail } };
    if (!finalProblems.includes(type)) await (found && this.#records.delete(scope, found));
    else if (found) await this.#records.compareAndSet(scope, found, done, this.#settings.lifetimeMs);
    else await this.#records.putIfAbsent(scope, done, this.#settings.lifetimeMs);
  }
}

/** Before the last attempt to write a result after the response. */
const LAST_PAUSE_MS = 32_000;

/** How long a reader waits in any case. */
export const EARLY_RESPONSE_AFTER_MS = 2_000;

const CHECK_INTERVAL_MS = 100;

/** `Retry-After` of the early response. Five attempts of the widget outlast the time limit of the service. */
export const STALLED_RETRY_SECONDS = 3;

/** Resolves or rejects as `work`, unless the service stalls.
 *  @param onLateFailure gets the failure of `work` after the early response
 *  @throws {ProblemError} `post-in-progress` if it stalls */
export async function respondEarly<T>(
  work: Promise<T>, isStalled: () => boolean, onLateFailure: (error: unknown) => void,
): Promise<T> {
  const { promise: stalled, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(check, EARLY_RESPONSE_AFTER_MS);
  try {
    return await Promise.race([work, stalled]);
  } finally {
    clearTimeout(timer);
  }

  function check(): void {
    if (!isStalled()) {
      timer = setTimeout(check, CHECK_INTERVAL_MS);
      return;
    }
    work.catch(onLateFailure);
    reject(new ProblemError('post-in-progress', { retryAfterSeconds: STALLED_RETRY_SECONDS }));
  }
}
