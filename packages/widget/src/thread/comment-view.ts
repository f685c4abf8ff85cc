/** Templates of comments. The language of the interface is put on its own words only: times and buttons. */

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { isBlank } from '@vestibule/shared';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { fill } from '../locales/phrase.ts';
import { exactTime, relativeTime } from '../locales/relative-time.ts';
import { words } from '../lib/words.ts';
import { elementId, fragmentOf, reportLink } from './comment-link.ts';
import type { Branch, Comment } from './comment-tree.ts';
import { initials, tint } from './initials.ts';
import { excerpt, splitLinks } from './text-segments.ts';

/** What a comment needs of the element. */
export interface CommentContext {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl' | undefined;
  readonly strings: ThreadStrings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** URL of the article. */
  readonly page: string;
  readonly reportUrl: string | null;
  readonly takesReplies: boolean;
  /** Keys of comments: the one that the reader replies to, the one that a link has led to, and the one whose link was copied. */
  readonly replyingTo: string | undefined;
  readonly marked: string | undefined;
  readonly copied: string | undefined;
  readonly isExpanded: (key: Comment['key']) => boolean;
  readonly composer: (comment: Comment) => TemplateResult;
  readonly actions: {
    expand(key: Comment['key']): void;
    reply(id: string): void;
    copy(id: string): void;
    follow(event: MouseEvent, id: string): void;
  };
}

/** `role`: Safari drops that of a list without markers.
 *  @param level of the headings */
export function listView(branches: readonly Branch[], level: number, context: CommentContext, name?: string): unknown {
  return branches.length === 0 ? nothing : html`
    <ol role="list" aria-label=${name ?? nothing}>${
      repeat(branches, ({ comment }) => comment.key, (branch) => itemView(branch, level, context))}</ol>
  `;
}

function itemView({ comment, replyTo, replies }: Branch, level: number, context: CommentContext): TemplateResult {
  const { key, username } = comment;
  return html`
    <li part="post" id=${elementId(String(key))} class=${key === context.marked ? 'marked' : comment.mark ?? nothing}>
      <div class="avatar tint-${tint(username)}" aria-hidden="true" translate="no">${initials(username)}</div>
      <div>
        <div dir="auto">
          <div class="text">
            ${bylineView(comment, level, context)}
            ${replyTo ? replyToView(replyTo, context) : nothing}
            ${messageView(comment, context)}
          </div>
          ${wholeView(comment, context)}
          ${comment.mark ? html`<div class="tag" lang=${context.tag}>${words(context.strings[comment.mark])}</div>` : nothing}
          ${typeof key === 'string' ? actsView(key, context) : nothing}
        </div>
        ${key === context.replyingTo ? context.composer(comment) : nothing}
        ${listView(replies, Math.min(level + 1, 6), context)}
      </div>
    </li>
  `;
}

/** Only the message has a part in the direction of the comment: the name is isolated, and the time has a direction of its own. */
function bylineView({ key, username, badge, createdAt, at }: Comment, level: number, context: CommentContext): TemplateResult {
  const { tag, now, page, actions } = context;
  const time = html`<time datetime=${createdAt} title=${exactTime(tag, at)}>${words(relativeTime(tag, at, now))}</time>`;
  return html`
    <div class="byline">
      <div class="author" role="heading" tabindex="-1" aria-level=${level}>${nameView(username)}</div>
      ${badge === undefined ? nothing : html`<bdi class="badge" part="badge" translate="no">${badge}</bdi>`}
      <span class="time" lang=${tag} dir="auto">${typeof key === 'number' ? time : html`
        <a href=${page + fragmentOf(key)} @click=${(event: MouseEvent) => actions.follow(event, key)}>${time}</a>`}</span>
    </div>
  `;
}

function replyToView({ id, name }: NonNullable<Branch['replyTo']>, context: CommentContext): TemplateResult {
  const { strings, tag, page, actions } = context;
  const phrase = name === undefined ? strings.inReplyToEarlier : strings.inReplyTo;
  return html`<div class="reply-to"><a lang=${tag} dir="auto" href=${page + fragmentOf(id)} @click=${(event: MouseEvent) => actions.follow(event, id)}>${
    keyed(phrase, html`<span>${fill(phrase, { name: nameView(name ?? '') })}</span>`)}</a></div>`;
}

function nameView(username: string): TemplateResult {
  return html`<bdi translate="no">${isBlank(username) ? '–' : username}</bdi>`;
}

function messageView({ key, message }: Comment, { isExpanded }: CommentContext): unknown {
  const isWhole = isExpanded(key);
  return guard([message, isWhole], () => {
    const beginning = isWhole ? undefined : excerpt(message);
    return html`<p class="message" part="message">${textView(beginning ?? message)}${beginning === undefined ? nothing : '…'}</p>`;
  });
}

function wholeView({ key, message }: Comment, { isExpanded, strings, tag, actions }: CommentContext): unknown {
  if (isExpanded(key) || excerpt(message) === undefined) return nothing;
  return html`<button class="quiet whole" part="button" lang=${tag} @click=${() => actions.expand(key)}>${words(strings.showWhole)}</button>`;
}

/** No space between the pieces: the text is pre-formatted. */
function textView(text: string): unknown {
  return splitLinks(text).map((segment) => (segment.kind === 'text'
    ? segment.text
    : html`<a dir="ltr" href=${segment.href} target="_blank" rel="ugc nofollow noopener">${segment.text}</a>`));
}

function actsView(id: string, context: CommentContext): TemplateResult {
  const { strings, tag, takesReplies, replyingTo, copied, reportUrl, actions } = context;
  const report = reportLink(reportUrl, id);
  return html`
    <div class="acts" lang=${tag}>
      ${takesReplies ? html`<button class="quiet reply" part="button" aria-expanded=${id === replyingTo} @click=${() => actions.reply(id)}>${
        words(strings.reply)}</button>` : nothing}
      ${isSecureContext ? html`<button class="quiet" part="button" @click=${() => actions.copy(id)}>${
        words(id === copied ? strings.linkCopied : strings.copyLink)}</button>` : nothing}
      ${report === undefined ? nothing : html`<a class="quiet" href=${report} target="_blank" rel="noopener">${words(strings.report)}</a>`}
    </div>
  `;
}
