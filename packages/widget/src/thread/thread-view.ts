/** Templates of the thread. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { isBlank, type ListedPost } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { exactTime, relativeTime } from '../locales/relative-time.ts';
import { referenceView } from '../lib/reference-view.ts';
import { initials, tint } from './initials.ts';
import { excerpt, splitLinks } from './text-segments.ts';
import type { ThreadState } from './thread-state.ts';

export interface ThreadView {
  readonly state: ThreadState;
  /** Own posts that are not listed, newest first. */
  readonly unlisted: readonly OwnPost[];
  /** The page has rendered the first posts itself. */
  readonly hasRendered: boolean;
  readonly isExpanded: (key: string) => boolean;
}

export interface ThreadActions {
  retry(): void;
  showMore(): void;
  expand(key: string): void;
  adopt(): void;
}

export interface ThreadWords {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl' | undefined;
  readonly headingLevel: number;
  readonly strings: ThreadStrings;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A post in either list. */
interface Item {
  readonly key: string;
  readonly username: string;
  readonly message: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly isUnlisted: boolean;
}

/** Explicit: Safari drops the role of a list without markers. */
const LIST_ROLE = 'list';

export function threadView(view: ThreadView, words: ThreadWords, actions: ThreadActions): TemplateResult {
  const { state, unlisted, hasRendered } = view;
  const own = unlisted.map(toOwnItem);
  const listed = state.name === 'listed' ? state.posts.map(toItem) : [];
  const list = (items: readonly Item[]): unknown => (items.length === 0 ? nothing : html`
    <ol role=${LIST_ROLE} aria-labelledby="heading">${repeat(items, ({ key }) => key, (item) => itemView(item, view, words, actions))}</ol>
  `);
  return html`
    <div class="thread" part="thread" lang=${words.tag} dir=${words.direction ?? nothing}>
      <div id="heading" part="thread-heading" role="heading" aria-level=${level(words, 0)}>${words.strings.heading}</div>
      ${list(hasRendered ? own : [...own, ...listed])}
      <slot @slotchange=${actions.adopt}></slot>
      ${hasRendered ? list(listed) : nothing}
      <div class="status" part="thread-status" role="status">${statusText(state, own.length > 0 || hasRendered, words)}${
        referenceView(failureOf(state), words.strings.reference)}</div>
      ${buttonView(state, words, actions)}
    </div>
  `;
}

function statusText(state: ThreadState, hasOther: boolean, { strings }: ThreadWords): string {
  switch (state.name) {
    case 'waiting': return '';
    case 'loading': return strings.loading;
    case 'failed': return strings.failed;
    case 'listed':
      if (state.more === 'loading') return strings.loading;
      if (state.more !== 'idle') return strings.failed;
      return state.posts.length === 0 && !hasOther ? strings.empty : '';
  }
}

function failureOf(state: ThreadState): WidgetProblem | undefined {
  if (state.name === 'failed') return state.problem;
  return state.name === 'listed' && typeof state.more === 'object' ? state.more.problem : undefined;
}

/** The same button while more posts load, so that it keeps the focus. */
function buttonView(state: ThreadState, { strings }: ThreadWords, { retry, showMore }: ThreadActions): unknown {
  if (state.name === 'failed') return isRepeatable(state.problem) ? html`<button class="wide" part="button" @click=${retry}>${strings.tryAgain}</button>` : nothing;
  if (state.name !== 'listed' || state.nextCursor === undefined) return nothing;
  return html`
    <button class="wide" part="button" aria-disabled=${state.more === 'loading' || nothing} @click=${showMore}>${
      typeof state.more === 'object' ? strings.tryAgain : strings.showMore}</button>
  `;
}

/** Reading has no effect, so any failure of a server may be tried again. */
function isRepeatable({ retryable, status }: WidgetProblem): boolean {
  return retryable || status >= 500;
}

function itemView(item: Item, view: ThreadView, words: ThreadWords, actions: ThreadActions): TemplateResult {
  const { key, username, message, createdAt, isUnlisted } = item;
  const { tag, strings, now } = words;
  const at = Date.parse(createdAt);
  const beginning = view.isExpanded(key) ? undefined : excerpt(message);
  return html`
    <li part="post" data-key=${key}>
      <div class="initials tint-${tint(username)}" aria-hidden="true">${initials(username)}</div>
      <div class="byline">
        <div class="author" role="heading" tabindex="-1" aria-level=${level(words, 1)}><bdi>${isBlank(username) ? '–' : username}</bdi></div>
        <time datetime=${createdAt} title=${exactTime(tag, at)}>${relativeTime(tag, at, now)}</time>
        ${isUnlisted ? html`<span class="mark">${strings.unlisted}</span>` : nothing}
      </div>
      <p class="message" part="message" dir="auto">${textView(beginning ?? message)}${beginning === undefined ? nothing : '…'}</p>
      ${beginning === undefined ? nothing : html`<button class="more" part="button" @click=${() => actions.expand(key)}>${strings.showWhole}</button>`}
    </li>
  `;
}

/** No space between the pieces: the text is pre-formatted. */
function textView(text: string): unknown {
  return splitLinks(text).map((segment) => (segment.kind === 'text'
    ? segment.text
    : html`<a dir="ltr" href=${segment.href} target="_blank" rel="ugc nofollow noopener">${segment.text}</a>`));
}

function toItem({ id, author, message, created_at }: ListedPost): Item {
  return { key: id, username: author.username, message, createdAt: created_at, isUnlisted: false };
}

function toOwnItem({ user, message, at }: OwnPost): Item {
  return { key: `own:${at}`, username: user.username, message, createdAt: new Date(at).toISOString(), isUnlisted: true };
}

function level({ headingLevel }: ThreadWords, below: number): number {
  return Math.min(headingLevel + below, 6);
}
