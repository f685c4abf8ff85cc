/** The ways out of a sync that is over. A page may put its own link first (slot `back`). */

import { html, nothing, type TemplateResult } from 'lit';
import { fill } from '../../../locales/phrase.ts';
import type { WayOut } from '../way-out.ts';
import { secondaryButton } from './parts.ts';
import type { SyncView } from './sync-view.ts';

/** @param button draws the first of them */
export function waysOut(view: SyncView, button = secondaryButton): TemplateResult {
  return html`
    <slot name="back"></slot>
    ${view.waysOut.map((way, index) => wayOut(way, view, index === 0 ? button : secondaryButton))}
    ${view.isStuckOpen ? html`<p class="quiet" role="alert">${view.words.way.closeYourself}</p>` : nothing}
  `;
}

function wayOut(way: WayOut, view: SyncView, button: typeof secondaryButton): TemplateResult {
  const { way: words } = view.words;
  switch (way.kind) {
    case 'comments': return button(view, { label: words.toComments, click: view.backToComments });
    case 'window': return button(view, { label: words.close, click: view.closeWindow });
    case 'site': return html`<a class="button" part="button" href=${way.href}><span>${fill(words.toSite, { site: html`<bdi>${way.site}</bdi>` })}</span></a>`;
  }
}
