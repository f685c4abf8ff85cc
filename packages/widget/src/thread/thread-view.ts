/** Templates of the thread. The language of the interface is put on its own words only: times and buttons. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PostOrder } from '@vestibule/shared';
import { hueStyle, initials } from '../lib/avatar.ts';
import { fill } from '../lib/fill.ts';
import { referenceView } from '../lib/reference-view.ts';
import { buttonView, menuView, type RowButton } from '../lib/row-menu.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { formatNumber, plural } from '../locales/phrase.ts';
import { exactTime, relativeTime } from '../locales/relative-time.ts';
import type { OwnParts } from './actions.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { EntryParts } from '../comments/entry-view.ts';
import type { Branch } from './branches.ts';
import { nodeOf, shownName, type Comment } from './comment-tree.ts';
import { FOLD_AFTER } from './drawing.ts';
import { outcomeView, pickView, replyToView, skipView, type LinkView } from './linked-conversation.ts';
import { foldView, textView, type TextFolds } from './text-view.ts';
import { elementId, fragmentOf } from './comment-address.ts';
import type { ThreadState } from './thread-state.ts';

/** What the templates show. */
export interface ThreadView {
  readonly state: ThreadState;
  /** Entries of the outbox that stand alone; the comments of the list. */
  readonly entries: readonly Branch[];
  readonly listed: readonly Branch[];
  readonly links: LinkView;
  readonly texts: TextFolds;
  /** Name of the list of entries. */
  readonly entriesName: string;
  /** What stands in the comment of an entry. */
  readonly entryParts: (entry: ShownEntry, own: readonly RowButton[]) => EntryParts | undefined;
  /** Posts that the page has rendered itself and that stand in the place of the list, by their ids. */
  readonly rendered: ReadonlyMap<string, unknown>;
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl' | undefined;
  readonly strings: ThreadStrings;
  /** There are several conversations, drawn or not. */
  readonly isOrdered: boolean;
  /** Of the list; those to choose from. */
  readonly order: PostOrder;
  readonly orders: readonly PostOrder[];
  /** Of the headings of comments. */
  readonly level: number;
  /** Says how many comments are new; empty: none are. */
  readonly news: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** URL of the article. */
  readonly page: string;
  readonly reportUrl: string | null;
  readonly takesReplies: boolean;
  /** Readers may like comments; on an article that takes no comments the number is shown alone. */
  readonly hasLikes: boolean;
  readonly isClosed: boolean;
  /** Phones share an address where others copy it. */
  readonly canShare: boolean;
  /** What the reader may do with the comment. */
  readonly ownParts: (comment: Comment) => OwnParts | undefined;
  /** All replies to the comment are shown. */
  readonly isUnfolded: (key: Comment['key']) => boolean;
  /** The comment is in the document. */
  readonly isDrawn: (branch: Branch) => boolean;
  /** Keys of comments: the one that the reader replies to, the one that a link has led to, and the one whose link was copied. */
  readonly replyingTo: string | undefined;
  /** Ids of the comments to which a reply waits as a draft. */
  readonly drafts: ReadonlySet<string>;
  readonly marked: string | undefined;
  readonly copied: string | undefined;
  readonly composer: (comment: Comment) => TemplateResult;
  readonly actions: {
    retry(): void;
    showMore(): void;
    showNews(): void;
    setOrder(order: PostOrder): void;
    /** The page's own posts are in the slot. */
    adopt(): void;
    /** The list takes the place of the page's own posts. */
    showAll(): void;
    reply(id: string): void;
    copy(id: string): void;
    like(comment: Comment): void;
    unfold(branch: Branch): void;
    /** Leads past the conversation. */
    skip(event: Event): void;
    /** Find in page has found a folded reply to the comment. */
    reveal(event: Event, branch: Branch): void;
    follow(event: MouseEvent, id: string): void;
  };
}

export function threadView(view: ThreadView): TemplateResult {
  const { state, entries, listed, links, rendered, level, strings, tag, actions } = view;
  const count = entries.length + listed.length;
  const hasRendered = rendered.size > 0;
  const more = state.name === 'listed' ? state.more : undefined;
  const isLoading = state.name === 'loading' || more === 'loading';
  const failed = state.name === 'failed' ? state : typeof more === 'object' ? more : undefined;
  const failure = failed?.problem;
  const isEmpty = more === 'idle' && count === 0;
  let status = '';
  if (failure) status = strings.failed;
  else if (isLoading) status = strings.loading;
  else if (isEmpty) status = view.isClosed ? strings.empty : `${strings.empty} ${strings.beFirst}`;
  // The request for the first list, in the order that is shown or in another one.
  const isFirst = state.name === 'failed' || (failed !== undefined && 'order' in failed);
  // Reading has no effect, so any failure of a server may be tried again.
  const hasButton = hasRendered || (state.name === 'failed' ? state.problem.retryable || state.problem.status >= 500
    : state.name === 'listed' && (isFirst || state.nextCursor !== undefined));
  const press = hasRendered ? actions.showAll : isFirst ? actions.retry : actions.showMore;
  return html`
    <div class="thread ${view.marked === undefined ? 'lazy' : ''}" dir=${view.direction ?? nothing}>
      ${state.name === 'listed' ? newsView(view) : nothing}
      ${state.name === 'listed' && view.isOrdered ? orderView(view) : nothing}
      ${outcomeView(links, view)}
      ${listView(entries, level, view, view.entriesName)}
      ${listView(listed, level, view, strings.heading)}
      <slot ?hidden=${state.name === 'listed'} @slotchange=${actions.adopt}></slot>
      <div class="status" part="thread-status" role="status" tabindex="-1" lang=${tag}><p class=${more === 'loading' ? 'note' : ''} ?hidden=${!status}><span
        .textContent=${status}></span>${referenceView(failure, strings.reference)}</p><span class="note"></span></div>
      ${view.reportUrl === null ? nothing : html`<span id="tab" lang=${tag} hidden .textContent=${strings.opensTab}></span>`}
      ${hasButton ? html`
        <button class="wide" part="button" lang=${tag} aria-disabled=${isLoading || nothing}
          @click=${press} .textContent=${labelOf(view, isLoading, failure !== undefined)}></button>
      ` : nothing}
    </div>
  `;
}

/** Says what it does, and then that it does so: a line above it would move it. */
function labelOf({ strings, rendered, marked }: ThreadView, isLoading: boolean, hasFailed: boolean): string {
  if (isLoading) return strings.loading;
  if (hasFailed) return strings.tryAgain;
  if (rendered.size === 0) return strings.showMore;
  return marked === undefined || rendered.has(marked) ? strings.showAll : strings.showLinked;
}

/** Without a height of its own, so that new comments move nothing. */
function newsView({ tag, news, actions }: ThreadView): TemplateResult {
  return html`<div class="news" lang=${tag}>${
    news ? html`<button class="new" part="button" @click=${actions.showNews} .textContent=${news}></button>` : nothing}</div>`;
}

function orderView({ tag, strings, order, orders, actions }: ThreadView): TemplateResult {
  const texts = { newest: strings.newestFirst, oldest: strings.oldestFirst, top: strings.topFirst };
  return html`
    <div class="bar" lang=${tag}>
      <select part="order" aria-label=${strings.order} @change=${({ target }: Event) => actions.setOrder((target as HTMLSelectElement).value as PostOrder)}>
        ${orders.map((value) => html`<option value=${value} .selected=${value === order} .textContent=${texts[value]}></option>`)}
      </select>
    </div>
  `;
}

/** `role`: Safari drops that of a list without markers.
 *  @param level of the headings @param shown those behind are folded @param onMatch find in page has found one of them */
function listView(
  branches: readonly Branch[], level: number, view: ThreadView, name?: string, shown = Infinity, onMatch?: (event: Event) => void,
): unknown {
  return branches.length === 0 ? nothing : html`
    <ol role="list" aria-label=${name ?? nothing} @beforematch=${onMatch}>${
      repeat(branches, ({ comment }) => nodeOf(comment), (branch, index) => itemView(branch, level, view, index >= shown))}</ol>
  `;
}

/**
 * One template, because a list has a hundred of them. A text of the interface is the content of its element as a whole, so that a
 * page's translation does not keep an earlier one. Only the message has the direction of the comment.
 */
function itemView(branch: Branch, level: number, view: ThreadView, isFolded: boolean): TemplateResult {
  const { replyTo, replies } = branch;
  const own = view.ownParts(branch.comment);
  const comment = own?.edited ? { ...branch.comment, ...own.edited } : branch.comment;
  const { key, entry, username, badge, createdAt, at, editedAt, isRemoved, mark } = comment;
  const { tag, strings, page, replyingTo, actions } = view;
  const id = typeof key === 'string' ? key : undefined;
  const ownButtons = [own?.edit, own?.remove].filter((button) => button !== undefined);
  const parts = entry && !isRemoved ? view.entryParts(entry, ownButtons) : undefined;
  // What others can see and answer.
  const isPublic = id !== undefined && !isRemoved && !parts?.row && mark !== 'pending';
  const author = authorId(key);
  const editor = own?.editor;
  const hidden = editor !== undefined || isRemoved;
  const row = own?.question ?? parts?.row
    ?? (editor !== undefined || isRemoved ? nothing : rowView(comment, own, isPublic ? id : undefined, view));
  return html`
    <li part="post" id=${elementId(key)} hidden=${isFolded ? 'until-found' : nothing} class="${key === view.marked ? 'marked' : ''} ${
      isRemoved ? 'removed' : ''} ${own?.deleted && replies.length === 0 ? 'gone' : ''} ${parts?.isDim ? 'dim' : ''} ${entry ? 'own' : ''}">
      <div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(username)} .textContent=${initials(username)}></div>
      <div>
        <div>
          <div class="text">
            <div class="byline">
              <div class="by">
                <span class="author cut" id=${author} role="heading" tabindex="-1" aria-level=${level} data-entry=${
                  entry?.entry.id ?? nothing}>${
                  isRemoved ? html`<span lang=${tag} .textContent=${own?.deleted ?? strings.removed}></span>`
                    : html`<bdi translate="no" .textContent=${shownName(username)}></bdi>`}</span>${
                  badge === undefined ? nothing : html`<bdi class="badge cut" part="badge" translate="no">${badge}</bdi>`}
                ${pickView(comment, view)}
              </div>
              <a class="time" lang=${tag} dir="auto" href=${isPublic ? page + fragmentOf(id) : nothing}
                @click=${isPublic ? (event: MouseEvent) => actions.follow(event, id) : nothing}><time
                datetime=${createdAt} title=${exactTime(tag, at)} .textContent=${relativeTime(tag, at, view.now)}></time></a>
              ${editedAt === undefined || isRemoved ? nothing : editedView(editedAt, view)}
            </div>
            ${replyTo ? replyToView(branch, page + fragmentOf(replyTo.id), (event) => actions.follow(event, replyTo.id), view) : nothing}
            ${textView(comment, hidden === true, view.texts)}
          </div>
          ${hidden ? nothing : foldView(comment, author, view.texts, view)}
          ${editor ?? nothing}
          ${row}
          ${own?.notes ?? nothing}
        </div>
        ${key === replyingTo ? view.composer(comment) : nothing}
        ${repliesView(branch, Math.min(level + 1, 6), view)}
      </div>
    </li>
  `;
}

/** Two or three words; the rest is in the menu. @param id of a comment that others see */
function rowView(comment: Comment, own: OwnParts | undefined, id: string | undefined, view: ThreadView): TemplateResult {
  const { key, isOwn } = comment;
  const { tag, strings, replyingTo, reportUrl, actions } = view;
  const author = authorId(key);
  const isCopied = key === view.copied;
  const isDraft = id !== undefined && view.drafts.has(id) && key !== replyingTo;
  const report = id === undefined || isOwn ? undefined : reportLink(reportUrl, id);
  const items = [
    id === undefined || !isSecureContext ? nothing
      : buttonView({ label: view.canShare ? strings.share : strings.copyLink, click: () => actions.copy(id) }, author),
    report === undefined ? nothing : html`<a class="quiet" href=${report} target="_blank" rel="noopener" aria-describedby="${author} tab"
      .textContent=${strings.report}></a>`,
    own?.remove ? buttonView(own.remove, author) : nothing,
  ];
  return html`
    <div class="acts" lang=${tag}>
      ${view.hasLikes && id !== undefined ? likeView(comment, author, view) : nothing}
      ${id !== undefined && view.takesReplies ? html`<button class="quiet reply" part="button" aria-expanded=${key === replyingTo}
        aria-describedby=${author} @click=${() => actions.reply(id)} .textContent=${isDraft ? strings.continueReply : strings.reply}></button>` : nothing}
      ${own?.edit ? buttonView(own.edit, author, 'edit') : nothing}
      ${items.some((item) => item !== nothing) ? menuView({ id: `menu-${encodeURIComponent(key)}`, label: strings.more, author, content: isCopied ? '✓' : '…' }, items) : nothing}
    </div>
  `;
}

/** A number has its noun for screen readers. */
function likeView(comment: Comment, author: string, { isClosed, tag, strings, actions }: ThreadView): unknown {
  const { likes = 0, isLiked = false, isOwn = false } = comment;
  const noun = plural(tag, strings.likes, likes);
  const number = formatNumber(tag, likes);
  // A narrow row has a heart in place of the noun.
  if (isClosed || isOwn) return likes > 0 ? html`<span class="likes"><span .textContent=${noun}></span><span aria-hidden="true"
    .textContent=${`♥\uFE0E ${number}`}></span></span>` : nothing;
  return html`
    <button class="quiet like" part="button" aria-pressed=${isLiked} aria-describedby=${author} @click=${() => actions.like(comment)}><span
      .textContent=${strings.like}></span>${likes > 0 ? html` <span class="number" aria-hidden="true" .textContent=${
        number}></span><span class="note" .textContent=${noun}></span>` : nothing}</button>
  `;
}

function editedView(editedAt: string, { tag, strings, now }: ThreadView): TemplateResult {
  const at = Date.parse(editedAt);
  return html`<time class="tag" lang=${tag} dir="auto" datetime=${editedAt} title=${exactTime(tag, at)}
    .textContent=${fill(strings.edited, { time: relativeTime(tag, at, now) }).join('')}></time>`;
}

/** The first replies, and those up to the last entry of the reader, unless they want all. */
function repliesView(branch: Branch, level: number, view: ThreadView): unknown {
  const { comment: { key }, replies } = branch;
  const { tag, strings, actions } = view;
  const listed = replies.filter(({ comment }) => !comment.entry);
  const last = listed.length > FOLD_AFTER ? listed[FOLD_AFTER - 1]! : replies.at(-1)!;
  const end = 1 + Math.max(replies.indexOf(last), replies.findLastIndex(({ comment }) => comment.entry));
  const count = view.isUnfolded(key) ? replies.length : end;
  const rest = replies.length - count;
  const drawn = replies.filter((reply) => view.isDrawn(reply));
  const shown = replies.slice(0, count).filter((reply) => view.isDrawn(reply)).length;
  return html`${drawn.length === 0 ? nothing : skipView(authorId(key), actions.skip, view)}
    ${listView(drawn, level, view, undefined, shown, (event) => actions.reveal(event, branch))}
    ${rest > 0 ? html`
    <button class="quiet more" part="button" lang=${tag} aria-describedby=${authorId(key)}
      @click=${() => actions.unfold(branch)} .textContent=${plural(tag, strings.moreReplies, rest)}></button>
  ` : nothing}`;
}

/** Id of the element of its author, without spaces: `aria-describedby` is a list. */
const authorId = (key: Comment['key']): string => `by-${encodeURIComponent(key)}`;

/** Where the comment `id` can be reported: `{id}` may stand in the path and the query of `template`. */
function reportLink(template: string | null, id: string): string | undefined {
  const url = template ? URL.parse(template) : null;
  return url?.protocol.startsWith('http') && !url.host.includes('{') ? template!.replaceAll('{id}', encodeURIComponent(id)) : undefined;
}
