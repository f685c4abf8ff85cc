/** Template of the thread. */

import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PostOrder } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import { referenceView } from '../lib/reference-view.ts';
import { words } from '../lib/words.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import { plural } from '../locales/phrase.ts';
import { listView, type CommentContext } from './comment-view.ts';
import type { Branch } from './comment-tree.ts';
import type { ThreadState } from './thread-state.ts';

export interface ThreadView extends CommentContext {
  readonly state: ThreadState;
  /** Above the posts that the page has rendered itself, and below them. */
  readonly above: readonly Branch[];
  readonly below: readonly Branch[];
  /** The page has rendered the first posts itself. */
  readonly hasRendered: boolean;
  /** The content of the page is not shown any more. */
  readonly isReplaced: boolean;
  readonly order: PostOrder;
  /** Of the headings of comments. */
  readonly level: number;
  readonly countNew: number;
  /** For screen readers, after an action of the reader. */
  readonly note: string;
  readonly actions: CommentContext['actions'] & {
    retry(): void;
    showMore(): void;
    showNewer(): void;
    setOrder(order: PostOrder): void;
    adopt(): void;
  };
}

export function threadView(view: ThreadView): TemplateResult {
  const { state, above, below, hasRendered, isReplaced, level, strings, tag, direction, note, actions } = view;
  const count = above.length + below.length;
  const status = statusText(state, count > 0 || hasRendered, strings);
  return html`
    <div class="thread" dir=${direction ?? nothing}>
      ${state.name === 'listed' && (count > 1 || hasRendered || view.countNew > 0) ? barView(view) : nothing}
      ${listView(above, level, view, strings.heading)}
      <slot ?hidden=${isReplaced} @slotchange=${actions.adopt}></slot>
      ${listView(below, level, view, strings.heading)}
      <div class="status" part="thread-status" role="status" lang=${tag}>${status === '' ? nothing : html`<p>${words(status)}${
        referenceView(failureOf(state), strings.reference)}</p>`}<span class="note">${words(note)}</span></div>
      ${buttonView(view)}
    </div>
  `;
}

/** There from the second comment on, so that new comments move nothing. */
function barView({ tag, strings, order, countNew, actions }: ThreadView): TemplateResult {
  const option = (value: PostOrder, text: string): unknown => (
    keyed(text, html`<option value=${value} ?selected=${value === order}>${text}</option>`)
  );
  return html`
    <div class="bar" lang=${tag}>
      ${countNew === 0 ? nothing : html`<button class="new" part="button" @click=${actions.showNewer}>${
        words(plural(tag, strings.newComments, countNew))}</button>`}
      <select aria-label=${strings.order} @change=${({ target }: Event) => actions.setOrder((target as HTMLSelectElement).value as PostOrder)}>
        ${option('newest', strings.newestFirst)}${option('oldest', strings.oldestFirst)}
      </select>
    </div>
  `;
}

function statusText(state: ThreadState, hasComments: boolean, strings: ThreadStrings): string {
  switch (state.name) {
    case 'waiting': return '';
    case 'loading': return strings.loading;
    case 'failed': return strings.failed;
    case 'listed':
      if (state.more === 'loading') return strings.loading;
      if (state.more !== 'idle') return strings.failed;
      return hasComments ? '' : strings.empty;
  }
}

function failureOf(state: ThreadState): WidgetProblem | undefined {
  if (state.name === 'failed') return state.problem;
  return state.name === 'listed' && typeof state.more === 'object' ? state.more.problem : undefined;
}

/** The same button while more posts load, so that it keeps the focus. */
function buttonView({ state, strings, tag, actions: { retry, showMore } }: ThreadView): unknown {
  const button = (text: string, press: () => void, isBusy = false): TemplateResult => (
    html`<button class="wide" part="button" lang=${tag} aria-disabled=${isBusy || nothing} @click=${press}>${words(text)}</button>`
  );
  if (state.name === 'failed') return isRepeatable(state.problem) ? button(strings.tryAgain, retry) : nothing;
  if (state.name !== 'listed' || state.nextCursor === undefined) return nothing;
  return button(typeof state.more === 'object' ? strings.tryAgain : strings.showMore, showMore, state.more === 'loading');
}

/** Reading has no effect, so any failure of a server may be tried again. */
function isRepeatable({ retryable, status }: WidgetProblem): boolean {
  return retryable || status >= 500;
}
