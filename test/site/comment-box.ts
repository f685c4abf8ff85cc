/** The comment box in a page, as a publisher embeds it. A test asks for its attributes in the page's query. */

import { attribute, html, type Html } from '../service/html.ts';
import type { SiteOptions } from './options.ts';

const ATTRIBUTES = ['sync', 'bff', 'lang', 'theme', 'max-length', 'prefill', 'placeholder', 'heading-level'] as const;

export type PageQuery = Readonly<Record<string, unknown>>;

export function widgetScript({ vestibuleUrl }: SiteOptions): Html {
  return html`<script type="module" src="${vestibuleUrl}/widget.js"></script>`;
}

/** One box, or with `boxes=2` two of them. */
export function commentBoxes(options: SiteOptions, query: PageQuery): Html[] {
  const attributes = ATTRIBUTES.map((name) => attribute(name, textOf(query[name])));
  const box = html`<vestibule-comments forum="${textOf(query['forum']) ?? options.forum}"${attributes}></vestibule-comments>`;
  return query['boxes'] === '2' ? [box, box] : [box];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
