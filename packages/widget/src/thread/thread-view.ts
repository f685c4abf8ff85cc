/** Templates of the thread: the list of its comments, and what stands around it. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PostOrder } from '@vestibule/shared';
import { relativeTime } from '../locales/relative-time.ts';
import type { Branch } from './arrangement.ts';
import { elementId } from './comment-address.ts';
import { nodeOf, type Comment } from './comment-tree.ts';
import { authorId, avatarView, commentView, type CommentActions, type Frame } from './comment-view.ts';
import type { LinkOutcome } from './links.ts';
import type { FailedPress } from './reader-controller.ts';
import type { ThreadState } from './thread-state.ts';

/** What the templates show. */
export interface ThreadView {
  readonly state: ThreadState;
  /** The article takes no comments. */
  readonly isClosed: boolean;
  readonly frame: Frame & { readonly actions: ThreadActs };
  /** Entries of the outbox that stand alone; the comments of the list. */
  readonly entries: readonly Branch[];
  readonly listed: readonly Branch[];
  /** Name of the list of entries. */
  readonly entriesName: string;
  /** Why the comment of a link is not there. */
  readonly outcome: LinkOutcome | undefined;
  /** Posts that the page has rendered itself and that stand in the place of the list, by their ids. */
  readonly rendered: ReadonlyMap<string, unknown>;
  readonly direction: 'ltr' | 'rtl' | undefined;
  /** There are several conversations, drawn or not. */
  readonly isOrdered: boolean;
  /** Of the list; those to choose from. */
  readonly order: PostOrder;
  readonly orders: readonly PostOrder[];
  /** The BFF has the conversations of comments that are not loaded. */
  readonly hasConversations: boolean;
  /** Of the headings of comments. */
  readonly level: number;
  /** Says how many comments are new; empty: none are. */
  readonly news: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The comment is in the document. */
  readonly isDrawn: (branch: Branch) => boolean;
  /** Keys of comments: the one that the reader replies to, the one that a link has led to, and the one whose link was copied. */
  readonly replyingTo: string | undefined;
  readonly marked: string | undefined;
  readonly copied: string | undefined;
  readonly failed: FailedPress | undefined;
  /** Ids of the comments to which a reply waits as a draft. */
  readonly drafts: ReadonlySet<string>;
  readonly composer: (comment: Comment) => TemplateResult;
}

export interface ThreadActs extends CommentActions {
  retry(): void;
  showMore(): void;
  showNews(): void;
  setOrder(order: PostOrder): void;
  /** The page's own posts are in the slot. */
  adopt(): void;
  /** The list takes the place of the page's own posts. */
  showAll(): void;
  /** Leads past the conversation. */
  skip(event: Event): void;
  /** Looks for the comment of the link again. */
  lookAgain(): void;
}

export function threadView(view: ThreadView): TemplateResult {
  const { state, entries, listed, rendered, level, isClosed, frame: { strings, tag, reportUrl, actions } } = view;
  const count = entries.length + listed.length;
  const hasRendered = rendered.size > 0;
  const more = state.name === 'listed' ? state.more : undefined;
  const isLoading = state.name === 'loading' || more === 'loading';
  const failed = state.name === 'failed' ? state : typeof more === 'object' ? more : undefined;
  const isEmpty = more === 'idle' && count === 0;
  let status = '';
  if (failed) status = strings.failed;
  else if (isLoading) status = strings.loading;
  else if (isEmpty) status = isClosed ? strings.empty : `${strings.empty} ${strings.beFirst}`;
  // The request for the first list, in the order that is shown or in another one.
  const isFirst = state.name === 'failed' || (failed !== undefined && 'order' in failed);
  // Reading has no effect, so any failure of a server may be tried again.
  const hasButton = hasRendered || (state.name === 'failed' ? state.problem.retryable || state.problem.status >= 500
    : state.name === 'listed' && (isFirst || state.nextCursor !== undefined));
  const press = hasRendered ? actions.showAll : isFirst ? actions.retry : actions.showMore;
  return html`
    <div class="thread" dir=${view.direction ?? nothing}>
      ${state.name === 'listed' ? newsView(view) : nothing}
      ${state.name === 'listed' && view.isOrdered ? orderView(view) : nothing}
      ${outcomeView(view)}
      ${listView(entries, level, view, view.entriesName)}
      ${listView(listed, level, view, strings.heading)}
      <slot ?hidden=${state.name === 'listed'} @slotchange=${actions.adopt}></slot>
      <div class="status" part="thread-status" role="status" tabindex="-1" lang=${tag}><p class=${more === 'loading' ? 'note' : isEmpty ? 'empty' : ''} ?hidden=${!status}><span
        .textContent=${status}></span></p><span class="note" id="note"></span></div>
      ${reportUrl === null ? nothing : html`<span id="tab" lang=${tag} hidden .textContent=${strings.opensTab}></span>`}
      ${hasButton ? html`
        <button class="wide" part="button" lang=${tag} aria-disabled=${isLoading || nothing}
          @click=${press} .textContent=${labelOf(view, isLoading, failed !== undefined)}></button>
      ` : nothing}
    </div>
  `;
}

/** Says what it does, and then that it does so: a line above it would move it. */
function labelOf({ frame: { strings }, rendered, marked }: ThreadView, isLoading: boolean, hasFailed: boolean): string {
  if (isLoading) return strings.loading;
  if (hasFailed) return strings.tryAgain;
  if (rendered.size === 0) return strings.showMore;
  return marked === undefined || rendered.has(marked) ? strings.showAll : strings.showLinked;
}

/** Why the comment of a link is not there, and what to do. */
function outcomeView({ outcome, frame: { tag, strings, actions } }: ThreadView): unknown {
  if (!outcome) return nothing;
  return html`<div class="missing" lang=${tag}><p .textContent=${strings[outcome]}></p>${outcome !== 'failed' ? nothing : html`<button
    part="button" @click=${actions.lookAgain} .textContent=${strings.tryAgain}></button>`}</div>`;
}

/** Without a height of its own, so that new comments move nothing. */
function newsView({ news, frame: { tag, actions } }: ThreadView): TemplateResult {
  return html`<div class="news" lang=${tag}>${
    news ? html`<button class="new" part="button" @click=${actions.showNews} .textContent=${news}></button>` : nothing}</div>`;
}

function orderView({ order, orders, frame: { tag, strings, actions } }: ThreadView): TemplateResult {
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
 *  @param level of the headings */
function listView(branches: readonly Branch[], level: number, view: ThreadView, name?: string): unknown {
  return branches.length === 0 ? nothing : html`
    <ol role="list" aria-label=${name ?? nothing}>${
      repeat(branches, ({ comment }) => nodeOf(comment), (branch) => itemView(branch, level, view))}</ol>
  `;
}

function itemView(branch: Branch, level: number, view: ThreadView): TemplateResult {
  const { comment, parent, parentName, isParentHere, replies } = branch;
  const { key, entry, isRemoved, at } = comment;
  const { replyingTo, marked, now, frame, frame: { tag, texts, own } } = view;
  const isReplying = key === replyingTo;
  return html`
    <li part="post" id=${elementId(key)} class="${key === marked ? 'marked' : ''} ${
      isRemoved ? 'removed' : ''} ${own?.isDeleted(comment) && replies.length === 0 ? 'gone' : ''} ${
      entry && entry.row !== 'posted' && !isRemoved ? 'dim' : ''} ${entry ? 'own' : ''}">
      ${avatarView(comment)}
      <div>
        ${commentView(comment, {
          level, parent, parentName, isReplying,
          // That of an entry may be a comment of another article.
          isParentLinked: isParentHere || (view.hasConversations && (entry?.entry.address ?? frame.page) === frame.page),
          isDraft: view.drafts.has(String(key)),
          isCopied: key === view.copied,
          isLong: texts.isLong(key),
          isOpen: texts.isOpen(key),
          time: relativeTime(tag, at, now),
          task: own?.taskOf(key),
          failed: key === view.failed?.id ? view.failed : undefined,
        }, frame)}
        ${isReplying ? view.composer(comment) : nothing}
        ${repliesView(branch, Math.min(level + 1, 6), view)}
      </div>
    </li>
  `;
}

function repliesView({ comment: { key }, replies }: Branch, level: number, view: ThreadView): unknown {
  const { tag, strings, actions } = view.frame;
  const drawn = replies.filter((reply) => view.isDrawn(reply));
  return drawn.length === 0 ? nothing : html`<button class="skip" part="button" lang=${tag} aria-describedby=${authorId(key)}
      @click=${actions.skip} .textContent=${strings.skipReplies}></button>
    ${listView(drawn, level, view)}`;
}
