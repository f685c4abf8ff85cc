/** An article with its comment box. */

import type { PostList } from '@vestibule/shared';
import type { Article } from '../articles/index.ts';
import { commentBoxes, widgetScript, type PageQuery } from '../comment-box.ts';
import { entranceUrl } from '../entrance-url.ts';
import { html, type Html } from '../../service/html.ts';
import type { SiteOptions } from '../options.ts';
import { formatDate } from './date.ts';
import { layout } from './layout.ts';

export interface ArticlePageOptions {
  readonly others: readonly Article[];
  readonly query: PageQuery;
  /** Posts to render into the page. */
  readonly rendered: PostList | undefined;
}

export function articlePage(options: SiteOptions, article: Article, { others, query, rendered }: ArticlePageOptions): Html {
  return layout({
    title: article.title,
    canonical: `/articles/${article.slug}`,
    main: html`<article class="story">
<header class="story-head">
<p class="section-name">${article.section}</p>
<h1>${article.title}</h1>
<p class="standfirst">${article.standfirst}</p>
<p class="byline"><span>By <b>${article.author}</b></span> <time datetime="${article.date}">${formatDate(article.date)}</time> <span>${article.minutesToRead} minutes</span></p>
</header>
<figure>${article.illustration}<figcaption>${article.caption}</figcaption></figure>
<div class="prose">${article.body}</div>
</article>
<section class="conversation" aria-label="Comments">
${widgetScript(options)}
${commentBoxes(options, query, rendered)}
${entrance(options)}
</section>
${ways(article)}
<aside class="more" aria-label="More stories">
<h2>More from the Courier</h2>
<ul>${others.map((other) => html`<li><a href="/articles/${other.slug}">${other.title}</a><p>${other.standfirst}</p></li>`)}</ul>
</aside>`,
  });
}

function entrance(options: SiteOptions): Html {
  return html`<div class="entrance">
<p>Readers who know Parley, the comment service, can also come in from its side:</p>
<p class="entrance-ways"><a id="entrance-popup" data-popup href="${entranceUrl(options, 'popup')}">Sign in at Parley, in a window</a>
<a id="entrance-page" href="${entranceUrl(options, 'page')}">Sign in at Parley, in this page</a></p>
</div>`;
}

/** Other ways to look at the same box. */
function ways({ slug }: Article): Html {
  const links: readonly (readonly [string, string])[] = [
    ['', 'As it is: sign-in in a window of its own'],
    ['?sync=inline', 'Sign-in in the page itself'],
    ['?theme=dark', 'The box always dark'],
    ['?theme=light', 'The box always light'],
    ['?max-length=140', 'At most 140 characters'],
    ['?boxes=2', 'Two boxes on one page'],
    ['?posts=server', 'The first comments in the page’s HTML'],
  ];
  return html`<details class="ways"><summary>The same page in other ways</summary>
<ul>${links.map(([query, label]) => html`<li><a href="/articles/${slug}${query}">${label}</a></li>`)}</ul></details>`;
}
