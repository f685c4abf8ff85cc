/**
 * Creates a post on behalf of a reader (interface 4.1): one intent, one post
 * (draft-ietf-httpapi-idempotency-key-header). The intent is durable before the request leaves, the result before the reader gets
 * it, unless the store fails in between: the reader who has a post is told so in any case.
 *
 *     absent ──▶ started ──▶ done (a post, or a final problem)
 *                  └──▶ absent, if the service certainly created nothing
 *
 * A request that loses its store writes the outcome in the background, when the store is back. A crash leaves `started`, which is
 * `post-in-progress` while a request can be at work, and `outcome-unknown` from then on.
 */

import type { NewPost, Post, PostCreated, ProblemType } from '@vestibule/shared';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { HookClient } from '../config/types.ts';
import type { HookReader, Hooks } from '../hooks/hooks.ts';
import { sha256, type KeyedHashes } from '../lib/identifiers.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError, replayedProblem, storedProblem, toProblemError, type StoredProblem } from '../problem.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Reader, Sessions } from '../session/session.ts';
import type { Param } from '../signing/sign-request.ts';
import { isYounger, type Found, type RecordId, type Records } from '../store/records.ts';
import { ignoreUnavailableStore, STORE_MARGIN_MS, writeLater } from '../store/store.ts';
import { listedPost } from './entry.ts';
import { rejection } from './parse.ts';

export interface PostRecord {
  /** Hash of what is posted. */
  readonly body: string;
  /** Id of the request that began it, for the log. */
  readonly request_id: string;
  readonly result?: { readonly post: Post } | StoredProblem;
}

/** A post that a reader wants. */
export interface Intent {
  readonly draft: NewPost;
  readonly reader: Reader;
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** For the log. */
  readonly requestId: string;
  /** Of the reader, for hooks. */
  readonly client: HookClient;
  /** BCP 47 tags of the reader, best first. */
  readonly languages: readonly string[];
}

/** Problems that certainly stay the same, or might hide that a post was created. */
const finalProblems: readonly ProblemType[] = ['post-rejected', 'service-refused', 'outcome-unknown'];

/** How long a key is remembered, in ms. The widget relies on it. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface PostCreatorDeps {
  readonly config: Pick<Config, 'serviceTimeoutMs' | 'threads'>;
  readonly records: Records<PostRecord>;
  readonly sessions: Pick<Sessions, 'callerOf'>;
  readonly service: Pick<ServiceClient, 'createPost'>;
  readonly hooks: Hooks;
  readonly userKeys: KeyedHashes;
  readonly metrics: Pick<Metrics, 'posts' | 'countFailure'>;
  readonly log: Pick<Logger, 'error'>;
}

export type CreatePost = ReturnType<typeof createPostCreator>;

export function createPostCreator({ config, records, sessions, service, hooks, userKeys, metrics, log }: PostCreatorDeps) {
  /** Longer than any request is in flight. */
  const workMs = config.serviceTimeoutMs + STORE_MARGIN_MS;
  /** Lifetime of `started`: it outlasts the request. */
  const startedMs = Math.max(KEY_LIFETIME_MS, 2 * workMs);
  return createPost;

  /** Creates the post of the intent's key at most once. @returns `replayed`: an earlier request with the key has created it
   *  @throws {ProblemError} those of the hook `prepare` and of the service; `post-in-progress`, `idempotency-key-reused`,
   *  `outcome-unknown` */
  async function createPost(intent: Intent): Promise<PostCreated & { readonly replayed: boolean }> {
    const id = recordIdOf(intent);
    const reader = sessions.callerOf(intent.reader);
    const { post, replayed } = await metrics.posts.countOutcomeOf(
      () => createOnce(id, intent, reader), (done) => (done.replayed ? 'replayed' : 'created'),
    );
    const listed = await listedOf(intent, post, reader).catch((error: unknown) => {
      const { type, diagnosis, options } = toProblemError(error);
      metrics.countFailure('post', type);
      log.error({ request_id: intent.requestId, ...diagnosis, err: options.cause }, 'posts.created failed; the post is there');
      return undefined;
    });
    return { post, replayed, ...(listed && { listed }) };
  }

  async function createOnce(
    id: RecordId, intent: Intent, reader: HookReader,
  ): Promise<{ readonly post: Post; readonly replayed: boolean }> {
    const { draft, requestId } = intent;
    const { forum, message, page = '', parent } = draft;
    const body = sha256(forum, message, page, ...(parent === undefined ? [] : [parent]));
    const started: PostRecord = { body, request_id: requestId };
    const known = hooks.has('posts.prepare') && await records.find(id);
    if (known) return replay(known, started.body);
    // Another request with the key may have passed its `prepare`: then the rejection is not stored.
    const params = await prepare(intent, reader).catch(async (error: unknown) => {
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
      post = await service.createPost(draft, reader.token, params);
    } catch (error) {
      if (toProblemError(error).type === 'not-signed-in') await reader.end();
      await end(finalProblemOf(error, started));
      throw error;
    }
    await end({ post });
    return { post, replayed: false };
  }

  /** Parameters of the hook, signed beside those of the post. Runs before the intent is stored. */
  async function prepare({ draft, reader: { user }, client, languages }: Intent, reader: HookReader): Promise<Param[]> {
    if (!hooks.has('posts.prepare')) return [];
    const result = await hooks.run('posts.prepare', { ...draft, user, client }, reader);
    const refusal = `posts.prepare refused the post${draft.page === undefined ? ', which has no page' : ''}`;
    if (!result.ok) throw rejection(result.reason, languages, config, refusal);
    return Object.entries(result.params ?? {})
      .flatMap(([name, value]): Param[] => (value === undefined ? [] : [[name, String(value)]]));
  }

  /** The entry of the new post. @throws {ProblemError} of the hook `created` */
  async function listedOf({ draft, reader: { user } }: Intent, post: Post, reader: HookReader): Promise<PostCreated['listed']> {
    if (!hooks.has('posts.created')) return post['isApproved'] === false ? { state: 'pending' } : undefined;
    const entry = await hooks.run('posts.created', { ...draft, post, user }, reader);
    // The claimed id of an unproven reader may be somebody else's.
    return entry ? { ...listedPost(entry, user.proven === false ? undefined : userKeys.keyOf), state: entry.state ?? 'published' } : undefined;
  }

  function replay(found: Found<PostRecord>, given: string) {
    const { body, result, request_id } = found.record;
    if (body !== given) throw new ProblemError('idempotency-key-reused');
    if (result && 'post' in result) return { post: result.post, replayed: true };
    if (result) throw replayedProblem(result);
    if (isYounger(found, startedMs, workMs)) throw new ProblemError('post-in-progress', { retryAfterSeconds: 1 });
    throw new ProblemError('outcome-unknown', { diagnosis: {
      reason: 'the server ended, or lost its store, while it worked on the post',
      setting: 'log lines of first_request_id', first_request_id: request_id,
    } });
  }
}

/** Of a proven reader: the same after a new sign-in and under other cookie secrets. */
function recordIdOf({ reader: { user, session }, key }: Intent): RecordId {
  const tag = sha256(user.user_id);
  return { tag, id: sha256(session.isUnproven ? session.readerKey : tag, key) };
}

/** What every identical request gets too; `undefined`: certainly nothing happened. */
function finalProblemOf(error: unknown, { request_id }: PostRecord): StoredProblem | undefined {
  const problem = error instanceof ProblemError ? error : new ProblemError('outcome-unknown');
  return finalProblems.includes(problem.type) ? storedProblem(problem, request_id) : undefined;
}
