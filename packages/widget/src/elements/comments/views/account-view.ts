/** Who is posting: always in sight of a reader who is signed in. Who is not yet may write all the same. */

import { html, nothing } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { fill } from '../../../locales/phrase.ts';
import type { Engine } from '../engine.ts';

export function accountView(engine: Engine) {
  const { state, user } = engine.session;
  const { account } = engine.strings;
  if (!state) return nothing;
  if (state !== 'signed-in' || !user) return html`<span class="hint">${account.mayWrite}</span>`;
  return html`
    <span class="who">${fill(account.signedInAs, { name: readerName(user) })}</span>
    <button class="link" part="button sign-out" @click=${() => void engine.signOut()}>${account.signOut}</button>
  `;
}
