/**
 * Posts the text of the comment box (contract, `POST /posts`). A press of the main button allows requests for ten minutes: the
 * first one, and further attempts after `retryable` problems, with one `Idempotency-Key`. A request that was out when its page
 * was left is repeated once. Otherwise the reader decides about a text that may have been posted.
 *
 * The draft has the key and the time before a request leaves, and its outcome after it. One tab at a time sends.
 */

import type { NewPost, Post, PostCreated, User } from '@vestibule/shared';
import { BffError } from '../client/client.ts';
import { networkProblem, type WidgetProblem, type WidgetProblemType } from '../client/problem.ts';
import { VestibuleBeforePostEvent, VestibulePostedEvent } from '../later-events.ts';
import { alone } from '../lib/alone.ts';
import { backoffMs, delay } from '../lib/backoff.ts';
import { isPageLeft } from '../lib/page-left.ts';
import { randomKey } from '../lib/random-key.ts';
import type { Draft, Submission } from '../storage/draft.ts';
import { addOwnPost, readOwnPosts, signedOutAt } from '../storage/reader-records.ts';
import { claim, settle, type Press, type RequestOutcome } from '../storage/submission.ts';
import type { Box, CommentsHost } from './second-stage.ts';

/** Why a press posts nothing (more). `over`: its time is, or another tab has changed the text. `settled`: by another tab. `left`:
 *  the page has been left while the request was out. */
type Result = PostCreated | BffError | 'over' | 'settled' | 'left';

/** Longest `page` that the BFF accepts, in characters. */
const PAGE_MAX_LENGTH = 2048;

/** How long after the press its text may be sent. */
const PRESS_MS = 10 * 60_000;

const ATTEMPTS = 5;
/** If the BFF asks for a longer wait, the post fails instead. */
const LONGEST_WAIT_SECONDS = 60;

/** What a problem says of its request; of others, that nothing was carried out. */
const outcomes: { readonly [Type in WidgetProblemType]?: RequestOutcome } = {
  network: 'unknown', 'internal-error': 'unknown', 'post-in-progress': 'unknown', 'bad-service-response': 'unknown',
  'outcome-unknown': 'spent', 'idempotency-key-reused': 'spent',
  'service-refused': 'refused', 'post-rejected': 'refused',
};

export class Posting {
  readonly #host: CommentsHost;
  readonly #box: Box;
  #pressedAt = 0;
  #run: AbortController | undefined;

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
  }

  /** The reader presses a button that posts. */
  press(): void {
    this.#pressedAt = Date.now();
  }

  submit(): void {
    const { draft, field, parent } = this.#host;
    const text = field.value.toWellFormed();
    if (!this.#host.dispatchEvent(new VestibuleBeforePostEvent(text, parent || undefined))) return this.#box.send({ type: 'stop' });
    if (draft.text !== text) draft.edit(text);
    void this.#start({ text, key: randomKey(), pressedAt: this.#pressedAt });
  }

  /** A request is out: of an earlier page, or of another tab. Repeats that of a page that was left. */
  resume(): void {
    const { submission, text } = this.#host.draft;
    if (!submission?.sentAt || this.#run || this.#box.state.phase.name !== 'writing') return;
    const isRepeatable = submission.text === text && !submission.isRepeated && isFresh(submission);
    if (isRepeatable) void this.#start(submission, true);
    else void this.#giveUp(submission);
  }

  /** The text stays in the draft. A request that is out goes on, and settles the draft. */
  abort(): void {
    this.#run?.abort();
    this.#run = undefined;
  }

  async #giveUp(submission: Submission): Promise<void> {
    const { draft } = this.#host;
    const { signal } = this.#run = new AbortController();
    await alone(draft.storageKey, signal, async () => settle(draft, 'unknown', submission)).catch(() => {});
    if (signal.aborted) return;
    this.#run = undefined;
    // The tab that sent it may have stored the outcome in the meantime.
    this.#follow(draft);
  }

  async #start(press: Press, isRepetition = false): Promise<void> {
    const { draft } = this.#host;
    this.abort();
    const { signal } = this.#run = new AbortController();
    const result = await this.#post(draft, press, isRepetition, draft.submission, signal).catch((error: unknown) => {
      if (!signal.aborted) reportError(error);
      return new BffError(networkProblem);
    });
    if (signal.aborted) return this.#follow(draft);
    this.#run = undefined;
    this.#finish(result, press, isRepetition);
  }

  /** The request went on without the box. */
  #follow(draft: Draft): void {
    const host = this.#host;
    if (host.draft !== draft) return;
    this.#box.drafts.show();
    host.ownPosts = readOwnPosts(draft);
    this.#box.send({ type: 'followed' });
  }

  /** @param seen what was open when the reader pressed */
  async #post(
    draft: Draft, press: Press, isRepetition: boolean, seen: Submission | undefined, signal: AbortSignal,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await alone(draft.storageKey, signal, async () => {
        signal.throwIfAborted();
        draft.follow();
        // A request of a page that was left, longer ago than it is repeated.
        if (attempt === 1 && draft.isOut && !isFresh(draft.submission!)) settle(draft, 'unknown');
        if (isRepetition && !isOut(draft.submission, press, attempt)) return 'settled';
        // Another tab has sent the text meanwhile, and it may have been posted: the reader decides first.
        if (!isRepetition && draft.isUnsure && !(attempt > 1 ? draft.submission!.key : isSame(draft.submission!, seen))) return 'over';
        return this.#attempt(draft, press, isRepetition);
      });
      signal.throwIfAborted();
      if (!(result instanceof BffError)) return result;
      const isAgain = !isRepetition || result.type === 'post-in-progress';
      const waitMs = isAgain ? waitBeforeRetry(result, attempt) : undefined;
      if (waitMs === undefined) return result;
      this.#box.send({ type: 'progress', retryInSeconds: Math.ceil(waitMs / 1000) });
      await delay(waitMs, signal);
    }
  }

  async #attempt(draft: Draft, press: Press, isRepetition: boolean): Promise<Result> {
    const { bff, account, page } = draft.key;
    if (draft.text !== press.text || !isFresh(press) || signedOutAt(bff)! > press.pressedAt) {
      // The request of the page that was left may have been carried out: the reader decides.
      if (isRepetition) settle(draft, 'unknown', press);
      return 'over';
    }
    const { forum, parent, localizer } = this.#host;
    const userId = account || this.#box.account;
    const post: NewPost = {
      forum, message: press.text,
      ...(page.length <= PAGE_MAX_LENGTH && { page }), ...(parent && { parent }), ...(userId && { expected_user_id: userId }),
    };
    const { client, view } = this.#box.store;
    const isOnline = navigator.onLine;
    const key = claim(draft, press, isRepetition);
    this.#box.send({ type: 'progress', retryInSeconds: undefined });
    try {
      const created = await client.createPost(post, key, { language: localizer.tag });
      settle(draft, 'posted', { key, text: press.text });
      keepPost(draft, press, created, key, view?.user);
      return created;
    } catch (error) {
      if (!(error instanceof BffError)) throw error;
      if (isPageLeft()) return 'left';
      const isUnsent = error.type === 'network' && !isOnline;
      settle(draft, isUnsent ? 'nothing' : outcomes[error.type] ?? 'nothing', { key, text: press.text });
      return error;
    }
  }

  #finish(result: Result, { key, text }: Press, isRepetition: boolean): void {
    const host = this.#host;
    const { draft } = host;
    if (result === 'left') {
      addEventListener('pageshow', () => {
        this.#box.send({ type: 'over' });
        this.resume();
      }, { once: true });
      return;
    }
    // Another tab may have written meanwhile.
    this.#box.drafts.show();
    if (result === 'over' || result === 'settled') {
      host.ownPosts = readOwnPosts(draft);
      const isPosted = draft.text !== text && host.ownPosts.some((post) => post.key === key);
      return this.#box.send(isPosted ? { type: 'posted', isPending: false } : { type: 'over' });
    }
    if (!(result instanceof BffError)) {
      const parent = host.parent || undefined;
      host.ownPosts = readOwnPosts(draft);
      this.#box.send({ type: 'posted', isPending: result.listed?.state === 'pending' });
      host.dispatchEvent(new VestibulePostedEvent(result, parent));
      if (parent) host.dispatchEvent(new Event('close'));
      return;
    }
    const { problem } = result;
    if (problem.type === 'urn:vestibule:user-changed') this.#adoptChangedUser(problem);
    if (draft.isUnsure) this.#box.send({ type: 'unconfirmed', problem, isPressed: !isRepetition });
    else this.#box.send({ type: 'not-posted', problem, isOnline: navigator.onLine });
    this.#box.report(problem);
  }

  /** Another account has signed in since the session was requested. The text stays the draft of the account that was shown. */
  #adoptChangedUser({ user }: WidgetProblem): void {
    const { view } = this.#box.store;
    if (view && user) this.#box.store.adopt({ state: 'signed-in', user, limits: view.limits });
    void this.#box.store.refresh();
  }

  /** The reader has found the comment that may have been posted. */
  clear(): void {
    settle(this.#host.draft, 'posted');
    this.#box.drafts.show();
  }
}

/** The request of an earlier page is still to be repeated, or its repetition here waits for the BFF. */
function isOut(open: Submission | undefined, { key }: Press, attempt: number): boolean {
  return open?.key === key && (attempt > 1 || (open.sentAt !== undefined && !open.isRepeated));
}

function isSame({ key }: Submission, seen: Submission | undefined): boolean {
  return seen?.key === key && seen.sentAt === undefined;
}

function isFresh({ pressedAt }: Pick<Press, 'pressedAt'>): boolean {
  return Date.now() - pressedAt < PRESS_MS;
}

/** A reader who has signed out since leaves nothing. */
function keepPost(
  draft: Draft, { text, pressedAt }: Press, { post, listed }: PostCreated, key: string, user: User | undefined,
): void {
  if (!user || signedOutAt(draft.key.bff)! > pressedAt) return;
  addOwnPost(draft, { key, id: idOf(post), user, message: text, at: Date.now(), parent: draft.key.parent || undefined, listed });
}

/** Milliseconds until the next attempt; `undefined`: none. */
function waitBeforeRetry(error: BffError, attempt: number): number | undefined {
  if (!error.problem.retryable || attempt === ATTEMPTS || !navigator.onLine) return undefined;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return undefined;
  return backoffMs(attempt, error.retryAfterSeconds);
}

/** The interface guarantees no id. */
function idOf({ id }: Post): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
