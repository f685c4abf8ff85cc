/**
 * The parts of the comment box in chunks of their own: the second stage on intent, or near the viewport where a session, a draft
 * or a return from signing in is expected; the thread near the viewport, or where the address names a comment.
 */

import type { ReactiveController } from 'lit';
import { withShared } from '../chunks.ts';
import { bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { near } from '../lib/near.ts';
import { Part } from '../lib/part.ts';
import { isReturn, isSignOutOpen, needsSecondStage } from '../storage/storage.ts';
import { findDrafts } from '../storage/typed.ts';
import type { threadInBox } from '../thread/thread-in-box.ts';
import type { CommentsHost, SecondStage } from './second-stage.ts';
import type { SignInPress } from './sign-in-press.ts';

/** How far from the viewport the other parts are requested: one screen. */
const NEAR = '100% 0px';

/** How long a part that has loaded waits for its phrases, in ms: a language that hangs stops nobody. */
const PHRASES_MS = 3_000;

/** `<vestibule-comments>`, as far as its parts need it. */
export interface PartsHost extends CommentsHost {
  readonly showPosts: boolean;
  readonly signInPress: SignInPress;
}

export class BoxParts implements ReactiveController {
  /** The box has come near the viewport, or its second stage is wanted all the same. */
  isNear = false;
  readonly #host: PartsHost;
  readonly #viewport = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) this.approach();
  }, near(NEAR));

  readonly #stage: Part<SecondStage>;
  readonly #thread: Part<typeof threadInBox>;

  constructor(host: PartsHost) {
    this.#host = host;
    const onChange = (): void => host.requestUpdate();
    this.#stage = new Part(async () => {
      await host.updateComplete;
      const { CommentsController } = await this.#withPhrases(import('./comments-controller.ts'));
      await host.signInPress.left;
      return new CommentsController(host);
    }, { onChange, onFailure: (error) => this.report(error) });
    this.#thread = new Part(async () => {
      const { threadInBox } = await this.#withPhrases(import('../thread/thread-in-box.ts'));
      return threadInBox;
    }, { onChange, onFailure: (error) => this.report(error) });
    host.addController(this);
  }

  get second(): SecondStage | undefined {
    return this.#stage.module;
  }

  get hasStageFailed(): boolean {
    return this.#stage.hasFailed && !this.second;
  }

  get thread(): typeof threadInBox | undefined {
    return this.#thread.module;
  }

  get hasThreadFailed(): boolean {
    return this.#thread.hasFailed && !this.thread;
  }

  /** The second stage is loaded without intent: the reader may be signed in, or comes back from signing in. */
  get isExpected(): boolean {
    return needsSecondStage(bffAddress(this.#host.bff));
  }

  hostConnected(): void {
    addEventListener('online', this.#retry);
    addEventListener('hashchange', this.#followLink);
    // The observer reports after a frame: a language that is cached would replace English on the screen.
    const { top } = this.#host.getBoundingClientRect();
    if (this.#host.checkVisibility() && Math.abs(top) < innerHeight) this.approach();
    else this.#viewport.observe(this.#host);
    this.#followLink();
    this.expect();
  }

  hostDisconnected(): void {
    removeEventListener('online', this.#retry);
    removeEventListener('hashchange', this.#followLink);
    this.#viewport.disconnect();
  }

  hostUpdated(): void {
    if (this.isNear && this.#host.showPosts && !this.#thread.module && !this.#thread.hasFailed) this.#loadThread();
  }

  approach(): void {
    if (this.isNear) return;
    this.isNear = true;
    this.#viewport.disconnect();
    this.#host.requestUpdate();
    if (this.#host.hasUpdated) this.expect();
  }

  /** Loads the second stage without intent: at once for a return, for a post that was in flight, or for a sign-out that has not
   *  reached the BFF; near the viewport also with a draft, or if this browser was signed in before. */
  expect(): void {
    const base = bffAddress(this.#host.bff);
    const drafts = findDrafts(base);
    const isUrgent = isReturn() || isSignOutOpen(base) || drafts.hasEntries || this.#host.parent !== '';
    if (isUrgent || (this.isNear && (drafts.hasText || this.#host.typed.read() || this.isExpected))) this.act(() => {});
  }

  /** Synchronous once the second stage is loaded: a browser opens a window only in the press itself.
   *  @param abandon runs instead of `action` where the second stage does not load, or the box was removed before */
  act(action: (second: SecondStage) => void, isWanted = false, abandon?: () => void): void {
    if (this.#thread.hasFailed) this.#loadThread();
    this.#host.localizer.retry(isWanted);
    if (this.second) return action(this.second);
    this.approach();
    this.#stage.load(isWanted).then((second) => {
      if (this.#host.isConnected) action(second);
      else abandon?.();
    }, abandon ?? (() => {}));
  }

  /** Rejects if the second stage cannot be loaded. */
  async loadSecond(): Promise<SecondStage> {
    this.approach();
    return this.#stage.load(true);
  }

  /** One event for one failure. */
  report(error: unknown): void {
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error('Vestibule: a part of the box does not load (chunk-missing)', error);
    this.#host.dispatchEvent(new VestibuleErrorEvent(networkProblem));
  }

  #loadThread(isWanted = false): void {
    this.#thread.load(isWanted).catch(() => {});
  }

  /** The first texts of `chunk` are in the reader's language. */
  async #withPhrases<Module>(chunk: Promise<Module>): Promise<Module> {
    const module = await withShared(chunk);
    await Promise.race([this.#host.localizer.ready(), new Promise((resolve) => { setTimeout(resolve, PHRASES_MS); })]);
    return module;
  }

  /** The browser is online again. */
  readonly #retry = (): void => {
    if (this.#stage.hasFailed) void this.#stage.load(true).catch(() => {});
    if (this.#thread.hasFailed) this.#loadThread(true);
  };

  /** A link to a comment asks for the thread, wherever the box is. Of several boxes, the first is that of the address. */
  readonly #followLink = (): void => {
    const isFirst = this.#host === (this.#host.getRootNode() as ParentNode).querySelector('vestibule-comments');
    if (isFirst && location.hash.startsWith('#vestibule-comment-')) this.approach();
  };
}
