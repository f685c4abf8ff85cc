/** A comment that is perhaps posted is never sent again by itself: the reader looks, and decides. */

import { html, nothing } from 'lit';
import type { Engine } from '../engine.ts';

export function choiceView(engine: Engine) {
  if (engine.poster.posting.step !== 'unsure') return nothing;
  const { choice } = engine.strings;
  return html`
    <div class="row choices">
      <button class="choice" part="button" @click=${() => engine.acceptAsPosted()}>${choice.iCanSeeIt}</button>
      <button part="button" @click=${() => engine.postAgain()}>${choice.postAgain}</button>
    </div>
  `;
}
