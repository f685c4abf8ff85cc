/**
 * `<vestibule-thread>`, an internal part of the comment box: the comments on an article. Loading this module defines it.
 *
 * The comments are an ordered list, and each has a heading with its author's name. The replies to one are a list within its item:
 * screen readers announce that as a list of the second level with its length, and a reader can leave it as a whole. Headings
 * alone would show the levels but neither the length nor the end. `role="tree"` and `role="feed"` need key bindings of their
 * own. Replies to replies stay on the second level and name the author they reply to: a third level has no room on a phone.
 *
 * Comments are plain text and are rendered as text nodes. Each is a block of its own (`contain: content`), so that no character
 * paints outside it and no direction override reaches the next one.
 */

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { ListedPost, PostAction, PostOrder } from '@vestibule/shared';
import type { EntryParts } from '../comments/entry-view.ts';
import { idsOf, type OutboxEntry } from '../outbox/outbox-entry.ts';
import type { ShownEntry } from '../outbox/press.ts';
import type { DraftKey } from '../storage/draft-key.ts';
import type { Draft } from '../storage/draft.ts';
import { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { threadStrings, type ThreadStrings } from '../locales/en-thread.ts';
import { plural } from '../locales/phrase.ts';
import { controls, tokens } from '../styles/tokens.ts';
import { editorStyles } from '../lib/editor-view.ts';
import { referenceStyles } from '../lib/reference-view.ts';
import { rowStyles, type RowButton } from '../lib/row-menu.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { VisibleInterval } from '../lib/visible-interval.ts';
import { onceFocused } from '../lib/once-focused.ts';
import { setText } from '../lib/live-text.ts';
import { countAdded, fromEntry, fromListed, idsOfEntries, keepPlaces, nodeOf, toBranches, type Branch, type Comment } from './comment-tree.ts';
import { Article, type ArticleHost } from '../comments/article.ts';
import { Place } from './place.ts';
import { ReaderController } from './reader-controller.ts';
import type { ReaderHost } from './reader-host.ts';
import { postsIn, toRendered } from './rendered-posts.ts';
import { ThreadController } from './thread-controller.ts';
import { closedReason, totalOf, type ThreadChange } from './thread-state.ts';
import { elementId, fragmentOf, linkedId, threadView, type ThreadView } from './thread-view.ts';
import { styles } from './vestibule-thread.styles.ts';

/** How many comments one task adds at most, with their replies: a hundred would keep a slow phone busy for 300 ms. The browser
 *  prepares the templates in the first one. */
const FIRST_SLICE = 3;
const SLICE = 8;
const FRAME_MS = 17;

/** On phones and tablets. */
const canShare = (): boolean => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/** How long the outcome of an action is shown. */
const NOTE_MS = 4_000;

/** Parts of the composer of a reply that a page may style, as it does those of the box. */
const COMPOSER_PARTS = 'avatar, frame, label, field, footer, status, account, sign-out, counter, button, primary-button, alert, panel';

/**
 * @slot - Posts that the page has rendered itself.
 * @fires {CustomEvent<ThreadChange>} change - Does not bubble.
 */
export class VestibuleThread extends LitElement implements ReaderHost {
  static override readonly styles = [tokens, controls, referenceStyles, rowStyles, editorStyles, styles];

  static override readonly properties = {
    forum: {}, page: {}, bff: {}, headingLevel: {}, strings: {}, order: {}, closed: {}, reportUrl: {}, entries: {}, entryParts: {},
    entriesName: {}, account: {}, userKey: {}, isSigningIn: {}, createDraft: {}, sync: {}, maxLength: {}, theme: {},
    replyingTo: { state: true }, marked: { state: true }, isMissing: { state: true }, note: { state: true },
  };

  /** Short name of the forum. */
  declare forum: string;
  /** URL of the article. */
  declare page: string;
  /** Address of the BFF; default: the script's own. */
  declare bff: string | null;
  /** Of the heading above the thread: 1 to 6. */
  declare headingLevel: number;
  /** The page's own phrases. */
  declare strings: OwnStrings | string | undefined;
  /** The reader may change it. */
  declare order: PostOrder;
  /** The article takes no comments, whatever the list says. */
  declare closed: boolean;
  /** Where readers report comments: an address with `{id}`. */
  declare reportUrl: string | null;
  /** Entries of the outbox to show, the newest press of this visit first; what stands in their comments; the name of their list. */
  declare entries: readonly ShownEntry[];
  declare entryParts: ((entry: ShownEntry, own: readonly RowButton[]) => EntryParts) | undefined;
  declare entriesName: string;
  /** `user_id` of the reader, empty if nobody is signed in: only their own posts are shown. */
  declare account: string;
  /** Stands for that reader in the list; `undefined`: unknown. */
  declare userKey: string | undefined;
  /** A sign-in is in progress; `undefined`: not known. */
  declare isSigningIn: boolean | undefined;
  /** There with the reader. */
  declare createDraft: ((key: DraftKey) => Draft) | undefined;
  /** Of the composer of replies, as are the next two. */
  declare sync: 'popup' | 'inline';
  declare maxLength: number | null;
  declare theme: 'auto' | 'light' | 'dark';
  /** Ids of comments: the one that the reader replies to, and the one that the page's address names. */
  declare replyingTo: string | undefined;
  declare marked: string | undefined;
  /** The comment that the page's address names is not in the list. */
  declare isMissing: boolean;
  /** Outcome of an action, for a while, with the id of its comment. */
  declare note: { readonly text: string; readonly id?: string } | undefined;

  readonly localizer: Localizer = new Localizer(this);
  readonly #controller = new ThreadController(this, () => this.#interval.check());
  readonly #interval = new VisibleInterval(this, () => this.#renew(), () => this.#controller.isNear);
  readonly #place: Place = new Place((): HTMLElement | null => this.closest('section'));
  readonly #reader = new ReaderController(this);
  /** The comments that are shown, and as branches. */
  #arranged: readonly Comment[] = [];
  #branches: readonly Branch[] = [];
  /** Comments of which all replies are shown, by their keys. */
  readonly #unfolded = new Set<Comment['key']>();
  /** Comments of which the reader has asked for the whole text, by their keys. */
  readonly #expanded = new Set<Comment['key']>();
  /** Nodes of the comments at the top level that are in the document. Others follow a few at a time. */
  readonly #drawn = new Set<string | number>();
  #isDrawing = false;
  /** The last `change`, as JSON. */
  #reported = '{}';
  /** Screen readers have been told of new comments that the reader has not asked for yet. */
  #isAnnounced = false;

  readonly #actions: ThreadView['actions'] = {
    retry: () => this.#controller.retry(),
    showMore: () => void this.#focusAdded(() => this.#controller.showMore()),
    showNewer: () => {
      this.note = undefined;
      const known = new Set(this.comments.map((comment) => comment.key));
      void this.#focusAdded(() => {
        this.#controller.showNewer();
        this.#unfoldFor((key) => !known.has(key));
      });
    },
    setOrder: (order) => { this.order = order; },
    adopt: () => this.#adopt(),
    expand: (key) => {
      this.#expanded.add(key);
      this.requestUpdate();
      void this.updateComplete.then(() => this.find(key, '.author')?.focus({ preventScroll: true }));
    },
    reply: (id) => { this.replyingTo = id === this.replyingTo ? undefined : id; },
    copy: (id) => void this.#copy(id),
    like: ({ key, isLiked = false }) => this.#reader.like(String(key), !isLiked),
    unfold: (key) => void this.#focusAdded(() => this.#unfold(key)),
    // A link to the article leads to this document, under whatever address it was opened.
    follow: (event, id) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.#goTo(id);
    },
  };

  constructor() {
    super();
    this.forum = this.page = this.account = '';
    this.bff = this.reportUrl = this.maxLength = null;
    this.headingLevel = 2;
    this.entries = [];
    this.entriesName = '';
    this.order = 'newest';
    this.sync = 'popup';
    this.theme = 'auto';
    this.closed = this.isMissing = false;
    this.addController(this.#place);
    for (const intent of ['pointerenter', 'focusin']) this.addEventListener(intent, () => this.localizer.retry());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('online', this.#onOnline);
    addEventListener('hashchange', this.#onHashChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#onOnline);
    removeEventListener('hashchange', this.#onHashChange);
  }

  /** `moveBefore` changes nothing: with this method it does not disconnect the element. */
  connectedMoveCallback(): void {}

  /** Ids of comments that entries stand for. @internal */
  get own(): ReadonlySet<string> {
    return idsOfEntries(this.entries);
  }

  /** Number of comments. Counts the reader's own that is published and cannot be in the response yet. */
  get #total(): number | undefined {
    const { state, rendered } = this.#controller;
    if (state.name !== 'listed') return undefined;
    const { readAt } = state.article;
    const removed = this.#reader.actions?.removedSince(readAt) ?? new Set();
    const total = totalOf(state, rendered, removed);
    const ids = new Set([...state.posts, ...rendered].map(({ id }) => id));
    return total === undefined ? undefined : total + countAdded(this.entries, ids, readAt, removed);
  }

  get #strings(): ThreadStrings {
    return this.localizer.strings('thread', threadStrings, this.strings);
  }

  get #newText(): string {
    return plural(this.localizer.tag, this.#strings.newComments, this.#countNew);
  }

  get #countNew(): number {
    const { state } = this.#controller;
    return state.name === 'listed' ? state.newer?.added ?? 0 : 0;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return shieldFields(super.createRenderRoot());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (isOtherArticle(changed)) {
      this.replyingTo = undefined;
      this.#arranged = [];
      this.#drawn.clear();
      this.#unfolded.clear();
    }
    const count = this.#countNew;
    // As many as there are then: the reader may have asked for them.
    if (count > 0 && !this.#isAnnounced) onceFocused(() => this.#countNew > 0 && this.say(this.#newText));
    this.#isAnnounced = count > 0;
    if (!changed.has('entries')) return;
    const before = new Set((changed.get('entries') ?? []).map(({ entry }) => `${entry.id} ${entry.state}`));
    const isPosted = this.entries.some(({ entry }) => entry.state === 'posted' && !before.has(`${entry.id} ${entry.state}`));
    if (isPosted) this.#controller.refreshSoon();
  }

  protected override render(): TemplateResult {
    const { state, rendered, isReplaced } = this.#controller;
    const { order, page, reportUrl, replyingTo, marked, isMissing, note } = this;
    const { article } = state.name === 'listed' ? state : {};
    const isClosed = this.#closedReason !== undefined;
    const offers = (action: PostAction): boolean => article?.actions?.includes(action) === true;
    this.#arrange();
    const branches = this.#slice();
    const hasRendered = rendered.length > 0;
    return threadView({
      state, hasRendered, isReplaced, order, page, reportUrl, replyingTo, marked, isMissing, isClosed,
      strings: this.#strings,
      tag: this.localizer.tag,
      direction: this.localizer.direction,
      entries: branches.filter(({ comment }) => comment.entry),
      listed: branches.filter(({ comment }) => !comment.entry),
      entriesName: this.entriesName,
      entryParts: (entry, own) => this.entryParts?.(entry, own),
      level: Math.min(this.headingLevel + 1, 6),
      now: Date.now(),
      countNew: this.#countNew,
      takesReplies: article?.replies === true && !isClosed,
      hasLikes: offers('like'),
      canShare: canShare(),
      ownParts: (comment) => this.#reader.actions?.partsOf(comment, offers('edit') && !isClosed, offers('remove')),
      copied: note?.id,
      isExpanded: (key) => this.#expanded.has(key),
      isUnfolded: (key) => this.#unfolded.has(key),
      composer: (comment) => this.#composer(comment),
      actions: this.#actions,
    });
  }

  /** Arranges the comments as the reader has left them. Each is there once: an entry instead of its copy in the list, the page's own
   *  instead of an entry. */
  #arrange(): void {
    const { state, rendered } = this.#controller;
    const { posts = [], article } = state.name === 'listed' ? state : {};
    const { own } = this;
    const isRendered = ({ entry }: ShownEntry): boolean => rendered.some(({ id }) => idsOf(entry).includes(id));
    const comments = [
      ...this.entries.filter((shown) => !isRendered(shown)).map((shown) => fromEntry(shown, posts)),
      ...posts.filter(({ id }) => !own.has(id)).map((post) => fromListed(post, this.userKey)),
    ];
    const { actions } = this.#reader;
    this.#arranged = keepPlaces(actions?.arrange(comments, article?.readAt ?? 0) ?? comments, this.#arranged, {
      isUsed: (key) => key === this.replyingTo || actions?.isEditing(key) === true,
      isDeleted: (key) => actions?.isDeleted(key) === true,
    });
    this.#branches = toBranches(this.#arranged);
  }

  /** The branches that are in the document, and the next ones. */
  #slice(): readonly Branch[] {
    let room = this.#drawn.size > 0 ? SLICE : FIRST_SLICE;
    const slice = this.#branches.filter(({ comment, replies }) => {
      const node = nodeOf(comment);
      if (this.#drawn.has(node)) return true;
      const isNext = room > 0;
      room -= 1 + replies.length;
      if (isNext) this.#drawn.add(node);
      return isNext;
    });
    this.#isDrawing = slice.length < this.#branches.length;
    return slice;
  }

  /** Resolves when all comments are in the document. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isDone = await super.getUpdateComplete();
    while (this.#isDrawing && this.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS));
      await super.getUpdateComplete();
    }
    return isDone;
  }

  #composer({ key, username }: Comment): TemplateResult {
    const { forum, page, bff, sync, maxLength, theme, headingLevel, strings } = this;
    return html`
      <vestibule-comments class="composer" exportparts=${COMPOSER_PARTS} .parent=${key} .replyTo=${username} .forum=${forum} .page=${page} .bff=${bff}
        .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings}
        .closed=${this.#closedReason !== undefined} @close=${({ detail }: CustomEvent<OutboxEntry | null>) => void this.#endReply(detail ?? undefined)}></vestibule-comments>
    `;
  }

  /** The content of the slot may be that of the next article already. */
  protected override updated(changed: PropertyValues<this>): void {
    const { state } = this.#controller;
    const isOffered = state.name === 'listed' && state.article.actions?.some((action) => action !== 'like');
    if (isOffered && this.comments.some(({ isOwn }) => isOwn)) void this.#reader.load();
    // After the frame that lays this slice out.
    if (this.#isDrawing) setTimeout(() => this.requestUpdate(), FRAME_MS);
    // For screen readers, after an action of the reader, and about new comments.
    setText(this.renderRoot.querySelector('.status > .note')!, this.note?.text ?? '');
    const total = this.#total;
    const label = total === undefined ? undefined : plural(this.localizer.tag, this.#strings.total, total);
    const detail: ThreadChange = { total, label, closed: this.#closedReason };
    if (JSON.stringify(detail) !== this.#reported) this.dispatchEvent(new CustomEvent('change', { detail }));
    this.#reported = JSON.stringify(detail);
    const { name } = this.#controller.state;
    if (name === 'listed' || name === 'failed') this.#place.release();
    if (!isOtherArticle(changed)) return;
    this.#adopt();
    void this.#showLinked();
  }

  /** Why the article takes no comments. */
  get #closedReason(): string | undefined {
    return closedReason(this.#controller.state, this.localizer.tag) ?? (this.closed ? '' : undefined);
  }

  readonly #renew = (): void => {
    this.requestUpdate();
    if (this.#closedReason === undefined) void this.#controller.look();
  };

  /** Focuses the first comment that `show` adds: the button may be gone or further down then. */
  async #focusAdded(show: () => unknown): Promise<void> {
    const before = new Set(this.renderRoot.querySelectorAll('li'));
    await show();
    await this.updateComplete;
    const added = [...this.renderRoot.querySelectorAll('li')].filter((item) => !before.has(item));
    const first = added.find((item) => !item.matches('li li')) ?? added[0];
    first?.querySelector<HTMLElement>('.author')!.focus();
  }

  /** @param entry of the reply, if it was sent */
  async #endReply(entry?: OutboxEntry): Promise<void> {
    const id = this.replyingTo;
    this.replyingTo = undefined;
    // The box hands the entry on.
    if (entry) await (this.getRootNode() as ShadowRoot & { host: LitElement }).host.updateComplete;
    await this.updateComplete;
    const of = entry && `[data-entry='${entry.id}']`;
    // The name of its author, if it is posted already.
    if (of) [`${of} .say`, of].flatMap((one) => this.renderRoot.querySelector<HTMLElement>(one) ?? [])[0]?.focus({ preventScroll: true });
    else if (id !== undefined) this.find(id, '.reply')?.focus();
  }

  /** @internal */
  get comments(): Comment[] {
    return this.#branches.flatMap(({ comment, replies }) => [comment, ...replies.map((reply) => reply.comment)]);
  }

  #unfold(key: Comment['key']): void {
    this.#unfolded.add(key);
    this.requestUpdate();
  }

  /** Shows the replies among which there is such a comment; to be called before an update, too. */
  #unfoldFor(isIt: (key: Comment['key']) => boolean): void {
    const { state } = this.#controller;
    const branches = state.name === 'listed' ? toBranches(state.posts.map((post) => fromListed(post))) : [];
    for (const { comment: { key }, replies } of branches) {
      if (replies.some(({ comment }) => isIt(comment.key))) this.#unfolded.add(key);
    }
  }

  /** Where sharing or the clipboard is refused, the page's address names the comment. */
  async #copy(id: string): Promise<void> {
    const url = this.page + fragmentOf(id);
    try {
      if (canShare()) return await navigator.share({ url });
      await navigator.clipboard.writeText(url);
    } catch (error) {
      // The reader has closed the choice.
      if ((error as DOMException).name === 'AbortError') return;
      return this.#goTo(id);
    }
    this.say(this.#strings.linkCopied, id);
  }

  /** Says the outcome of an action to screen readers, for a while. @param id of its comment @internal */
  say(text: string, id?: string): void {
    onceFocused(() => {
      const note = this.note = { text, ...(id !== undefined && { id }) };
      setTimeout(() => { if (this.note === note) this.note = undefined; }, NOTE_MS);
    });
  }

  #goTo(id: string): void {
    // Where the fragment is a route, as of docsify, the page would take another one for an unknown page.
    if (linkedId() === id || /^#!?\//.test(location.hash)) void this.#showLinked(id);
    else location.hash = fragmentOf(id);
  }

  /** Shows the comment that the page's address names. */
  async #showLinked(id = linkedId()): Promise<void> {
    this.marked = id;
    this.isMissing = false;
    if (id === undefined || !this.page) return;
    await this.#controller.find(id);
    this.#unfoldFor((key) => key === id);
    this.requestUpdate();
    await this.updateComplete;
    if (this.marked !== id || !this.isConnected) return;
    const author = this.find(id, '.author');
    const target = author ?? this.#slotted.flatMap(postsIn).find(({ dataset }) => dataset['postId'] === id);
    this.isMissing = !target && this.#controller.state.name === 'listed';
    if (this.isMissing) this.say(this.#strings.linkNotFound);
    await this.updateComplete;
    (target ?? this.renderRoot.querySelector('.missing'))?.scrollIntoView({ block: 'center' });
    author?.focus({ preventScroll: true });
  }

  readonly #onOnline = (): void => {
    if (this.#controller.state.name === 'failed') this.#controller.retry();
  };

  readonly #onHashChange = (): void => void this.#showLinked();

  /** Requests the list once the BFF has a new one. @internal */
  refreshSoon(): void {
    this.#controller.refreshSoon();
  }

  /** An element of a comment that is displayed. @internal */
  find(key: Comment['key'], selector: string): HTMLElement | undefined {
    const found = this.shadowRoot!.getElementById(elementId(key))?.querySelectorAll<HTMLElement>(selector);
    return [...found ?? []].find((element) => element.checkVisibility());
  }

  get #slotted(): Element[] {
    return this.renderRoot.querySelector('slot')!.assignedElements({ flatten: true });
  }

  /** Takes over the slotted content, if there is any; its element may name the cursor of what follows in `data-next-cursor`. */
  #adopt(): void {
    const slotted = this.#slotted;
    if (slotted.length === 0) return this.#controller.release();
    const cursor = slotted.map((element) => element.getAttribute('data-next-cursor')).find((value) => value);
    this.#controller.adopt(slotted.flatMap(postsIn).map(toRendered), cursor ?? undefined);
  }
}

function isOtherArticle(changed: PropertyValues<VestibuleThread>): boolean {
  return changed.has('forum') || changed.has('page') || changed.has('bff');
}

/** The comment box, as far as its thread needs it. */
interface ThreadBox extends ArticleHost, Readonly<Pick<VestibuleThread,
  'forum' | 'bff' | 'sync' | 'maxLength' | 'theme' | 'headingLevel' | 'strings' | 'order' | 'closed' | 'reportUrl'>> {
  list: ThreadChange;
  seeList(posts: readonly ListedPost[]): void;
  signIn(): void;
  refreshSession(): void;
}

/** The second stage of the box, as far as its thread needs it. */
interface ThreadReader extends Pick<VestibuleThread, 'account' | 'userKey' | 'isSigningIn' | 'createDraft' | 'entriesName'> {
  readonly shown: readonly ShownEntry[];
  readonly entryParts: NonNullable<VestibuleThread['entryParts']>;
}

const NONE: readonly ShownEntry[] = [];

/** The thread within the box.
 *  @param reader who is signed in; `undefined`: not known */
export function threadInBox(
  box: ThreadBox, reader: ThreadReader | undefined,
): TemplateResult {
  const { forum, bff, sync, maxLength, theme, headingLevel, strings, order, reportUrl, closed } = box;
  return html`
    <vestibule-thread part="thread" exportparts="thread-status, post, message, badge, ${COMPOSER_PARTS}"
      .forum=${forum} .page=${Article.of(box).page} .bff=${bff}
      .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings} .order=${order} .closed=${closed}
      .reportUrl=${reportUrl} .entries=${reader?.shown ?? NONE} .entryParts=${reader?.entryParts} .entriesName=${reader?.entriesName ?? ''} .account=${reader?.account ?? ''}
      .userKey=${reader?.userKey} .isSigningIn=${reader?.isSigningIn} .createDraft=${reader?.createDraft} @sign-in=${() => box.signIn()} @stale=${() => box.refreshSession()}
      @list=${({ detail }: CustomEvent<readonly ListedPost[]>) => box.seeList(detail)}
      @change=${({ detail }: CustomEvent<ThreadChange>) => { box.list = detail; }}><slot name="posts"></slot></vestibule-thread>
  `;
}

if ('document' in globalThis && !customElements.get('vestibule-thread')) customElements.define('vestibule-thread', VestibuleThread);

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-thread': VestibuleThread;
  }
}
