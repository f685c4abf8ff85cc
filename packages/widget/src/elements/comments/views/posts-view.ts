/** What this reader has posted since the page came: shown at once, as text. */

import { html, nothing } from 'lit';
import { readerName } from '../../../lib/reader-name.ts';
import { timeFormat } from '../../../locales/time-format.ts';
import type { Engine } from '../engine.ts';

export function postsView({ posted, strings, host }: Engine) {
  if (posted.length === 0) return nothing;
  const { tag } = host.localizer;
  const time = timeFormat(tag);
  return html`
    <div class="posts" part="posts">
      <div class="posts-heading" role="heading" aria-level=${Math.min(host.headingLevel + 1, 6)}>${strings.posts.heading}</div>
      ${posted.map(({ user, message, at }) => html`
        <article part="post">
          <p class="byline">${user && readerName(user)} <time datetime=${at.toISOString()}>${time.format(at)}</time></p>
          <p class="message" dir="auto">${message}</p>
        </article>
      `)}
    </div>
  `;
}
