/** Exits of a sign-in that is over. A page may put its own link first (slot `back`). */

import { html, nothing, type TemplateResult } from 'lit';
import { fill } from '../../locales/phrase.ts';
import type { ExitAction } from '../exit-actions.ts';
import { secondaryButton } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';

/** @param button draws the first of them */
export function exitActions(view: SyncView, actions: SyncActions, button = secondaryButton): TemplateResult {
  return html`
    <slot name="back"></slot>
    ${view.exitActions.map((exit, index) => exitAction(exit, view, actions, index === 0 ? button : secondaryButton))}
    ${view.isWindowStuck ? html`<p class="quiet" role="alert">${view.words.exits.closeYourself}</p>` : nothing}
  `;
}

function exitAction(exit: ExitAction, view: SyncView, actions: SyncActions, button: typeof secondaryButton): TemplateResult {
  const { exits } = view.words;
  switch (exit.kind) {
    case 'comments': return button(view, { label: exits.toComments, click: actions.backToComments });
    case 'window': return button(view, { label: exits.close, click: actions.closeWindow });
    case 'site': return html`<a class="button" part="button" href=${exit.href}><span>${fill(exits.toSite, { site: html`<bdi>${exit.site}</bdi>` })}</span></a>`;
  }
}
