/** Characters left, near the limit. The live region changes near the limit and beyond it, not with each key. No number is
 *  formatted before: the first `NumberFormat` takes a slow phone longer than the rest of the box. */

import { html, nothing } from 'lit';
import { plural } from '../../locales/phrase.ts';
import type { CommentsView } from '../comments-view.ts';
import type { Words } from './words.ts';

export function counterView({ counter: { left, isNear } }: CommentsView, { strings: { counter }, tag }: Words) {
  const isOver = left < 0;
  const text = isNear && plural(tag, isOver ? counter.over : counter.left, Math.abs(left));
  return html`
    ${text ? html`<span class="counter ${isOver ? 'over' : ''}" part="counter">${text}</span>` : nothing}
    <span class="visually-hidden" role="status">${isOver ? counter.tooLong : isNear ? counter.near : nothing}</span>
  `;
}
