/**
 * One intent, one post (draft-ietf-httpapi-idempotency-key-header). The intent is durable before the request leaves, the result
 * before the reader gets it, unless the store fails in between: the reader who has a post is told so in any case.
 *
 *     absent ──▶ started ──▶ done (a post, or a final problem)
 *                  └──▶ absent, if the service certainly created nothing
 *
 * A request that loses its store writes the outcome in the background, when the store is back. A crash leaves `started`, which is
 * `post-in-progress` while a request can be at work, and `outcome-unknown` from then on.
 */

import type { Post, ProblemType } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { replayedProblem, storedProblem, type StoredProblem } from '../outcome.ts';
import { ProblemError } from '../problem.ts';
import { isYounger, type Found, type RecordId, type Records } from '../store/records.ts';
import { ignoreUnavailableStore, STORE_MARGIN_MS, writeLater } from '../store/store.ts';

export interface PostRecord {
  /** Hash of what is posted. */
  readonly body: string;
  /** Id of the request that began it, for the log. */
  readonly request_id: string;
  readonly result?: { readonly post: Post } | StoredProblem;
}

export interface Intent<P> {
  /** The reader and the key. */
  readonly id: RecordId;
  /** `body` and `request_id` of the record. */
  readonly started: PostRecord;
  /** Runs before the intent is stored. Its `post-rejected` belongs to the key: a repeated request gets it again. */
  readonly prepare?: (() => Promise<P>) | undefined;
  readonly create: (prepared: P | undefined) => Promise<Post>;
}

interface Created {
  readonly post: Post;
  /** An earlier request with the key created it. */
  readonly replayed: boolean;
}

/** Problems that certainly stay the same, or might hide that a post was created. */
const finalProblems: readonly ProblemType[] = ['post-rejected', 'service-refused', 'outcome-unknown'];

/** How long a key is remembered, in ms. The widget relies on it. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export function createOnce(records: Records<PostRecord>, config: Pick<Config, 'serviceTimeoutMs'>) {
  /** Longer than any request is in flight. */
  const workMs = config.serviceTimeoutMs + STORE_MARGIN_MS;
  /** Lifetime of `started`: it outlasts the request. */
  const startedMs = Math.max(KEY_LIFETIME_MS, 2 * workMs);

  /** Creates the post of the intent's key at most once.
   *  @throws {ProblemError} those of `prepare` and `create`; `post-in-progress`, `idempotency-key-reused`, `outcome-unknown` */
  return async <P>({ id, started, prepare, create }: Intent<P>): Promise<Created> => {
    const known = prepare && await records.find(id);
    if (known) return replay(known, started.body);
    // Another request with the key may have passed its `prepare`: then a rejection is not stored.
    const prepared = await prepare?.().catch(async (error: unknown) => {
      const result = finalProblemOf(error, started);
      if (result?.problem === 'post-rejected') await records.create(id, { ...started, result }, KEY_LIFETIME_MS);
      throw error;
    });
    const own = await records.create(id, started, startedMs).catch((error: unknown) => {
      // Nothing was sent; the write may have been applied.
      writeLater(async () => {
        const found = await records.find(id);
        if (found && !found.record.result && found.record.request_id === started.request_id) await records.delete(id, found);
      });
      throw error;
    });
    if (!own) {
      const other = await records.find(id);
      if (other) return replay(other, started.body);
      // The record of a secret that was dropped: whether it was posted is unknown.
      const reason = 'the record of an earlier request cannot be read';
      throw new ProblemError('outcome-unknown', { diagnosis: { reason, setting: 'VESTIBULE_COOKIE_SECRETS' } });
    }
    /** @param result `undefined`: certainly nothing happened */
    const end = async (result: PostRecord['result']): Promise<void> => {
      const write = () => (
        result ? records.compareAndSet(id, own, { ...started, result }, KEY_LIFETIME_MS) : records.delete(id, own)
      );
      await write().catch((error: unknown) => {
        ignoreUnavailableStore(error);
        writeLater(write);
      });
    };
    let post: Post;
    try {
      post = await create(prepared);
    } catch (error) {
      await end(finalProblemOf(error, started));
      throw error;
    }
    await end({ post });
    return { post, replayed: false };
  };

  function replay(found: Found<PostRecord>, given: string): Created {
    const { body, result, request_id } = found.record;
    if (body !== given) throw new ProblemError('idempotency-key-reused');
    if (result && 'post' in result) return { post: result.post, replayed: true };
    if (result) throw replayedProblem(result);
    if (isYounger(found, startedMs, workMs)) throw new ProblemError('post-in-progress', { retryAfterSeconds: 1 });
    throw new ProblemError('outcome-unknown', { diagnosis: {
      reason: 'the BFF ended, or lost its store, while it worked on the post',
      setting: 'log lines of first_request_id', first_request_id: request_id,
    } });
  }
}

/** What every identical request gets too; `undefined`: certainly nothing happened. */
function finalProblemOf(error: unknown, { request_id }: PostRecord): StoredProblem | undefined {
  const problem = error instanceof ProblemError ? error : new ProblemError('outcome-unknown');
  return finalProblems.includes(problem.type) ? storedProblem(problem, request_id) : undefined;
}
