/** Confirmation of the account. Anybody can plant a callback, so nothing is sent before the reader's click. */

import { html, type TemplateResult } from 'lit';
import { readerName } from '../../lib/reader-name.ts';
import { fill } from '../../locales/phrase.ts';
import type { ConfirmStep } from '../sync-state.ts';
import { account, heading, primaryButton, problemNote, secondaryButton } from './parts.ts';
import type { SyncActions, SyncView } from './sync-view.ts';

export function confirmView({ user }: ConfirmStep, view: SyncView, actions: SyncActions): TemplateResult {
  const { confirm } = view.words;
  return html`
    ${heading(view, confirm.heading)}
    <p class="about" id="about">${confirm.about}</p>
    ${account(user)}
    <p class="quiet">${confirm.nothingSent}</p>
    ${problemNote(view)}
    <div class="actions">
      ${primaryButton(view, {
        label: fill(confirm.continueAs, { name: readerName(user) }),
        click: actions.start,
        wait: 'starting',
      })}
      ${secondaryButton(view, { label: confirm.notYou, click: actions.cancel })}
    </div>
  `;
}
