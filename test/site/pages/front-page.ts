/** The front page: a lead story and the rest. */

import type { Article } from '../articles/index.ts';
import { html, type Html } from '../../service/html.ts';
import { layout, PAPER } from './layout.ts';

export function frontPage([lead, ...others]: readonly [Article, ...Article[]]): Html {
  return layout({
    title: PAPER,
    main: html`<h1 class="hidden">${PAPER}</h1>
<div class="front">
<article class="lead">
<a class="picture" href="/articles/${lead.slug}" tabindex="-1" aria-hidden="true">${lead.illustration}</a>
<div>${teaser(lead)}</div>
</article>
<div class="seconds">${others.map((other) => html`<article>
<a class="picture" href="/articles/${other.slug}" tabindex="-1" aria-hidden="true">${other.illustration}</a>
${teaser(other)}
</article>`)}</div>
</div>`,
  });
}

function teaser({ slug, section, title, standfirst, author, minutesToRead }: Article): Html {
  return html`<p class="section-name">${section}</p>
<h2><a href="/articles/${slug}">${title}</a></h2>
<p class="standfirst">${standfirst}</p>
<p class="byline"><span>By <b>${author}</b></span> <span>${minutesToRead} minutes</span></p>`;
}
