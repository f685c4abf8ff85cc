/** Templates of the entries of the outbox: the row that tells the state of each, and its buttons. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WidgetProblem } from '../client/problem.ts';
import { hueStyle, initials } from '../lib/avatar.ts';
import { referenceView } from '../lib/reference-view.ts';
import { buttonView, type RowButton } from '../lib/row-menu.ts';
import { phraseWith } from '../locales/phrase.ts';
import { typeOf } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { BoxEntries } from './box-entries.ts';
import type { EntryParts } from '../thread/comment-view.ts';
import { questionView } from '../writing/question-view.ts';
import { reasonView } from '../writing/reason-view.ts';

/** @param own buttons of the reader's comment, once the BFF has one for the entry */
export function entryParts(shown: ShownEntry, entries: BoxEntries, own: readonly RowButton[]): EntryParts {
  const isPosted = shown.row === 'posted';
  return { row: isPosted ? undefined : rowView(shown, entries, own), isDim: !isPosted };
}

function rowView(shown: ShownEntry, entries: BoxEntries, own: readonly RowButton[]): TemplateResult {
  const { entry, isKept } = shown;
  const { strings, actions: { confirmRemove, keep, remove }, language, name } = entries;
  return html`
    <div class="entry" data-entry=${entry.id} lang=${language}>
      <div class="say" role="group" aria-label=${name} tabindex="-1" dir="auto">${textOf(shown, entries)}${
        isKept ? nothing : html` ${phraseWith(strings.row.notKept)}`}${
        entries.isHere(entry) ? nothing : html` <a href=${entry.address}>${phraseWith(strings.row.show)}</a>`}</div>
      ${entries.isAsked(entry) ? questionView({
        id: `ask-${entry.id}`, question: confirmRemove, keep, remove,
        onKeep: () => entries.answer(entry, false), onRemove: () => entries.answer(entry, true),
      }) : html`<div class="entry-acts">${
        repeat(buttonsOf(shown, entries, own), ({ label }) => label, (button) => buttonView(button))}</div>`}
    </div>
  `;
}

/** Another attempt with the same text would fail, too. */
function isOfText(problem: WidgetProblem | undefined): boolean {
  return problem !== undefined && ['post-rejected', 'message-too-long'].includes(typeOf(problem));
}

function textOf({ entry: { problem }, row }: ShownEntry, { strings: { row: texts }, problems }: BoxEntries): unknown {
  switch (row) {
    case 'posting': return phraseWith(texts.posting);
    case 'trying': return phraseWith(texts.trying);
    case 'offline': return phraseWith(texts.offline);
    case 'unknown': return [phraseWith(texts.unknown), referenceView(problem, problems.reference)];
    case 'held': return phraseWith(texts.held);
    case 'not-posted': {
      if (!problem) return phraseWith(texts.notPostedPlain);
      // The words of `user-changed` are those of the form.
      const reason = typeOf(problem) === 'user-changed' ? problems['user-mismatch'] : reasonView(problem, problems);
      const text = phraseWith(texts.notPosted, { reason });
      // A decision of the editors is no failure.
      return isOfText(problem) ? text : [text, referenceView(problem, problems.reference)];
    }
    case 'posted': return nothing;
  }
}

function buttonsOf({ entry, row }: ShownEntry, entries: BoxEntries, own: readonly RowButton[]): readonly RowButton[] {
  const { strings: { action }, actions: { remove } } = entries;
  const again = (label: string): readonly RowButton[] => (
    entries.isSignedIn(entry) ? [{ label, click: () => entries.postAgain(entry) }] : []
  );
  const removal: RowButton = { label: remove, click: () => entries.ask(entry), isDanger: true };
  switch (row) {
    case 'trying': case 'offline': return [{ label: action.stop, click: () => entries.stop(entry) }];
    case 'not-posted': {
      const edit = entries.isHere(entry) ? [{ label: action.edit, click: () => entries.edit(entry) }] : [];
      return [...isOfText(entry.problem) ? [] : again(action.tryAgain), ...edit, removal];
    }
    case 'unknown': return [...again(action.postAgain), removal];
    case 'held': return own;
    default: return [];
  }
}

/** The list of a box without a thread. */
export function entriesView(entries: BoxEntries, tag: string): unknown {
  const { shown, strings } = entries;
  return shown.length === 0 ? nothing : html`
    <ol class="entries" role="list" part="posts" aria-label=${strings.heading}>${repeat(shown, ({ entry }) => entry.id, (one) => {
      const { id, user, text, pressedAt, inReplyTo } = one.entry;
      const { row, isDim } = entries.parts(one);
      return html`
        <li part="post" class=${isDim ? 'dim' : ''}>
          <div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(user.username)} .textContent=${initials(user.username)}></div>
          <div>
            <p class="byline" tabindex="-1" data-entry=${id}><bdi translate="no">${user.username}</bdi>
              <time datetime=${new Date(pressedAt).toISOString()}>${timeOf(new Date(pressedAt), tag)}</time></p>
            ${inReplyTo === undefined ? nothing : html`<p class="tag"><bdi translate="no">${inReplyTo}</bdi></p>`}
            <p class="message" part="message" dir="auto">${text}</p>
            ${row ?? nothing}
          </div>
        </li>
      `;
    })}</ol>
  `;
}

/** With the date of another day. */
function timeOf(time: Date, tag: string): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(tag, { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) });
}
