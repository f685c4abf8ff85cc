/**
 * `<vestibule-thread>`, an internal part of the comment box: the posts of an article.
 *
 * The posts are an ordered list, and each has a heading with its author's name. `role="feed"` is for lists that load while the
 * reader scrolls: it needs key bindings of its own, and VoiceOver and TalkBack ignore it. Every screen reader announces a list
 * with its length and jumps from heading to heading.
 *
 * Posts are plain text and are rendered as text nodes. Each is a block of its own (`contain: content`), so that no character
 * paints outside it and no direction override reaches the next one.
 */

import { LitElement, type PropertyValues } from 'lit';
import type { OwnPost } from '../storage/reader-records.ts';
import { Localizer } from '../locales/localizer.ts';
import { withOwn, type OwnStrings } from '../locales/own-strings.ts';
import { threadStrings } from '../locales/en-thread.ts';
import { controls, tokens } from '../styles/tokens.ts';
import { referenceStyles } from '../lib/reference-view.ts';
import { ThreadController } from './thread-controller.ts';
import { unlistedPosts, type RenderedPost } from './thread-state.ts';
import { threadView } from './thread-view.ts';
import { styles } from './vestibule-thread.styles.ts';

/** Interval between renderings of the relative times, in ms. */
const TICK_MS = 60_000;

/** Two empty lists count as equal: each render of the box creates one, and the thread is not rendered for it. */
function haveChanged(posts: readonly OwnPost[], earlier: readonly OwnPost[] | undefined): boolean {
  return posts !== earlier && posts.length + (earlier?.length ?? 0) > 0;
}

/**
 * @slot - Posts that the page has rendered itself.
 */
export class VestibuleThread extends LitElement {
  static override readonly styles = [tokens, controls, referenceStyles, styles];

  static override readonly properties = {
    forum: {},
    page: {},
    bff: {},
    lang: {},
    headingLevel: { attribute: 'heading-level', type: Number },
    strings: { attribute: false },
    ownPosts: { attribute: false, hasChanged: haveChanged },
  };

  /** Short name of the forum. */
  declare forum: string;
  /** URL of the article. */
  declare page: string;
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  /** 1 to 6. */
  declare headingLevel: number;
  /** The page's own phrases. */
  declare strings: OwnStrings | undefined;
  /** The reader's own recent posts on this page, oldest first. */
  declare ownPosts: readonly OwnPost[];

  readonly localizer: Localizer = new Localizer(this);
  /** After a new post of the reader; default 16,000. @internal */
  refreshAfterMs: number | undefined;
  readonly #controller = new ThreadController(this);
  /** Posts of which the reader has asked for the whole text, by their keys. */
  readonly #expanded = new Set<string>();
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.forum = this.page = '';
    this.bff = null;
    this.headingLevel = 3;
    this.ownPosts = [];
    for (const intent of ['pointerenter', 'focusin']) this.addEventListener(intent, this.#retryPhrases);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticking = setInterval(() => this.requestUpdate(), TICK_MS);
    addEventListener('online', this.#retryPhrases);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
    removeEventListener('online', this.#retryPhrases);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('ownPosts') && Date.now() - (this.ownPosts.at(-1)?.at ?? 0) < TICK_MS) this.#controller.refreshSoon();
  }

  protected override render() {
    const { state, rendered } = this.#controller;
    const listed = state.name === 'listed' ? state.posts : [];
    return threadView({
      state,
      unlisted: unlistedPosts(this.ownPosts, listed, rendered),
      hasRendered: rendered.length > 0,
      isExpanded: (key) => this.#expanded.has(key),
    }, {
      tag: this.localizer.tag,
      direction: this.localizer.direction,
      headingLevel: this.headingLevel,
      strings: withOwn(this.localizer.strings('thread', threadStrings), this.strings?.thread),
      now: Date.now(),
    }, {
      retry: this.#controller.retry,
      showMore: () => void this.#showMore(),
      expand: (key) => this.#expand(key),
      adopt: () => this.#adopt(),
    });
  }

  /** The content of the slot may be that of the next article already. */
  protected override updated(changed: PropertyValues<this>): void {
    if ((['forum', 'page', 'bff'] as const).some((name) => changed.get(name) !== undefined)) this.#adopt();
  }

  /** The button may be gone or further down then: the focus goes to the first new post. */
  async #showMore(): Promise<void> {
    const added = await this.#controller.showMore();
    await this.updateComplete;
    if (added !== undefined) this.#authorOf(added)?.focus();
  }

  #expand(key: string): void {
    this.#expanded.add(key);
    this.requestUpdate();
    void this.updateComplete.then(() => this.#authorOf(key)?.focus({ preventScroll: true }));
  }

  /** Heading of a post. */
  #authorOf(key: string): HTMLElement | null | undefined {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('li')].find(({ dataset }) => dataset['key'] === key)?.querySelector('.author');
  }

  /** Takes over the slotted content, if there is any; its element may name the cursor of what follows in `data-next-cursor`. */
  #adopt(): void {
    const slotted = this.renderRoot.querySelector('slot')!.assignedElements({ flatten: true });
    if (slotted.length === 0) return this.#controller.release();
    const rendered = slotted.flatMap((element) => [...element.querySelectorAll<HTMLElement>('[data-post-id]')])
      .map(({ dataset, textContent }): RenderedPost => ({ id: dataset['postId']!, text: textContent }));
    const cursor = slotted.map((element) => element.getAttribute('data-next-cursor')).find((value) => value);
    this.#controller.adopt(rendered, cursor ?? undefined);
  }

  readonly #retryPhrases = (): void => this.localizer.retry();
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-thread': VestibuleThread;
  }
}
