/** The comment box and the thread of an article, as a publisher embeds them. A test asks for attributes in the page's query. */

import type { PostList } from '@vestibule/shared';
import { attribute, html, type Html } from '../service/html.ts';
import type { SiteOptions } from './options.ts';
import { formatDate } from './pages/date.ts';

const ATTRIBUTES = ['sync', 'bff', 'lang', 'theme', 'max-length', 'prefill', 'placeholder', 'heading-level'] as const;

export type PageQuery = Readonly<Record<string, unknown>>;

export function widgetScript({ vestibuleUrl }: SiteOptions): Html {
  return html`<script type="module" src="${vestibuleUrl}/widget.js"></script>`;
}

/** One box, or with `boxes=2` two of them. `rendered`: posts as a part of the page. */
export function commentBoxes(options: SiteOptions, query: PageQuery, rendered?: PostList): Html[] {
  const attributes = ATTRIBUTES.map((name) => attribute(name, textOf(query[name])));
  const forum = textOf(query['forum']) ?? options.forum;
  const box = html`<vestibule-comments forum="${forum}" show-posts${attributes}>${rendered && postsSlot(rendered)}</vestibule-comments>`;
  return query['boxes'] === '2' ? [box, box] : [box];
}

/** The widget shows it until the reader asks for more. */
function postsSlot({ posts, next_cursor }: PostList): Html {
  return html`<ol slot="posts"${attribute('data-next-cursor', next_cursor)}>${posts.map(({ id, author, message, created_at }) => html`
<li data-post-id="${id}"><p><b><bdi>${author.username}</bdi></b> <time datetime="${created_at}">${formatDate(created_at.slice(0, 10))}</time></p>
<p class="message" dir="auto">${message}</p></li>`)}</ol>`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
