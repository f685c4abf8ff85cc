/**
 * Posts the text of the comment box (contract, `POST /posts`): one `Idempotency-Key` for a draft until a response settles its
 * outcome, and further attempts for `retryable` problems. Never repeats a request automatically that may have been carried out.
 */

import { isBlank, type NewPost, type Post, type PostCreated } from '@vestibule/shared';
import { BffError, type BffClient } from '../client/client.ts';
import { networkProblem, type WidgetProblem, type WidgetProblemType } from '../client/problem.ts';
import { VestibuleBeforePostEvent, VestibulePostedEvent } from '../events.ts';
import { backoffMs, delay } from '../lib/backoff.ts';
import { randomKey } from '../lib/random-key.ts';
import { Draft } from '../storage/draft.ts';
import { addOwnPost } from '../storage/reader-records.ts';
import type { Box, CommentsHost } from './second-stage.ts';

type SubmissionOutcome =
  | { readonly name: 'posted'; readonly created: PostCreated }
  /** Not posted. `isUncertain`: unknown until the next attempt, which has the same key. */
  | { readonly name: 'failed'; readonly problem: WidgetProblem; readonly isUncertain: boolean }
  /** Possibly posted. The reader checks and decides. */
  | { readonly name: 'unconfirmed'; readonly problem: WidgetProblem };

interface SubmissionOptions {
  readonly client: BffClient;
  readonly signal: AbortSignal;
  readonly language: string;
  /** Called before each attempt, and before each wait with its seconds. */
  readonly onProgress: (retryInSeconds: number | undefined) => void;
}

/** Longest `page` that the BFF accepts, in characters. */
const PAGE_MAX_LENGTH = 2048;

const ATTEMPTS = 5;
/** If the BFF asks for a longer wait, the post fails instead. */
const LONGEST_WAIT_SECONDS = 60;

/** The comment may have been posted. */
const UNCONFIRMED: readonly WidgetProblemType[] = ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'];

/** The request may have been carried out; another one with the same key settles it. */
const OPEN: readonly WidgetProblemType[] = ['network', 'internal-error', 'post-in-progress'];

/** The comment was not posted, by an earlier request with the same key either. */
const REFUSED: readonly WidgetProblemType[] = ['service-refused', 'post-rejected'];

export class Posting {
  readonly #host: CommentsHost;
  readonly #box: Box;
  #inFlight: AbortController | undefined;

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
  }

  submit(): void {
    const { draft, field, forum, parent, localizer } = this.#host;
    const message = field.value.toWellFormed();
    if (!this.#host.dispatchEvent(new VestibuleBeforePostEvent(message, parent || undefined))) return this.#box.send({ type: 'stop' });
    const { signal } = this.#inFlight = new AbortController();
    const { page, account } = draft.key;
    const userId = this.#box.account || account;
    const post = {
      forum, message,
      ...(page.length <= PAGE_MAX_LENGTH && { page }), ...(parent && { parent }), ...(userId && { expected_user_id: userId }),
    };
    const onProgress = (retryInSeconds?: number): void => this.#box.send({ type: 'progress', retryInSeconds });
    const options = { client: this.#box.store.client, signal, language: localizer.tag, onProgress };
    void submitPost(draft, post, options).catch((error: unknown): SubmissionOutcome => {
      if (!signal.aborted) reportError(error);
      return { name: 'failed', problem: networkProblem, isUncertain: true };
    }).then((outcome) => {
      if (signal.aborted) return;
      this.#inFlight = undefined;
      this.#finish(outcome, message);
    });
  }

  #finish(outcome: SubmissionOutcome, text: string): void {
    const host = this.#host;
    if (outcome.name === 'posted') {
      const { post, listed } = outcome.created;
      const { user } = this.#box.store.view ?? {};
      const parent = host.parent || undefined;
      if (user) host.ownPosts = addOwnPost(host.draft, { id: idOf(post), user, message: text, at: Date.now(), parent, listed });
      host.showDraft();
      this.#box.send({ type: 'posted', isPending: listed?.state === 'pending' });
      host.dispatchEvent(new VestibulePostedEvent(outcome.created, parent));
      if (parent) host.dispatchEvent(new Event('close'));
      return;
    }
    const { problem } = outcome;
    if (problem.type === 'urn:vestibule:user-changed') this.#adoptChangedUser(problem);
    if (outcome.name === 'unconfirmed') this.#box.send({ type: 'unconfirmed', text, problem });
    else this.#box.send({ type: 'not-posted', problem, isUncertain: outcome.isUncertain, isOnline: navigator.onLine });
    this.#box.report(problem);
  }

  /** Another account has signed in since the session was requested. The text stays the draft of the account that was shown. */
  #adoptChangedUser({ user }: WidgetProblem): void {
    const { view } = this.#box.store;
    if (view && user) this.#box.store.adopt({ state: 'signed-in', user, limits: view.limits });
    void this.#box.store.refresh();
  }

  /** Its text stays in the draft of its account. */
  abort(): void {
    const { draft } = this.#host;
    if (this.#inFlight && draft.isInFlight) {
      draft.isInFlight = false;
      draft.save();
    }
    this.#inFlight?.abort();
    this.#inFlight = undefined;
  }

  /** The reader has found the comment that may have been posted. */
  clear(text: string): void {
    clearPosted(this.#host.draft, text);
    this.#host.showDraft();
  }
}

/** Posts `post`, whose text is that of `draft`. Rejects with the reason of `signal` if that aborts. */
async function submitPost(draft: Draft, post: NewPost, options: SubmissionOptions): Promise<SubmissionOutcome> {
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
function clearPosted(draft: Draft, text: string): void {
  if (new Draft(draft.key).text && draft.text === text) {
    // Another tab may have stored a newer text, or posted this one too.
    const { other } = draft;
    draft.read();
    draft.offer(other);
  }
  if (draft.text === text || isBlank(draft.text)) draft.text = '';
  dropKey(draft);
}

/** The interface guarantees no id. */
function idOf({ id }: Post): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
