/** Templates of the entries of the outbox: the row that tells the state of each, its buttons and its editor. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { hueStyle, initials } from '../lib/avatar.ts';
import { referenceView } from '../lib/reference-view.ts';
import { byLanguage } from '../locales/by-language.ts';
import type { EntryStrings } from '../locales/en-entries.ts';
import type { ProblemStrings } from '../locales/en-problems.ts';
import { phraseWith } from '../locales/phrase.ts';
import type { EntryKey, OutboxEntry } from '../outbox/outbox-entry.ts';
import type { ShownEntry } from '../outbox/press.ts';
import { mayAppearTwice } from '../outbox/outbox-state.ts';
import { reasonView } from './reason-view.ts';

/** What the buttons of an entry do. */
export interface EntryActions {
  tryNow(entry: EntryKey): void;
  stop(entry: EntryKey): void;
  tryAgain(entry: OutboxEntry): void;
  postAgain(entry: OutboxEntry): void;
  signInAndPost(entry: OutboxEntry): void;
  edit(entry: OutboxEntry): void;
  write(entry: OutboxEntry, text: string): void;
  cancelEdit(entry: OutboxEntry): void;
  submitEdit(entry: OutboxEntry): void;
  remove(entry: EntryKey): void;
  undo(entry: EntryKey): void;
  confirm(entry: EntryKey): void;
  toggle(set: 'unfolded' | 'opened', entry: EntryKey): void;
}

export interface EntryModel {
  readonly tag: string;
  readonly strings: EntryStrings;
  readonly problems: ProblemStrings;
  readonly isEditing: boolean;
  /** The whole reason is shown. */
  readonly isUnfolded: boolean;
  /** The buttons beside the first are shown in a narrow row, too. */
  readonly isOpened: boolean;
  /** Opaque id of the session; `undefined` without one. */
  readonly session: string | undefined;
  /** The account of the entry is signed in. */
  readonly isSignedIn: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What stands in the comment of an entry. */
export interface EntryParts {
  /** The row; `undefined`: that of an ordinary comment. */
  readonly row: TemplateResult | undefined;
  /** In place of the text. */
  readonly editor: TemplateResult | undefined;
  /** The text is not shown. */
  readonly isGone: boolean;
  /** Nobody else sees it. */
  readonly isDim: boolean;
}

type Button = readonly [label: string, click: () => void];

const secondsOf = byLanguage((tag) => new Intl.NumberFormat(tag, { style: 'unit', unit: 'second', unitDisplay: 'short' }));

export function entryParts(shown: ShownEntry, model: EntryModel, actions: EntryActions): EntryParts {
  const { entry, row, isDeleted } = shown;
  return {
    row: row === 'posted' && !isDeleted ? undefined : rowView(shown, model, actions),
    editor: model.isEditing && entry.state === 'failed' && !isDeleted ? editorView(entry, model, actions) : undefined,
    isGone: isDeleted,
    isDim: row !== 'posted',
  };
}

/** Seconds that are counted down are not spoken: a live region of the box says each change. */
function rowView({ entry, row, isDeleted, isKept }: ShownEntry, model: EntryModel, actions: EntryActions): TemplateResult {
  const { strings, isUnfolded, isOpened } = model;
  const { action } = strings;
  const [text, ...buttons] = isDeleted ? [phraseWith(strings.row.deleted), [action.undo, () => actions.undo(entry)] as Button]
    : [rowText(entry, row, model), ...buttonsOf(entry, row, model, actions)];
  const [first, ...rest] = buttons;
  const hasMore = rest.length > 0;
  const mayBeCut = !isDeleted && (entry.state === 'failed' || entry.state === 'unsure');
  return html`
    <div class="entry ${isOpened ? 'opened' : ''}" data-entry=${entry.id} lang=${model.tag}>
      <div class="say ${isUnfolded ? 'unfolded' : ''}" tabindex="-1" dir="auto">${text}${
        isKept || row === 'posted' ? nothing : html` ${phraseWith(strings.row.notKept)}`}</div>
      ${mayBeCut ? html`<button class="quiet fold" hidden part="button" aria-expanded=${isUnfolded}
        @click=${() => actions.toggle('unfolded', entry)} .textContent=${isUnfolded ? action.showLess : action.showMore}></button>` : nothing}
      <div class="entry-acts">
        ${repeat(buttons, ([label]) => label, (button) => buttonView(button, button === first ? '' : 'rest'))}
        ${hasMore ? html`<button class="quiet dots" part="button" aria-expanded=${isOpened} aria-label=${action.more}
          @click=${() => actions.toggle('opened', entry)}>…</button>` : nothing}
      </div>
    </div>
  `;
}

function buttonView([label, click]: Button, kind = ''): TemplateResult {
  return html`<button class="quiet ${kind}" part="button" @click=${click} .textContent=${label}></button>`;
}

function rowText(entry: OutboxEntry, row: ShownEntry['row'], { tag, strings, problems, session, now }: EntryModel): unknown {
  const { row: texts } = strings;
  const wait = (): string => secondsOf(tag).format(Math.max(1, Math.ceil(((entry.state === 'waiting' && entry.until) || now) - now) / 1000) | 0);
  switch (row) {
    case 'posting': return phraseWith(texts.posting);
    case 'not-posted-yet': return phraseWith(texts.notPostedYet, { time: wait() });
    case 'not-confirmed-yet': return phraseWith(texts.notConfirmedYet, { time: wait() });
    case 'offline': return phraseWith(texts.offline);
    case 'session-over': return phraseWith(texts.sessionOver);
    case 'unsure': return [
      phraseWith(texts.unsure),
      entry.state === 'unsure' && mayAppearTwice(entry, session) ? [' ', phraseWith(texts.twice)] : nothing,
      referenceView(entry.state === 'unsure' ? entry.problem : undefined, problems.reference),
    ];
    case 'held': return phraseWith(texts.held);
    case 'not-posted': {
      const problem = entry.state === 'failed' ? entry.problem : undefined;
      if (!problem) return phraseWith(texts.notPostedPlain);
      return [phraseWith(texts.notPosted, { reason: reasonView(problem, problems) }), referenceView(problem, problems.reference)];
    }
    case 'posted': return nothing;
  }
}

function buttonsOf(entry: OutboxEntry, row: ShownEntry['row'], { strings: { action }, isSignedIn }: EntryModel, actions: EntryActions): Button[] {
  const edit: Button = [action.edit, () => actions.edit(entry)];
  const remove: Button = [action.remove, () => actions.remove(entry)];
  const signIn: Button = [action.signInAndPost, () => actions.signInAndPost(entry)];
  const stop: Button = [action.stop, () => actions.stop(entry)];
  switch (row) {
    case 'not-posted-yet': case 'not-confirmed-yet': case 'offline': return [[action.tryNow, () => actions.tryNow(entry)], stop];
    case 'not-posted': return isSignedIn ? [[action.tryAgain, () => actions.tryAgain(entry)], edit, remove] : [signIn, edit, remove];
    case 'session-over': return [signIn, edit, remove];
    case 'unsure': return [
      [action.itsThere, () => actions.confirm(entry)], isSignedIn ? [action.postAgain, () => actions.postAgain(entry)] : signIn, remove,
    ];
    default: return [];
  }
}

function editorView(entry: OutboxEntry, { tag, strings: { editor } }: EntryModel, actions: EntryActions): TemplateResult {
  const onKey = (event: KeyboardEvent): void => {
    const { key, keyCode, ctrlKey, metaKey, isComposing, repeat: isHeld } = event;
    if (isComposing || keyCode === 229) return;
    if (key === 'Escape') {
      // A dialog of the page stays open.
      event.preventDefault();
      actions.cancelEdit(entry);
    } else if (key === 'Enter' && (ctrlKey || metaKey) && !isHeld) actions.submitEdit(entry);
  };
  return html`
    <div class="editor" data-entry=${entry.id} role="group" aria-label=${editor.label} lang=${tag}>
      <textarea class="field" part="field" dir="auto" lang="" aria-label=${editor.label} .value=${entry.edited ?? entry.text}
        @input=${({ target }: Event) => actions.write(entry, (target as HTMLTextAreaElement).value)} @keydown=${onKey}></textarea>
      <div class="row">
        <button class="primary" part="primary-button" @click=${() => actions.submitEdit(entry)} .textContent=${editor.post}></button>
        <button part="button" @click=${() => actions.cancelEdit(entry)} .textContent=${editor.cancel}></button>
      </div>
    </div>
  `;
}

/** The list of a box without a thread. */
export function entriesView(
  entries: readonly ShownEntry[], strings: EntryStrings, partsOf: (shown: ShownEntry) => EntryParts, timeOf: (at: number) => string,
): unknown {
  return entries.length === 0 ? nothing : html`
    <ol class="entries" role="list" part="posts" aria-label=${strings.heading}>${repeat(entries, ({ entry }) => entry.id, (shown) => {
      const { user, text, pressedAt, inReplyTo } = shown.entry;
      const { row, editor, isGone, isDim } = partsOf(shown);
      return html`
        <li part="post" class=${isDim ? 'dim' : ''}>
          <div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(user.username)} .textContent=${initials(user.username)}></div>
          <div>
            <p class="byline" tabindex="-1" data-entry=${shown.entry.id}><bdi translate="no">${user.username}</bdi> <time datetime=${new Date(pressedAt).toISOString()}>${timeOf(pressedAt)}</time></p>
            ${inReplyTo === undefined ? nothing : html`<p class="tag"><bdi translate="no">${inReplyTo}</bdi></p>`}
            <p class="message" part="message" dir="auto" ?hidden=${editor !== undefined || isGone}>${shown.entry.text}</p>
            ${editor ?? nothing}${row ?? nothing}
          </div>
        </li>
      `;
    })}</ol>
  `;
}
