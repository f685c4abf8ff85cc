/** The reader's own comments of the last day on this page, newest last, as plain text. */

import { html, nothing } from 'lit';
import { readerName } from '../../lib/reader-name.ts';
import { timeFormat } from '../../locales/relative-time.ts';
import type { CommentsView } from '../comments-view.ts';
import type { Words } from './words.ts';

export function postsView({ posts }: CommentsView, { strings, tag, headingLevel }: Words) {
  if (posts.length === 0) return nothing;
  const time = timeFormat(tag);
  return html`
    <div class="posts" part="posts">
      <div class="posts-heading" role="heading" aria-level=${Math.min(headingLevel + 1, 6)}>${strings.posts.heading}</div>
      ${posts.map(({ user, message, at }) => html`
        <article part="post">
          <p class="byline">${readerName(user)} <time datetime=${new Date(at).toISOString()}>${time.format(at)}</time></p>
          <p class="message" dir="auto">${message}</p>
        </article>
      `)}
    </div>
  `;
}
