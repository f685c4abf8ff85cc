/**
 * Template of one comment, without its replies. An update renders the comments that have changed: what one shows is in `Comment`,
 * `Item` and `Frame`, and nowhere else. The language of the interface is put on its own words only: times and buttons.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { hueStyle, initials } from '../lib/avatar.ts';
import { buttonView, menuView, type RowButton } from '../lib/row-menu.ts';
import type { ActionStrings } from '../locales/en-actions.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { formatNumber, phraseWith, plural } from '../locales/phrase.ts';
import { exactTime } from '../locales/relative-time.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { OwnParts, ThreadActions } from './actions.ts';
import { fragmentOf } from './comment-address.ts';
import { shownName, type Comment } from './comment-tree.ts';
import type { FailedPress } from './reader-controller.ts';
import { foldView, textView, type TextFolds } from './text-view.ts';
import { parseUrl } from '../lib/parse-url.ts';

/** What stands in the comment of an entry. */
export interface EntryParts {
  /** The row; `undefined`: that of an ordinary comment. */
  readonly row: TemplateResult | undefined;
  /** Nobody else sees it. */
  readonly isDim: boolean;
}

/** What all comments share. The members of both change when, and only when, what they show does. */
export interface Frame {
  readonly tag: string;
  readonly strings: ThreadStrings;
  readonly actionStrings: ActionStrings;
  /** URL of the article. */
  readonly page: string;
  readonly reportUrl: string | null;
  readonly takesReplies: boolean;
  readonly hasLikes: boolean;
  /** Of the reader's own comments. */
  readonly canEdit: boolean;
  readonly canRemove: boolean;
  readonly texts: TextFolds;
  /** Once it is loaded. */
  readonly own: ThreadActions | undefined;
  readonly entryParts: ((entry: ShownEntry, own: readonly RowButton[]) => EntryParts) | undefined;
  readonly actions: CommentActions;
}

export interface CommentActions {
  reply(id: string): void;
  copy(id: string): void;
  like(comment: Comment): void;
  edit(comment: Comment): void;
  remove(comment: Comment): void;
  follow(event: MouseEvent, id: string): void;
}

/** What the thread knows of the comment. */
export interface Item {
  /** Of its heading. */
  readonly level: number;
  /** Of a reply that does not stand directly below its parent: id of that, name of its author, if it is known, and whether a link
   *  leads there. */
  readonly parent: string | undefined;
  readonly parentName: string | undefined;
  readonly isParentLinked: boolean;
  /** The reader replies to it; a reply waits as a draft; its link was copied. */
  readonly isReplying: boolean;
  readonly isDraft: boolean;
  readonly isCopied: boolean;
  /** Its text is long; the reader has opened it. */
  readonly isLong: boolean;
  readonly isOpen: boolean;
  /** Relative to now. */
  readonly time: string;
  /** What the reader does with it. */
  readonly task: unknown;
  /** What they pressed last, if its script did not load. */
  readonly failed: FailedPress | undefined;
}

/** An entry is rendered anew each time: the box knows what stands in it. */
export function commentView(comment: Comment, item: Item, frame: Frame): unknown {
  const view = (): TemplateResult => contentView(comment, item, frame);
  return comment.entry ? view() : guard([...Object.values(comment), ...Object.values(item), ...Object.values(frame)], view);
}

export function avatarView({ username }: Comment): unknown {
  return guard([username], () => html`<div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(username)}
    .textContent=${initials(username)}></div>`);
}

/**
 * One template, because a list has a hundred of them. A text of the interface is the content of its element as a whole, so that a
 * page's translation does not keep an earlier one. Only the message has the direction of the comment.
 */
function contentView(comment: Comment, item: Item, frame: Frame): TemplateResult {
  const { key, entry, username, badge, createdAt, at, editedAt, isPick, isRemoved, mark } = comment;
  const { tag, strings, page, texts, actions } = frame;
  const own = frame.own?.partsOf(comment);
  const id = typeof key === 'string' ? key : undefined;
  const buttons = ownButtons(comment, own, frame);
  const entryRow = entry && !isRemoved ? frame.entryParts?.(entry, Object.values(buttons)).row : undefined;
  // What others can see and answer.
  const isPublic = id !== undefined && !isRemoved && !entryRow && mark !== 'pending';
  const author = authorId(key);
  const hidden = own?.editor !== undefined || isRemoved === true;
  const row = own?.question ?? entryRow ?? (hidden ? nothing : rowView(comment, buttons, isPublic ? id : undefined, item, frame));
  return html`
    <div>
      <div class="text">
        <div class="byline">
          <div class="by">
            <span class="author cut" id=${author} role="heading" tabindex="-1" aria-level=${item.level} data-entry=${entry?.entry.id ?? nothing}>${
              isRemoved ? html`<span lang=${tag} .textContent=${own?.deleted ?? strings.removed}></span>`
                : html`<bdi translate="no" .textContent=${shownName(username)}></bdi>`}</span>${
              badge === undefined ? nothing : html`<bdi class="badge cut" part="badge" translate="no">${badge}</bdi>`}
            ${isPick && !isRemoved ? html`<span class="badge pick" part="badge" lang=${tag} .textContent=${strings.pick}></span>` : nothing}
          </div>
          <a class="time" lang=${tag} dir="auto" href=${isPublic ? page + fragmentOf(id) : nothing}
            @click=${isPublic ? (event: MouseEvent) => actions.follow(event, id) : nothing}><time
            datetime=${createdAt} title=${exactTime(tag, at)} .textContent=${item.time}></time></a>
          ${editedAt === undefined || isRemoved ? nothing : html`<time class="tag" lang=${tag} dir="auto" datetime=${editedAt}
            title=${exactTime(tag, Date.parse(editedAt))} .textContent=${strings.edited}></time>`}
        </div>
        ${replyToView(item, frame)}
        ${textView(comment, hidden, texts)}
      </div>
      ${hidden ? nothing : foldView(comment, author, texts, frame)}
      ${own?.editor ?? nothing}
      ${row}
      ${own?.notes ?? nothing}
      ${item.failed ? html`<p class="failure" part="alert" role="alert" lang=${tag}>${item.failed.text} <button part="button"
        @click=${item.failed.again} .textContent=${strings.tryAgain}></button></p>` : nothing}
    </div>
  `;
}

/** Of the reader's own comment, whose text stays while it is edited, also if it was removed meanwhile. */
function ownButtons(
  comment: Comment, own: OwnParts | undefined, { canEdit, canRemove, actions, actionStrings: strings }: Frame,
): { readonly edit?: RowButton; readonly remove?: RowButton } {
  const { isEditing = false, isSaving = false } = own ?? {};
  const isHere = typeof comment.key === 'string' && (isEditing || (comment.isOwn === true && !comment.isRemoved));
  return {
    ...isHere && canEdit && { edit: {
      label: isSaving ? strings.busy : strings.edit, click: () => actions.edit(comment), isBusy: isSaving,
    } },
    ...isHere && canRemove && !isSaving && { remove: {
      label: strings.remove, click: () => actions.remove(comment), isDanger: true,
    } },
  };
}

/** Whom a reply answers that does not stand below its parent: one line. */
function replyToView({ parent, parentName, isParentLinked }: Item, { tag, strings, page, actions }: Frame): unknown {
  if (parent === undefined) return nothing;
  const text = phraseWith(parentName === undefined ? strings.inReplyToEarlier : strings.inReplyTo, {
    name: html`<bdi class="cut" translate="no">${shownName(parentName ?? '')}</bdi>`,
  });
  return html`<div class="reply-to"><bdi lang=${tag}>${!isParentLinked ? text : html`<a href=${page + fragmentOf(parent)}
    @click=${(event: MouseEvent) => actions.follow(event, parent)}>${text}</a>`}</bdi></div>`;
}

/** Two or three words, of which "Reply" is the first at each comment; the rest is in the menu.
 *  @param id of a comment that others see */
function rowView(
  comment: Comment, { edit, remove }: ReturnType<typeof ownButtons>, id: string | undefined, item: Item, frame: Frame,
): TemplateResult {
  const { key, isOwn } = comment;
  const { isReplying, isDraft, isCopied } = item;
  const { tag, strings, reportUrl, actions } = frame;
  const author = authorId(key);
  const report = id === undefined || isOwn ? undefined : reportLink(reportUrl, id);
  const items = [
    id === undefined || !isSecureContext ? nothing
      : buttonView({ label: strings.copyLink, click: () => actions.copy(id) }, author),
    report === undefined ? nothing : html`<a class="quiet" href=${report} target="_blank" rel="noopener" aria-describedby="${author} tab"
      .textContent=${strings.report}></a>`,
    remove ? buttonView(remove, author) : nothing,
  ];
  return html`
    <div class="acts" lang=${tag}>
      ${id !== undefined && frame.takesReplies ? html`<button class="quiet reply" part="button" aria-expanded=${isReplying}
        aria-describedby=${author} @click=${() => actions.reply(id)}
        .textContent=${isDraft && !isReplying ? strings.continueReply : strings.reply}></button>` : nothing}
      ${frame.hasLikes && id !== undefined ? likeView(comment, author, frame) : nothing}
      ${edit ? buttonView(edit, author, 'edit') : nothing}
      ${items.some((one) => one !== nothing) ? menuView({
        id: `menu-${encodeURIComponent(key)}`, label: strings.more, author, content: isCopied ? '✓' : '…',
      }, items) : nothing}
    </div>
  `;
}

/** A number has its noun for screen readers. */
function likeView(comment: Comment, author: string, { tag, strings, actions }: Frame): unknown {
  const { likes = 0, isLiked = false, isOwn = false } = comment;
  const noun = plural(tag, strings.likes, likes);
  const number = formatNumber(tag, likes);
  if (isOwn) return likes > 0 ? html`<span class="likes"><span class="note" .textContent=${noun}></span><span
    class="number" aria-hidden="true" .textContent=${number}></span></span>` : nothing;
  // The first digit has its place before it is there.
  return html`
    <button class="quiet like" part="button" aria-pressed=${isLiked} aria-describedby=${author} @click=${() => actions.like(comment)}><span
      .textContent=${strings.like}></span> <span class="number" aria-hidden="true" .textContent=${likes > 0 ? number : ''}></span>${
        likes > 0 ? html`<span class="note" .textContent=${noun}></span>` : nothing}</button>
  `;
}

/** Id of the element of its author, without spaces: `aria-describedby` is a list. */
export const authorId = (key: Comment['key']): string => `by-${encodeURIComponent(key)}`;

/** Where the comment `id` can be reported: `{id}` may stand in the path and the query of `template`. */
function reportLink(template: string | null, id: string): string | undefined {
  const url = template ? parseUrl(template) : undefined;
  return url?.protocol.startsWith('http') && !url.host.includes('{') ? template!.replaceAll('{id}', encodeURIComponent(id)) : undefined;
}
