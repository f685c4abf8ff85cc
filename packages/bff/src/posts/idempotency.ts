/**
 * One intent, one post (draft-ietf-httpapi-idempotency-key-header). The intent is durable before the request leaves, the result
 * before the reader gets it, unless the store fails in between: the reader who has a post is told so in any case.
 *
 *     absent ──▶ started ──▶ done (a post, or a final problem)
 *                  └──▶ absent, if the service certainly created nothing
 *
 * A crash leaves `started`, which is `post-in-progress` while a request can be at work, and `outcome-unknown` from then on.
 */

import type { Post, ProblemType } from '@vestibule/shared';
import { ProblemError, replayedProblem } from '../http/problem.ts';
import { InFlight } from '../lib/in-flight.ts';
import type { Found, RecordId, Records } from '../store/records.ts';
import { ignoreUnavailableStore } from '../store/store.ts';

export interface PostRecord {
  /** Hash of what is posted; the text itself is not stored. */
  readonly body: string;
  /** Id of the request that began it, for the log. */
  readonly request_id: string;
  readonly result?: { readonly post: Post } | { readonly problem: ProblemType; readonly detail: string };
}

export interface Intent {
  /** The reader and the key. */
  readonly id: RecordId;
  readonly body: string;
  readonly requestId: string;
}

export interface Work<P> {
  /** Runs before the intent is stored. Its `post-rejected` belongs to the key: a repeated request gets it again. */
  readonly prepare?: (() => Promise<P>) | undefined;
  readonly create: (prepared: P | undefined) => Promise<Post>;
}

export interface Once {
  readonly post: Post;
  /** Whether an earlier request with the key created it. */
  readonly replayed: boolean;
}

export interface IdempotencyDeps {
  readonly records: Records<PostRecord>;
  /** How long the result of a key is kept, in ms. */
  readonly lifetimeMs: number;
  /** Longer than any request is in flight, in ms. */
  readonly workMs: number;
}

/** Problems that every repeated request gets too. */
const finalProblems: readonly ProblemType[] = ['post-rejected', 'service-refused', 'bad-service-response', 'outcome-unknown'];

const unreadable = { reason: 'the record of an earlier request cannot be read', setting: 'VESTIBULE_COOKIE_SECRETS' };

export class Idempotency {
  readonly #deps: IdempotencyDeps;
  readonly #inFlight = new InFlight();
  /** Lifetime of `started`: it outlasts the request. */
  readonly #startedMs: number;

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
    this.#startedMs = Math.max(deps.lifetimeMs, 2 * deps.workMs);
  }

  /** Creates the post of the intent's key at most once.
   *  @throws {ProblemError} those of `work`; `post-in-progress`, `idempotency-key-reused`, `outcome-unknown` */
  once<P>(intent: Intent, work: Work<P>): Promise<Once> {
    return this.#inFlight.run(() => this.#once(intent, work));
  }

  /** Resolves when no post is in flight, even one whose reader has gone. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  async #once<P>(intent: Intent, { prepare, create }: Work<P>): Promise<Once> {
    const { id, body } = intent;
    const { records, lifetimeMs } = this.#deps;
    const earlier = prepare && await records.find(id);
    if (earlier) return this.#replay(earlier, body);
    const prepared = prepare && await this.#prepare(intent, prepare);
    const started: PostRecord = { body, request_id: intent.requestId };
    const own = await this.#start(id, started);
    if (!own) return this.#replayOther(id, body);
    let post: Post;
    try {
      post = await create(prepared);
    } catch (error) {
      const { type, detail } = error instanceof ProblemError ? error : new ProblemError('outcome-unknown');
      await (finalProblems.includes(type)
        ? records.compareAndSet(id, own, { ...started, result: { problem: type, detail } }, lifetimeMs)
        : records.delete(id, own)).catch(ignoreUnavailableStore);
      throw error;
    }
    await records.compareAndSet(id, own, { ...started, result: { post } }, lifetimeMs).catch(ignoreUnavailableStore);
    return { post, replayed: false };
  }

  /** A rejection belongs to the key, unless another request with the key has passed its `prepare`. */
  async #prepare<P>({ id, body, requestId }: Intent, prepare: () => Promise<P>): Promise<P> {
    try {
      return await prepare();
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'post-rejected') {
        const result = { problem: error.type, detail: error.detail };
        await this.#deps.records.create(id, { body, request_id: requestId, result }, this.#deps.lifetimeMs);
      }
      throw error;
    }
  }

  /** Stores the intent; `undefined`: another request did.
   *  @throws {StoreUnavailableError} after it is removed in the background */
  async #start(id: RecordId, started: PostRecord): Promise<Found<PostRecord> | undefined> {
    const { records } = this.#deps;
    try {
      return await records.create(id, started, this.#startedMs);
    } catch (error) {
      // The write may have been applied, and nothing was sent.
      const remove = async () => {
        const found = await records.find(id);
        if (found && !found.record.result && found.record.request_id === started.request_id) await records.delete(id, found);
      };
      setTimeout(() => { remove().catch(() => undefined); }, 1_000).unref();
      throw error;
    }
  }

  async #replayOther(id: RecordId, body: string): Promise<Once> {
    const other = await this.#deps.records.find(id);
    if (other) return this.#replay(other, body);
    // The record of a secret that was dropped: whether it was posted is unknown.
    throw new ProblemError('outcome-unknown', { diagnosis: unreadable });
  }

  #replay({ record: { body, result, request_id }, restMs }: Found<PostRecord>, given: string): Once {
    if (body !== given) throw new ProblemError('idempotency-key-reused');
    if (result && 'post' in result) return { post: result.post, replayed: true };
    if (result) throw replayedProblem({ ...result, request_id });
    if (this.#startedMs - restMs <= this.#deps.workMs) throw new ProblemError('post-in-progress', { retryAfterSeconds: 1 });
    const reason = 'the BFF ended, or lost its store, while it worked on the post';
    throw new ProblemError('outcome-unknown', { diagnosis: { reason, setting: 'log lines of first_request_id', first_request_id: request_id } });
  }
}
