/** Panels below the box: each asks the reader for a decision. */

import { html, nothing, type TemplateResult } from 'lit';
import { readerName } from '../../lib/reader-name.ts';
import { fill } from '../../locales/phrase.ts';
import type { CommentsView, Panel } from '../comments-view.ts';
import type { CommentsActions } from './comments-actions.ts';
import type { Words } from './words.ts';

/** Parts of a panel of a sign-in. */
const SIGN_IN = 'panel sign-in';

interface PanelButton {
  readonly label: unknown;
  readonly click: () => void;
}

export function panelView(view: CommentsView, actions: CommentsActions, words: Words) {
  const { panel, isBusy } = view;
  const { signIn, signOut, choice } = words.strings;
  switch (panel?.kind) {
    case 'unconfirmed': return decision(undefined, 'alert', [
      { label: choice.iCanSeeIt, click: () => actions.confirmPosted() },
      { label: choice.postAgain, click: () => actions.postAgain() },
    ]);
    case 'confirm-leave': return decision(`${panel.isWindowBlocked ? `${signIn.blocked} ` : ''}${words.textIsKept}`, 'panel', [
      { label: signIn.continueHere, click: () => actions.leavePage() },
      { label: signIn.stay, click: () => actions.dismiss() },
    ], { part: SIGN_IN });
    case 'confirm-sign-out': return decision(signOut.about, 'panel', [
      { label: signOut.confirm, click: () => actions.signOut() },
      { label: signOut.stay, click: () => actions.dismiss() },
    ]);
    case 'callback': return decision(about(signIn.about, panel), 'panel', [
      { label: about(signIn.continueAs, panel), click: () => actions.signIn() },
      { label: signIn.notYou, click: () => actions.refuseCallback() },
    ], { isPrimary: panel.isPrimary, isBusy, part: SIGN_IN });
    case 'offer': return decision(about(signIn.unfinished, panel), 'panel', [
      { label: signIn.goOn, click: () => actions.signIn() },
      { label: signIn.cancel, click: () => actions.cancelSync() },
    ], { isPrimary: panel.isPrimary, isBusy, part: SIGN_IN });
    case 'cookie-blocked': return html`
      <div class="panel" part=${SIGN_IN} role="group" aria-labelledby="panel">
        <p id="panel">${words.strings.alert.cookieBlocked}</p>
        <div class="row">
          <a class="primary button" part="button primary-button" href=${words.separatePage} target="_blank" rel="noopener">${words.fallback.openComments}</a>
          <button part="button" @click=${() => actions.dismiss()}>${signIn.stay}</button>
        </div>
      </div>
    `;
    case 'form': return formView(panel, actions, words);
    case undefined: return nothing;
  }
}

/** A second text of the reader for this page. */
export function otherDraftView({ otherDraft, isBusy }: CommentsView, actions: CommentsActions, { strings: { draft } }: Words) {
  if (!otherDraft) return nothing;
  return decision(draft.second, 'other', [
    { label: draft.insert, click: () => actions.insertOther() },
    { label: draft.remove, click: () => actions.removeOther() },
  ], { isPrimary: false, isBusy, quote: html` <q class="other" dir="auto" tabindex="0">${otherDraft}</q>` });
}

function about(phrase: string, { user }: Extract<Panel, { kind: 'callback' | 'offer' }>): unknown {
  return fill(phrase, { name: readerName(user) });
}

/** @param label id of the element that names the group; that of `text`, if there is one */
function decision(
  text: unknown,
  label: string,
  buttons: readonly PanelButton[],
  { isPrimary = true, isBusy = false, quote = nothing as unknown, part = 'panel' } = {},
): TemplateResult {
  return html`
    <div class="panel" part=${part} role="group" aria-labelledby=${label}>
      ${text ? html`<p><span id=${label}>${text}</span>${quote}</p>` : nothing}
      <div class="row">
        ${buttons.map(({ label, click }, index) => {
          const primary = index === 0 && isPrimary;
          return html`
            <button class=${primary ? 'primary' : ''} part=${primary ? 'button primary-button' : 'button'}
              aria-disabled=${isBusy || nothing} @click=${() => isBusy || click()}>${label}</button>
          `;
        })}
      </div>
    </div>
  `;
}

function formView({ syncReturn }: Extract<Panel, { kind: 'form' }>, actions: CommentsActions, words: Words): TemplateResult {
  const { bff, forum, tag, headingLevel, own } = words;
  return html`
    <div class="panel" part=${SIGN_IN} tabindex="-1">
      <vestibule-sync exportparts="question, field, problem, button, primary-button" inline
        bff=${bff ?? nothing} forum=${forum} lang=${tag} heading-level=${Math.min(headingLevel + 1, 6)}
        .strings=${own} .syncReturn=${syncReturn} .mayLeave=${() => actions.mayLeave()}
        @close=${() => actions.closeForm()}
        @vestibule-state=${(event: Event) => actions.onFormState(event)}
        @vestibule-completed=${(event: Event) => actions.onFormCompleted(event)}></vestibule-sync>
    </div>
  `;
}
