/** Templates of the entries of the outbox: the row that tells the state of each, its buttons and its editor. */

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WidgetProblem } from '../client/problem.ts';
import { hueStyle, initials } from '../lib/avatar.ts';
import { editorView } from './editor-view.ts';
import { referenceView } from '../lib/reference-view.ts';
import { buttonView, menuView, type RowButton } from '../lib/row-menu.ts';
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
  postAgain(entry: OutboxEntry): void;
  signInAndPost(entry: OutboxEntry): void;
  edit(entry: OutboxEntry): void;
  write(entry: OutboxEntry, text: string): void;
  cancelEdit(entry: OutboxEntry): void;
  submitEdit(entry: OutboxEntry, text: string): void;
  remove(entry: EntryKey): void;
  undo(entry: EntryKey): void;
  confirm(entry: EntryKey): void;
  unfold(entry: EntryKey): void;
}

export interface EntryModel {
  readonly tag: string;
  readonly strings: EntryStrings;
  readonly problems: ProblemStrings;
  /** Of the sentence, for screen readers. */
  readonly name: string;
  readonly isEditing: boolean;
  /** Why the text of the editor was not taken. */
  readonly failure: string | undefined;
  /** The whole reason is shown. */
  readonly isUnfolded: boolean;
  /** Those of an own comment, once the BFF has one for the entry. */
  readonly own: readonly RowButton[];
  /** Opaque id of the session; `undefined` without one. */
  readonly session: string | undefined;
  /** The account of the entry is signed in, or it is not known yet: another row would move later. */
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
  /** What holds the height of its row, in an element `.room` with the row. */
  readonly room: TemplateResult;
}

const secondsOf = byLanguage((tag) => new Intl.NumberFormat(tag, { style: 'unit', unit: 'second', unitDisplay: 'short' }));

export function entryParts(shown: ShownEntry, model: EntryModel, actions: EntryActions): EntryParts {
  const { entry, row, isDeleted } = shown;
  return {
    row: row === 'posted' && !isDeleted ? undefined : rowView(shown, model, actions),
    editor: isEdited(shown, model) ? entryEditor(entry, model, actions) : undefined,
    isGone: isDeleted,
    isDim: row !== 'posted',
    room: roomView(model),
  };
}

/** The rows of all states, unseen: the highest is the height of each. Their texts are in attributes, which no search finds. */
function roomView({ tag, strings: { row, action }, problems }: EntryModel): TemplateResult {
  const time = secondsOf(tag).format(12);
  const waiting = [action.tryNow, action.stop];
  const unsure = `${row.unsure} ${problems.reference.replace('{id}', '00000000')}`;
  const rows: readonly (readonly [sentence: string, labels: readonly string[]])[] = [
    [row.notPostedYet.replace('{time}', time), waiting], [row.notConfirmedYet.replace('{time}', time), waiting], [row.offline, waiting],
    [row.sessionOver, [action.signInAndPost, action.edit, action.remove]],
    ...[action.postAgain, action.signInAndPost].map((again) => [unsure, [action.itsThere, again, action.remove]] as const),
    [row.notPostedPlain, [action.tryAgain, action.edit, action.remove]], [row.held, []],
  ];
  return html`${rows.map(([sentence, labels]) => html`
    <div class="entry unseen" aria-hidden="true" lang=${tag}>
      <div class="say-room" data-text=${sentence}></div>
      <div class="entry-acts">${labels.map((label, index) => html`<span class="quiet ${index === 0 ? 'go' : 'rest'}" data-text=${label}></span>`)}${
        labels.length > 1 ? html`<span class="quiet dots" data-text="…"></span>` : nothing}</div>
    </div>
  `)}`;
}

function isEdited({ entry, isDeleted }: ShownEntry, { isEditing }: EntryModel): boolean {
  return isEditing && entry.state === 'failed' && !isDeleted;
}

/** Seconds that are counted down are not spoken: a live region of the box says each change, so a focus on the sentence speaks
 *  its name. A narrow row has the first button, and the others in its menu. */
function rowView(shown: ShownEntry, model: EntryModel, actions: EntryActions): TemplateResult {
  const { entry, row, isDeleted, isKept } = shown;
  const { strings, isUnfolded } = model;
  const { action } = strings;
  const fold = { label: isUnfolded ? action.showLess : action.showMore, click: () => actions.unfold(entry) };
  const text = isDeleted ? phraseWith(strings.row.deleted) : rowText(entry, row, model);
  const mayBeCut = !isDeleted && row === 'not-posted' && reasonOf(entry) !== undefined;
  const buttons = isEdited(shown, model) ? [] : buttonsOf(shown, model, actions);
  const [first, ...rest] = buttons;
  const menu = rest.map((button) => buttonView(button));
  if (mayBeCut) menu.unshift(buttonView(fold, undefined, 'fold'));
  return html`
    <div class="entry" data-entry=${entry.id} lang=${model.tag}>
      <div class="say ${mayBeCut && !isUnfolded ? 'cut' : ''}" role="group" aria-label=${model.name} tabindex="-1" dir="auto">${text}${
        isKept || row === 'posted' ? nothing : html` ${phraseWith(strings.row.notKept)}`}</div>
      <div class="entry-acts">
        ${mayBeCut ? buttonView(fold, undefined, 'fold rest') : nothing}
        ${repeat(buttons, ({ label }) => label, (button) => buttonView(button, undefined, button === first ? 'go' : 'rest'))}
        ${rest.length > 0 ? menuView({ id: `menu-${entry.id}`, label: action.more, content: '…' }, menu) : nothing}
      </div>
    </div>
  `;
}

function rowText(
  entry: OutboxEntry, row: ShownEntry['row'], { tag, strings, problems, session, isSignedIn, now }: EntryModel,
): unknown {
  const { row: texts } = strings;
  const wait = (): string => secondsOf(tag).format(Math.max(1, Math.ceil(((entry.state === 'waiting' && entry.until) || now) - now) / 1000) | 0);
  switch (row) {
    case 'posting': return phraseWith(texts.posting);
    case 'not-posted-yet': return phraseWith(texts.notPostedYet, { time: wait() });
    case 'not-confirmed-yet': return phraseWith(texts.notConfirmedYet, { time: wait() });
    case 'offline': return phraseWith(texts.offline);
    case 'session-over': return phraseWith(isSignedIn ? texts.notPostedPlain : texts.sessionOver);
    case 'unsure': return [
      phraseWith(texts.unsure),
      entry.state === 'unsure' && mayAppearTwice(entry, session) ? [' ', phraseWith(texts.twice)] : nothing,
      referenceView(entry.state === 'unsure' ? entry.problem : undefined, problems.reference),
    ];
    case 'held': return phraseWith(texts.held);
    case 'not-posted': {
      const problem = reasonOf(entry);
      if (!problem) return phraseWith(texts.notPostedPlain);
      return [phraseWith(texts.notPosted, { reason: reasonView(problem, problems) }), referenceView(problem, problems.reference)];
    }
    case 'posted': return nothing;
  }
}

/** That another account was signed in then says nothing of the comment. */
function reasonOf(entry: OutboxEntry): WidgetProblem | undefined {
  return entry.state === 'failed' && entry.problem?.type !== 'urn:vestibule:user-changed' ? entry.problem : undefined;
}

function buttonsOf(
  { entry, row, isDeleted }: ShownEntry, { strings: { action }, isSignedIn, own }: EntryModel, actions: EntryActions,
): readonly RowButton[] {
  const button = (label: string, click: () => void, isDanger = false): RowButton => ({ label, click, isDanger });
  if (isDeleted) return [button(action.undo, () => actions.undo(entry))];
  const edit = button(action.edit, () => actions.edit(entry));
  const remove = button(action.remove, () => actions.remove(entry), true);
  const signIn = button(action.signInAndPost, () => actions.signInAndPost(entry));
  switch (row) {
    case 'not-posted-yet': case 'not-confirmed-yet': case 'offline': return [
      button(action.tryNow, () => actions.tryNow(entry)), button(action.stop, () => actions.stop(entry)),
    ];
    case 'not-posted': case 'session-over': return [
      isSignedIn ? button(action.tryAgain, () => actions.postAgain(entry)) : signIn, edit, remove,
    ];
    case 'unsure': return [
      button(action.itsThere, () => actions.confirm(entry)),
      isSignedIn ? button(action.postAgain, () => actions.postAgain(entry)) : signIn,
      remove,
    ];
    case 'held': return own;
    default: return [];
  }
}

function entryEditor(
  entry: OutboxEntry, { tag, strings: { editor }, failure }: EntryModel, actions: EntryActions,
): TemplateResult {
  return editorView({
    tag, failure, label: editor.label, text: entry.edited ?? entry.text,
    submitLabel: editor.post, cancelLabel: editor.cancel,
    write: (text) => actions.write(entry, text),
    submit: (text) => actions.submitEdit(entry, text),
    cancel: () => actions.cancelEdit(entry),
  }, entry.id);
}

/** The list of a box without a thread. */
export function entriesView(
  entries: readonly ShownEntry[], strings: EntryStrings,
  partsOf: (shown: ShownEntry) => EntryParts, timeOf: (at: number) => string,
): unknown {
  return entries.length === 0 ? nothing : html`
    <ol class="entries" role="list" part="posts" aria-label=${strings.heading}>${repeat(entries, ({ entry }) => entry.id, (shown) => {
      const { user, text, pressedAt, inReplyTo } = shown.entry;
      const { row, editor, isGone, isDim, room } = partsOf(shown);
      return html`
        <li part="post" class=${isDim ? 'dim' : ''}>
          <div class="avatar" aria-hidden="true" translate="no" .style=${hueStyle(user.username)} .textContent=${initials(user.username)}></div>
          <div>
            <p class="byline" tabindex="-1" data-entry=${shown.entry.id}><bdi translate="no">${user.username}</bdi>
              <time datetime=${new Date(pressedAt).toISOString()}>${timeOf(pressedAt)}</time></p>
            ${inReplyTo === undefined ? nothing : html`<p class="tag"><bdi translate="no">${inReplyTo}</bdi></p>`}
            <p class="message" part="message" dir="auto" ?hidden=${editor !== undefined || isGone}>${text}</p>
            ${editor ?? nothing}
            <div class="room">${row ?? nothing}${room}</div>
          </div>
        </li>
      `;
    })}</ol>
  `;
}
