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
import type { PostAction, PostOrder } from '@vestibule/shared';
import { idsOf, type Entry } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { actionStrings } from '../locales/en-actions.ts';
import { threadStrings, type ThreadStrings } from '../locales/en-thread.ts';
import { fill } from '../lib/fill.ts';
import { plural } from '../locales/phrase.ts';
import { controls, tokens } from '../styles/tokens.ts';
import { referenceStyles } from '../lib/reference-view.ts';
import { rowStyles, type RowButton } from '../lib/row-menu.ts';
import { shieldFields } from '../lib/shield-fields.ts';
import { VisibleInterval } from '../lib/visible-interval.ts';
import { onceFocused } from '../lib/once-focused.ts';
import { arrange, type Branch } from './arrangement.ts';
import { countAdded, type Comment } from './comment-tree.ts';
import type { EntryParts } from './comment-view.ts';
import { Drawing } from './drawing.ts';
import { LinkController } from './links.ts';
import { Note } from './note.ts';
import { Place } from './place.ts';
import { ReaderController } from './reader-controller.ts';
import { TextFolds } from './text-view.ts';
import { ThreadController } from './thread-controller.ts';
import { closedReason, totalOf, type ThreadChange } from './thread-state.ts';
import { elementId, fragmentOf } from './comment-address.ts';
import { threadView, type ThreadActs } from './thread-view.ts';
import { commentStyles } from './comment.styles.ts';
import { styles } from './vestibule-thread.styles.ts';

/** Parts of the composer of a reply that a page may style, as it does those of the box. */
export const COMPOSER_PARTS = 'avatar, frame, label, field, footer, status, account, menu, sign-out, counter, button, primary-button, alert, panel';

/**
 * @slot - Posts that the page has rendered itself.
 * @fires {CustomEvent<ThreadChange>} change - Does not bubble.
 */
export class VestibuleThread extends LitElement {
  static override readonly styles = [tokens, controls, referenceStyles, rowStyles, commentStyles, styles];

  static override readonly properties = {
    forum: {}, page: {}, bff: {}, headingLevel: {}, strings: {}, order: {}, closed: {}, reportUrl: {},
    entries: {}, entryParts: {}, entriesName: {}, account: {}, userKey: {},
    sync: {}, maxLength: {}, theme: {}, replyingTo: { state: true }, chosenOrder: { state: true },
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
  /** The page's: the reader may choose another one. */
  declare order: PostOrder;
  /** The article takes no comments, whatever the list says. */
  declare closed: boolean;
  /** Where readers report comments: an address with `{id}`. */
  declare reportUrl: string | null;
  /** Entries of the outbox, the newest press of this visit first; what stands in their comments; the name of their list. */
  declare entries: readonly ShownEntry[];
  declare entryParts: ((entry: ShownEntry, own: readonly RowButton[]) => EntryParts) | undefined;
  declare entriesName: string;
  /** `user_id` of the reader, empty if nobody is signed in: only their own posts are shown. */
  declare account: string;
  /** Stands for that reader in the list; `undefined`: unknown. */
  declare userKey: string | undefined;
  /** Of the composer of replies, as are the next two. */
  declare sync: 'popup' | 'inline';
  declare maxLength: number | null;
  declare theme: 'auto' | 'light' | 'dark';
  /** Id of the comment that the reader replies to. */
  declare replyingTo: string | undefined;
  /** The order that the reader has chosen. */
  declare chosenOrder: PostOrder | undefined;

  readonly localizer: Localizer = new Localizer(this);
  readonly #controller = new ThreadController(this, () => this.#interval.check());
  readonly #interval = new VisibleInterval(this, () => this.#renew(), () => this.#controller.isNear);
  readonly #place = new Place(this);
  readonly #note: Note = new Note(this);
  readonly #reader: ReaderController = new ReaderController(this, this.#controller);
  readonly #links: LinkController = new LinkController(this, this.#controller);
  readonly #drawing = new Drawing(this);
  readonly #texts = new TextFolds(this);
  #branches: readonly Branch[] = [];
  /** In the slot. */
  #rendered: ReadonlyMap<string, HTMLElement> = new Map();
  /** The last `change`, as JSON. */
  #reported = '{}';
  /** The comment that had the focus before the update. Not that of an entry, see `entry-rows.ts`. */
  #focused: Element | undefined;
  /** Screen readers have been told of new comments that the reader has not asked for yet. */
  #isAnnounced = false;

  readonly #actions: ThreadActs = {
    retry: () => this.#controller.retry(),
    showMore: () => void this.#focusAdded(() => this.#controller.showMore()),
    showNews: () => {
      this.#note.clear();
      void this.#focusAdded(() => this.#controller.showNews());
    },
    setOrder: (order) => { this.chosenOrder = order; },
    adopt: () => this.#adopt(),
    showAll: () => {
      const { marked } = this.#links;
      if (marked !== undefined && !this.rendered.has(marked)) void this.#links.show(marked, true);
      else void this.#focusAdded(() => this.#controller.start());
    },
    reply: (id) => { this.replyingTo = id === this.replyingTo ? undefined : id; },
    copy: (id) => void this.#copy(id),
    // The opposite of what the button shows.
    like: ({ key, isLiked = false }) => void this.#reader.act(String(key), (actions, comment) => actions.like(comment, !isLiked)),
    edit: ({ key }) => void this.#reader.act(String(key), (actions, comment) => actions.edit(comment)),
    remove: ({ key }) => void this.#reader.act(String(key), (actions, comment) => actions.confirmRemoval(comment)),
    lookAgain: () => void this.#links.show(this.#links.marked),
    skip: ({ target }) => {
      const roots = [...this.renderRoot.querySelectorAll('li:not(li li)')];
      const next = roots[1 + roots.findIndex((root) => root.contains(target as Element))];
      this.renderRoot.querySelector<HTMLElement>(next ? `#${CSS.escape(next.id)} .author` : '.status')!.focus();
    },
    // A link to the article leads to this document, under whatever address it was opened.
    follow: (event, id) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.#links.goTo(id);
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
    this.closed = false;
  }

  /** `moveBefore` changes nothing: with this method it does not disconnect the element. */
  connectedMoveCallback(): void {}

  /** The order to list: where a list does not load, that of the one which is shown. @internal */
  get listOrder(): PostOrder {
    return this.chosenOrder ?? this.order;
  }

  /** Ids of comments that stand above the list: those of entries. @internal */
  get own(): ReadonlySet<string> {
    return new Set(this.entries.flatMap(({ entry }) => idsOf(entry)));
  }

  /** Number of comments. Counts the reader's own that is published and cannot be in the response yet. */
  get #total(): number | undefined {
    const { state } = this.#controller;
    if (state.name !== 'listed') return undefined;
    const { readAt } = state.article;
    const removed = this.#reader.actions?.removedSince(readAt) ?? new Set();
    const total = totalOf(state, removed);
    const ids = new Set([...state.news.listed ?? [], ...state.posts.map(({ id }) => id)]);
    return total === undefined ? undefined : total + countAdded(this.entries, ids, readAt, removed);
  }

  /** @internal */
  get threadStrings(): ThreadStrings {
    return this.localizer.strings('thread', threadStrings, this.strings);
  }

  /** Says how many comments of others are new. */
  get #news(): string {
    const { state } = this.#controller;
    const { posts, hasMore } = state.name === 'listed' ? state.news : { posts: [], hasMore: false };
    const { own, userKey, threadStrings: { newComments, manyNewComments } } = this;
    const count = posts.filter(({ id, author }) => !own.has(id) && (userKey === undefined || author.key !== userKey)).length;
    if (count === 0) return '';
    const { tag } = this.localizer;
    return hasMore ? fill(manyNewComments, { count: count.toLocaleString(tag) }).join('') : plural(tag, newComments, count);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return shieldFields(super.createRenderRoot());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (isOtherArticle(changed)) {
      this.replyingTo = undefined;
      this.#drawing.reset();
    }
    const focused = this.shadowRoot!.activeElement;
    this.#focused = focused?.closest('.entry') ? undefined : focused?.closest('li') ?? undefined;
    const news = this.#news;
    // As many as there are then: the reader may have asked for them.
    if (news && !this.#isAnnounced) onceFocused(() => this.#news && this.say(this.#news));
    this.#isAnnounced = news !== '';
  }

  protected override update(changed: PropertyValues<this>): void {
    this.#branches = arrange(this, this.#controller.state, this.#reader.actions);
    super.update(changed);
  }

  protected override render(): TemplateResult {
    const { state } = this.#controller;
    const { page, reportUrl, replyingTo } = this;
    const { article } = state.name === 'listed' ? state : {};
    // That of the choice that is being loaded, else that of the list: the BFF may not have the choice.
    const order = state.name === 'listed' && state.more !== 'loading' ? state.order : this.listOrder;
    const { marked } = this.#links;
    const isClosed = this.#closedReason !== undefined;
    // The BFF refuses them of a reader whom it cannot recognize.
    const isKnown = !this.account || this.userKey !== undefined;
    const offers = (action: PostAction): boolean => isKnown && article?.actions?.includes(action) === true;
    const branches = this.#drawing.slice(this.#branches);
    const entries = branches.filter(({ comment: { entry } }) => entry);
    const listed = branches.filter(({ comment: { entry } }) => !entry);
    return threadView({
      state, isClosed, rendered: this.rendered, order, replyingTo, marked, entries, listed,
      frame: {
        page, reportUrl,
        tag: this.localizer.tag,
        strings: this.threadStrings,
        actionStrings: this.localizer.strings('actions', actionStrings, this.strings),
        takesReplies: article?.replies === true && !isClosed,
        hasLikes: offers('like'),
        canEdit: offers('edit'),
        canRemove: offers('remove'),
        texts: this.#texts,
        own: this.#reader.actions,
        entryParts: this.entryParts,
        actions: this.#actions,
      },
      direction: this.localizer.direction,
      isOrdered: this.#branches.length > 1,
      orders: article?.orders ?? ['newest', 'oldest'],
      hasConversations: article?.conversation === true,
      outcome: this.#links.outcome,
      entriesName: this.entriesName,
      level: Math.min(this.headingLevel + 1, 6),
      now: Date.now(),
      news: this.#news,
      copied: this.#note.id,
      failed: this.#reader.failed,
      drafts: this.#reader.drafts,
      isDrawn: (branch) => this.#drawing.isDrawn(branch),
      composer: (comment) => this.#composer(comment),
    });
  }

  /** Resolves when all comments are in the document. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isDone = await super.getUpdateComplete();
    await this.#drawing.complete(() => super.getUpdateComplete());
    return isDone;
  }

  #composer({ key, username }: Comment): TemplateResult {
    const { forum, page, bff, sync, maxLength, theme, headingLevel, strings } = this;
    return html`
      <vestibule-comments class="composer" exportparts=${COMPOSER_PARTS} .parent=${key} .replyTo=${username} .forum=${forum} .page=${page} .bff=${bff}
        .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings}
        .closed=${this.#closedReason !== undefined} @close=${({ detail }: CustomEvent<Entry | null>) => void this.#endReply(detail ?? undefined)}></vestibule-comments>
    `;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { state } = this.#controller;
    const focused = this.#focused;
    // A control may have gone, of a comment that was removed meanwhile or an article that was closed.
    if (focused) void this.updateComplete.then(() => {
      if (document.activeElement === document.body) focused.querySelector<HTMLElement>('.author')!.focus({ preventScroll: true });
    });
    const isOffered = state.name === 'listed' && state.article.actions?.some((action) => action !== 'like');
    if (isOffered && this.comments.some(({ isOwn }) => isOwn)) this.#reader.prepare();
    const total = this.#total;
    const label = total === undefined ? undefined : plural(this.localizer.tag, this.threadStrings.total, total);
    const detail: ThreadChange = { total, label, closed: this.#closedReason };
    if (JSON.stringify(detail) !== this.#reported) this.dispatchEvent(new CustomEvent('change', { detail }));
    this.#reported = JSON.stringify(detail);
    if (state.name === 'listed' || state.name === 'failed' || this.rendered.size > 0) void this.updateComplete.then(() => this.#place.release());
    if (!isOtherArticle(changed)) return;
    // The content of the slot may be that of this article already.
    this.#adopt();
    void this.#links.show();
  }

  /** Why the article takes no comments. */
  get #closedReason(): string | undefined {
    return closedReason(this.#controller.state, this.localizer.tag) ?? (this.closed ? '' : undefined);
  }

  #renew(): void {
    this.requestUpdate();
    void this.#controller.look();
  }

  /** Focuses the first comment that `show` adds: the button may be gone or further down then. */
  async #focusAdded(show: () => unknown): Promise<void> {
    const items = (): Element[] => [...this.renderRoot.querySelectorAll('li')];
    const before = new Set(items());
    await show();
    await super.getUpdateComplete();
    const added = items().filter((item) => !before.has(item));
    const first = added.find((item) => !item.matches('li li')) ?? added[0];
    first?.querySelector<HTMLElement>('.author')!.focus();
  }

  /** @param entry of the reply, if it was sent */
  async #endReply(entry?: Entry): Promise<void> {
    const id = this.replyingTo;
    this.replyingTo = undefined;
    // The box hands the entry on.
    if (entry) await (this.getRootNode() as ShadowRoot & { host: LitElement }).host.updateComplete;
    await this.updateComplete;
    // The name of its author: a live region says what its row has.
    if (entry) this.renderRoot.querySelector<HTMLElement>(`[data-entry='${entry.id}']`)?.focus({ preventScroll: true });
    else if (id !== undefined) this.find(id, '.reply')?.focus();
  }

  /** Each comment, before its replies. @internal */
  get comments(): Comment[] {
    return this.#branches.flatMap(({ comment, replies }) => [comment, ...replies.map((reply) => reply.comment)]);
  }

  /** Where the clipboard is refused, the page's address names the comment. */
  async #copy(id: string): Promise<void> {
    const url = this.page + fragmentOf(id);
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      return this.#links.goTo(id);
    }
    this.say(this.threadStrings.linkCopied, id);
  }

  /** Says the outcome of an action to screen readers, for a while. @param id of its comment @internal */
  say(text: string, id?: string): void {
    this.#note.say(text, id);
  }

  /** An element of a comment that is displayed. @internal */
  find(key: Comment['key'], selector: string): HTMLElement | undefined {
    const found = this.shadowRoot!.getElementById(elementId(key))?.querySelectorAll<HTMLElement>(selector);
    return [...found ?? []].find((element) => element.checkVisibility());
  }

  /** Posts that the page has rendered itself and that stand in the place of the list, by their ids. @internal */
  get rendered(): ReadonlyMap<string, HTMLElement> {
    return this.#controller.state.name === 'listed' ? new Map() : this.#rendered;
  }

  #adopt(): void {
    const slot = this.renderRoot.querySelector<HTMLSlotElement>('slot:not([name])')!;
    const elements = slot.assignedElements({ flatten: true }).flatMap((element) => [element, ...element.querySelectorAll('*')]);
    const posts = elements.filter((element): element is HTMLElement => element.matches('[data-post-id]'));
    this.#rendered = new Map(posts.map((post) => [post.dataset['postId']!, post]));
    if (posts.length === 0) this.#controller.observe();
    this.requestUpdate();
  }
}

function isOtherArticle(changed: PropertyValues<VestibuleThread>): boolean {
  return changed.has('forum') || changed.has('page') || changed.has('bff');
}

if ('document' in globalThis && !customElements.get('vestibule-thread')) customElements.define('vestibule-thread', VestibuleThread);

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-thread': VestibuleThread;
  }
}
