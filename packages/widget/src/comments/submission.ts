/**
 * Submission of a comment (contract, `POST /posts`): one `Idempotency-Key` for a draft until a response settles its outcome, and
 * further attempts for `retryable` problems. Never repeats a request automatically that may have been carried out.
 */

import { isBlank, type NewPost, type PostCreated } from '@vestibule/shared';
import { BffError, type BffClient } from '../client/client.ts';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';
import { Draft } from '../storage/draft.ts';
import { backoffMs, delay } from '../lib/backoff.ts';
import { randomKey } from '../lib/random-key.ts';

export type SubmissionOutcome =
  | { readonly name: 'posted'; readonly created: PostCreated }
  /** Not posted. `isUncertain`: unknown until the next attempt, which has the same key. */
  | { readonly name: 'failed'; readonly problem: WidgetProblem; readonly isUncertain: boolean }
  /** Possibly posted. The reader checks and decides. */
  | { readonly name: 'unconfirmed'; readonly problem: WidgetProblem };

export interface SubmissionOptions {
  readonly client: BffClient;
  readonly signal: AbortSignal;
  readonly language: string;
  /** Called before each attempt, and before each wait with its seconds. */
  readonly onProgress: (retryInSeconds: number | undefined) => void;
}

/** Longest `page` that the BFF accepts, in characters. */
export const PAGE_MAX_LENGTH = 2048;

const ATTEMPTS = 5;
/** If the BFF asks for a longer wait, the post fails instead. */
const LONGEST_WAIT_SECONDS = 60;

/** The comment may have been posted. */
const UNCONFIRMED: readonly WidgetProblemType[] = ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'];

/** The request may have been carried out; another one with the same key settles it. */
const OPEN: readonly WidgetProblemType[] = ['network', 'internal-error', 'post-in-progress'];

/** The comment was not posted, by an earlier request with the same key either. */
const REFUSED: readonly WidgetProblemType[] = ['service-refused', 'post-rejected'];

/** Posts `post`, whose text is that of `draft`. Rejects with the reason of `signal` if that aborts. */
export async function submitPost(draft: Draft, post: NewPost, options: SubmissionOptions): Promise<SubmissionOutcome> {
  let isOpen = claimKey(draft, post.message);
  let isUncertain = isOpen;
  const onOpen = (mayBePosted: boolean): void => {
    isOpen = true;
    isUncertain ||= mayBePosted;
  };
  try {
    const created = await send(draft.idempotencyKey!, post, options, onOpen);
    clearPosted(draft, post.message);
    return { name: 'posted', created };
  } catch (error) {
    if (!(error instanceof BffError)) throw error;
    const { type, problem } = error;
    draft.isInFlight = false;
    draft.save();
    if (UNCONFIRMED.includes(type)) return { name: 'unconfirmed', problem };
    if (!isOpen || type === 'service-refused') dropKey(draft);
    return { name: 'failed', problem, isUncertain: isUncertain && !REFUSED.includes(type) };
  }
}

/** @param onOpen called after each failure of `OPEN` */
async function send(
  key: string, post: NewPost, options: SubmissionOptions, onOpen: (mayBePosted: boolean) => void,
): Promise<PostCreated> {
  const { client, signal, language, onProgress } = options;
  for (let attempt = 1; ; attempt += 1) {
    onProgress(undefined);
    const isOnline = navigator.onLine;
    try {
      return await client.createPost(post, key, { signal, language });
    } catch (error) {
      if (!(error instanceof BffError)) throw error;
      if (OPEN.includes(error.type)) onOpen(error.type === 'post-in-progress' || (isOnline && error.type === 'network'));
      const waitMs = waitBeforeRetry(error, attempt);
      if (waitMs === undefined) throw error;
      onProgress(Math.ceil(waitMs / 1000));
      await delay(waitMs, signal);
    }
  }
}

/** Milliseconds until the next attempt; `undefined`: none. */
function waitBeforeRetry(error: BffError, attempt: number): number | undefined {
  if (!error.problem.retryable || attempt === ATTEMPTS || !navigator.onLine) return undefined;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return undefined;
  return backoffMs(attempt, error.retryAfterSeconds);
}

/** Stores a key with the draft before the request: the key of another tab for the same text, else its own.
 *  Returns whether a request with it may have been carried out. */
function claimKey(draft: Draft, text: string): boolean {
  const stored = new Draft(draft.key);
  if (stored.text === text) draft.idempotencyKey ??= stored.idempotencyKey;
  const isOpen = draft.idempotencyKey !== undefined;
  draft.idempotencyKey ??= randomKey();
  draft.text = text;
  draft.isInFlight = true;
  draft.save();
  return isOpen;
}

/** After a response that settles the outcome: the next request has another key. */
export function dropKey(draft: Draft): void {
  const key = draft.idempotencyKey;
  draft.idempotencyKey = undefined;
  draft.save();
  if (!key || draft.idempotencyKey !== key) return;
  // Another tab had stored the same key.
  draft.idempotencyKey = undefined;
  draft.save();
}

/** Empties the draft after `text` was posted. A newer text of the reader or of another tab stays. */
export function clearPosted(draft: Draft, text: string): void {
  if (new Draft(draft.key).text && draft.text === text) {
    // Another tab may have stored a newer text, or posted this one too.
    const { other } = draft;
    draft.read();
    draft.offer(other);
  }
  if (draft.text === text || isBlank(draft.text)) draft.text = '';
  dropKey(draft);
}
