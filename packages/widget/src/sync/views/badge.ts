/** Icon above an outcome. Decorative: the heading has the same meaning. */

import { html, type TemplateResult } from 'lit';

export type BadgeKind = 'done' | 'info' | 'refused';

const strokes: Record<BadgeKind, string> = {
  done: 'm7 12.5 3.5 3.5L17 9',
  info: 'M12 11v5.5M12 7.5v.01',
  refused: 'M12 7v5.5M12 16v.01',
};

export function badge(kind: BadgeKind): TemplateResult {
  return html`<svg class="badge ${kind}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${strokes[kind]}"/></svg>`;
}
