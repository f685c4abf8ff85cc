/** Templates and look of conversations: why a link leads nowhere, whom a reply answers, and the way past the replies. */

import { css, html, nothing, type TemplateResult } from 'lit';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { phraseWith } from '../locales/phrase.ts';
import type { Branch } from './branches.ts';
import { shownName, type Comment } from './comment-tree.ts';
import type { LinkOutcome } from './links.ts';

/** What the templates of conversations show. */
export interface LinkView {
  readonly outcome: LinkOutcome | undefined;
  /** Looks for the comment of the link again. */
  lookAgain(): void;
}

export interface Words {
  readonly tag: string;
  readonly strings: ThreadStrings;
}

/** Why the comment of a link is not there, and what to do. */
export function outcomeView({ outcome, lookAgain }: LinkView, { tag, strings }: Words): unknown {
  if (!outcome) return nothing;
  const text = { further: strings.linkFurther, absent: strings.linkNotFound, failed: strings.failed }[outcome];
  return html`<div class="missing" lang=${tag}><p .textContent=${text}></p>${outcome !== 'failed' ? nothing : html`<button
    part="button" @click=${lookAgain} .textContent=${strings.tryAgain}></button>`}</div>`;
}

/** Whom a reply answers that does not stand below its parent: one line, which leads there. @param href of the parent */
export function replyToView(
  { comment, replyTo }: Branch, href: string, follow: (event: MouseEvent) => void, { tag, strings }: Words,
): TemplateResult {
  const name = replyTo?.name ?? comment.quote?.username;
  const text = comment.quote?.message;
  const phrase = name === undefined ? strings.inReplyToEarlier : text === undefined ? strings.inReplyTo : strings.quote;
  return html`<div class="reply-to"><a class=${text === undefined ? '' : 'quote'} lang=${tag} dir="auto" href=${href} @click=${follow}>${phraseWith(phrase, {
    name: html`<bdi class="cut" translate="no">${shownName(name ?? '')}</bdi>`, text: html`<bdi lang="">${text}</bdi>`,
  })}</a></div>`;
}

/** @param author id of the element of the author of their parent */
export function skipView(author: string, skip: (event: Event) => void, { tag, strings }: Words): TemplateResult {
  return html`<button class="skip" part="button" lang=${tag} aria-describedby=${author} @click=${skip}
    .textContent=${strings.skipReplies}></button>`;
}

export function pickView({ isPick, isRemoved }: Comment, { tag, strings }: Words): unknown {
  return isPick && !isRemoved ? html`<span class="badge pick" part="badge" lang=${tag} .textContent=${strings.pick}></span>` : nothing;
}

export const conversationStyles = css`
  .reply-to .cut {
    display: inline-block;
    max-inline-size: 100%;
    vertical-align: bottom;
  }
  /* One line. Name and text are cut at their own ends, each in its own direction. */
  .reply-to .quote {
    display: flex;
    overflow: hidden;
    padding-inline-start: 0.5em;
    border-inline-start: 2px solid var(--v-line);
    white-space: pre;
    > * {
      flex: none;
    }
    > bdi {
      flex: 0 1 auto;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .cut {
      max-inline-size: 50%;
    }
  }
  /* Over the replies, while it has the focus. */
  .skip.skip {
    position: absolute;
    z-index: 1;
    min-block-size: 44px;
  }
`;
