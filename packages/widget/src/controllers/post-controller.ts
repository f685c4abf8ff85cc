/** The way of a comment to the service (contract, `POST /posts`): one request at a time, one `Idempotency-Key` for a
 *  text until an answer has settled what became of it, more tries where the BFF says that the same request may be sent
 *  again. Never sends again what may have been carried out. Draws nothing. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { NewPost, Post } from '@vestibule/shared';
import type { BffClient } from '../api/bff-client.ts';
import { BffError, type WidgetProblem, type WidgetProblemType } from '../api/problem.ts';
import { backoffMs, delay } from '../lib/backoff.ts';
import type { Draft } from '../lib/draft.ts';
import { claimKey, clearDraft, dropKey } from '../lib/draft-moves.ts';

/** What the controller needs of its element. */
export interface PostHost extends ReactiveControllerHost {
  readonly isConnected: boolean;
}

export interface PostPlace {
  readonly client: BffClient;
  readonly draft: Draft;
}

export type Posting =
  | { readonly step: 'idle' }
  | { readonly step: 'sending' }
  /** Another try comes in `seconds`. */
  | { readonly step: 'waiting'; readonly seconds: number }
  /** Not posted, or the reader may find out by trying again: the same key names the same comment. */
  | { readonly step: 'failed'; readonly problem: WidgetProblem }
  /** Perhaps posted. The reader looks and decides. */
  | { readonly step: 'unsure'; readonly problem: WidgetProblem };

const TRIES = 5;
/** A server that asks for more is not waited for: the reader is told. */
const LONGEST_WAIT_SECONDS = 60;

/** Answers that say that the comment may stand there already: the reader looks, and decides. */
const UNSURE: readonly WidgetProblemType[] = ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'];

/** Answers that leave open whether the request was carried out: another with the same key finds out. */
const OPEN: readonly WidgetProblemType[] = ['network', 'internal-error', 'post-in-progress'];

export class PostController implements ReactiveController {
  posting: Posting = { step: 'idle' };
  readonly #host: PostHost;
  #request: AbortController | undefined;
  /** A request with the current key may have been carried out: the key stays with the text. */
  #isOpen = false;

  constructor(host: PostHost) {
    this.#host = host;
  }

  get isBusy(): boolean {
    return this.#request !== undefined;
  }

  /** An element that is only moved is connected again before the microtask runs. */
  hostDisconnected(): void {
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.stop();
    });
  }

  /** Posts, and gives the service's record of the post; `undefined` where it did not come to that, and `posting` says
   *  why. A call while a request is under way does nothing. */
  async post(message: NewPost, { client, draft }: PostPlace): Promise<Post | undefined> {
    if (this.isBusy) return undefined;
    const { signal } = this.#request = new AbortController();
    const { key, isNew } = claimKey(draft, message.message);
    this.#isOpen = !isNew;
    try {
      const { post } = await this.#send(() => client.createPost(message, key, { signal }), signal);
      clearDraft(draft, message.message);
      this.#end({ step: 'idle' });
      return post;
    } catch (error) {
      if (signal.aborted) return undefined;
      this.#end({ step: 'idle' });
      if (!(error instanceof BffError)) throw error;
      const { type, problem } = error;
      const isUnsure = UNSURE.includes(type);
      if (!isUnsure && (!this.#isOpen || type === 'service-refused')) dropKey(draft);
      this.#go({ step: isUnsure ? 'unsure' : 'failed', problem });
      return undefined;
    }
  }

  /** Gives up waiting for an answer. The draft keeps its key, so that the next try posts nothing twice. */
  stop(): void {
    this.#request?.abort();
    this.#end({ step: 'idle' });
  }

  /** Leaves what came of the last try behind. */
  settle(): void {
    if (!this.isBusy) this.#go({ step: 'idle' });
  }

  async #send<Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      this.#go({ step: 'sending' });
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof BffError)) throw error;
        this.#isOpen ||= OPEN.includes(error.type);
        const ms = waitBefore(error, attempt);
        if (ms === undefined) throw error;
        this.#go({ step: 'waiting', seconds: Math.ceil(ms / 1000) });
        await delay(ms, signal);
      }
    }
  }

  #end(posting: Posting): void {
    this.#request = undefined;
    this.#go(posting);
  }

  #go(posting: Posting): void {
    this.posting = posting;
    this.#host.requestUpdate();
  }
}

/** Milliseconds until the next try; `undefined` where there shall be none. */
function waitBefore(error: BffError, attempt: number): number | undefined {
  if (!error.problem.retryable || attempt === TRIES || !navigator.onLine) return undefined;
  if ((error.retryAfterSeconds ?? 0) > LONGEST_WAIT_SECONDS) return undefined;
  return backoffMs(attempt, error.retryAfterSeconds);
}
