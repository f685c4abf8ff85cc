/** How much may still be written, once it is worth knowing. The number is for the eye; a screen reader is told when the
 *  limit comes near and when it is passed, not with each key. A number is not written before: on a slow phone the first
 *  one, in a browser that has not formatted any yet, takes longer than all the rest of the box. */

import { html, nothing } from 'lit';
import { plural } from '../../../locales/phrase.ts';
import type { Engine } from '../engine.ts';

export function counterView(engine: Engine) {
  const { left, isNear } = engine.length;
  const { counter } = engine.strings;
  const { tag } = engine.host.localizer;
  const isOver = left < 0;
  const words = isNear && plural(tag, isOver ? counter.over : counter.left, Math.abs(left));
  return html`
    ${words ? html`<span class="counter ${isOver ? 'over' : ''}" part="counter">${words}</span>` : nothing}
    <span class="unseen" role="status">${isOver ? counter.tooLong : isNear ? counter.near : nothing}</span>
  `;
}
