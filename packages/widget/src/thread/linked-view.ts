/** Template of the linked conversation, above the list. */

import { html, nothing, type TemplateResult } from 'lit';
import type { LinkView, Words } from './linked-conversation.ts';

/** @param list of the one conversation @param failure that its replies could not be loaded @param level of its heading */
export function linkedView(
  view: LinkView, list: unknown, failure: unknown, level: number, { tag, strings }: Words,
): TemplateResult {
  const { hasBefore, hasAfter } = view;
  const button = (which: 'before' | 'after', label: string): unknown => html`
    <button class="quiet more" part="button" lang=${tag} aria-disabled=${view.isLoading || nothing} @click=${() => view.showMore(which)}
      .textContent=${label}></button>
  `;
  return html`
    <div class="linked" role="region" aria-labelledby="linked">
      <div id="linked" class="linked-heading" role="heading" aria-level=${level} lang=${tag} .textContent=${strings.linkedConversation}></div>
      ${hasBefore ? button('before', strings.earlierReplies) : nothing}
      ${list}
      ${failure}
      ${hasAfter ? button('after', strings.laterReplies) : nothing}
    </div>
  `;
}
