/** Who is about to be signed in. A return can be planted by somebody else, so the reader's own click goes first. */

import { html, type TemplateResult } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { fill } from '../../../locales/phrase.ts';
import type { ConfirmStep } from '../sync-step.ts';
import { account, heading, primaryButton, problemNote, secondaryButton } from './parts.ts';
import type { SyncView } from './sync-view.ts';

export function confirmView({ user }: ConfirmStep, view: SyncView): TemplateResult {
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
        click: view.start,
        wait: 'starting',
      })}
      ${secondaryButton(view, { label: confirm.notYou, click: view.cancel })}
    </div>
  `;
}
