/** Templates of comments. The language of the interface is put on its own words only: times and buttons. */

import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isBlank } from '@vestibule/shared';
import { hueStyle, initials } from '../lib/avatar.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { phraseWith } from '../locales/phrase.ts';
import { exactTime, relativeTime } from '../locales/relative-time.ts';
import { elementId, fragmentOf, reportLink } from './comment-link.ts';
import type { Branch, Comment } from './comment-tree.ts';
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

/**
 * One template, because a list has a hundred of them. A text of the interface is the content of its element as a whole, so that a
 * page's translation does not keep an earlier one. Only the message has a part in the direction of the comment: the name is
 * isolated, and the time has a direction of its own.
 */
function itemView({ comment, replyTo, replies }: Branch, level: number, context: CommentContext): TemplateResult {
  const { key, username, badge, message, createdAt, at, mark } = comment;
  const { tag, strings, now, page, reportUrl, replyingTo, actions } = context;
  const id = typeof key === 'string' ? key : undefined;
  const isWhole = context.isExpanded(key);
  const beginning = isWhole ? undefined : excerpt(message);
  const report = id === undefined ? undefined : reportLink(reportUrl, id);
  return html`
    <li part="post" id=${elementId(String(key))} class=${key === context.marked ? 'marked' : mark ?? nothing}>
      <div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(username)} .textContent=${initials(username)}></div>
      <div>
        <div dir="auto">
          <div class="text">
            <div class="byline">
              <div>
                <div class="author" role="heading" tabindex="-1" aria-level=${level}><bdi translate="no" .textContent=${shown(username)}></bdi></div>${
                  badge === undefined ? nothing : html`<bdi class="badge" part="badge" translate="no">${badge}</bdi>`}
              </div>
              <a class="time" lang=${tag} dir="auto" href=${id === undefined ? nothing : page + fragmentOf(id)}
                @click=${id === undefined ? nothing : (event: MouseEvent) => actions.follow(event, id)}><time
                datetime=${createdAt} title=${exactTime(tag, at)} .textContent=${relativeTime(tag, at, now)}></time></a>
            </div>
            ${replyTo ? replyToView(replyTo, context) : nothing}
            <p class="message" part="message">${guard([message, isWhole], () => textView(beginning === undefined ? message : `${beginning}…`))}</p>
          </div>
          ${beginning === undefined ? nothing : html`
            <button class="quiet whole" part="button" lang=${tag} @click=${() => actions.expand(key)} .textContent=${strings.showWhole}></button>`}
          ${mark ? html`<div class="tag"><span lang=${tag} dir="auto" .textContent=${strings[mark]}></span></div>` : nothing}
          <div class="acts" lang=${tag} ?hidden=${id === undefined}>
            <button class="quiet reply" part="button" ?hidden=${!context.takesReplies} aria-expanded=${key === replyingTo}
              @click=${() => actions.reply(id!)} .textContent=${strings.reply}></button>
            <button class="quiet" part="button" ?hidden=${!isSecureContext}
              @click=${() => void actions.copy(id!)} .textContent=${key === context.copied ? strings.linkCopied : strings.copyLink}></button>
            <a class="quiet" ?hidden=${report === undefined} href=${report ?? nothing} target="_blank" rel="noopener"
              .textContent=${strings.report}></a>
          </div>
        </div>
        ${key === replyingTo ? context.composer(comment) : nothing}
        ${listView(replies, Math.min(level + 1, 6), context)}
      </div>
    </li>
  `;
}

function replyToView({ id, name }: NonNullable<Branch['replyTo']>, context: CommentContext): TemplateResult {
  const { strings, tag, page, actions } = context;
  const phrase = name === undefined ? strings.inReplyToEarlier : strings.inReplyTo;
  return html`<div class="reply-to"><a lang=${tag} dir="auto" href=${page + fragmentOf(id)} @click=${(event: MouseEvent) => actions.follow(event, id)}>${
    phraseWith(phrase, { name: html`<bdi translate="no">${shown(name ?? '')}</bdi>` })}</a></div>`;
}

function shown(username: string): string {
  return isBlank(username) ? '–' : username;
}

/** No space between the pieces: the text is pre-formatted. */
function textView(text: string): unknown {
  return !text.includes('://') ? text : splitLinks(text).map((segment) => (segment.kind === 'text'
    ? segment.text
    : html`<a dir="ltr" href=${segment.href} target="_blank" rel="ugc nofollow noopener">${segment.text}</a>`));
}
