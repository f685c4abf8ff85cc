/** The pages of the paper. */

import type { PostList } from '@vestibule/shared';
import { attribute, html, type Html } from '../service/html.ts';
import type { Article } from './articles.ts';
import type { SiteOptions } from './site.ts';

export const PAPER = 'The Harbour Courier';

/** Attributes of the box that a test may ask for in the page's query. */
const ATTRIBUTES = ['sync', 'bff', 'lang', 'theme', 'max-length', 'prefill', 'placeholder', 'heading-level'] as const;

/** The same page in other ways, by query. */
const WAYS: Readonly<Record<string, string>> = {
  '': 'As it is: sign-in in a window of its own',
  '?sync=inline': 'Sign-in in the page itself',
  '?theme=dark': 'The box always dark',
  '?theme=light': 'The box always light',
  '?max-length=140': 'At most 140 characters',
  '?boxes=2': 'Two boxes on one page',
  '?posts=server': 'The first comments in the page’s HTML',
};

/** A lead story and the rest. */
export function frontPage([lead, ...others]: readonly [Article, ...Article[]]): Html {
  return layout(PAPER, html`<h1 class="hidden">${PAPER}</h1>
<div class="front">
<article class="lead">
${picture(lead)}
<div>${teaser(lead)}</div>
</article>
<div class="seconds">${others.map((other) => html`<article>
${picture(other)}
${teaser(other)}
</article>`)}</div>
</div>`);
}

function picture({ slug, illustration }: Article): Html {
  return html`<a class="picture" href="/articles/${slug}" tabindex="-1" aria-hidden="true">${illustration}</a>`;
}

function teaser({ slug, section, title, standfirst, author, minutesToRead }: Article): Html {
  return html`<p class="section-name">${section}</p>
<h2><a href="/articles/${slug}">${title}</a></h2>
<p class="standfirst">${standfirst}</p>
<p class="byline"><span>By <b>${author}</b></span> <span>${minutesToRead} minutes</span></p>`;
}

export interface ArticlePageOptions {
  readonly others: readonly Article[];
  readonly query: Readonly<Record<string, unknown>>;
  /** Posts to render into the page. */
  readonly rendered: PostList | undefined;
}

export function articlePage(options: SiteOptions, article: Article, { others, query, rendered }: ArticlePageOptions): Html {
  const { slug, section, title, standfirst, author, date, minutesToRead, illustration, caption, body } = article;
  const box = commentBox(options, query, rendered);
  return layout(title, html`<article class="story">
<header class="story-head">
<p class="section-name">${section}</p>
<h1>${title}</h1>
<p class="standfirst">${standfirst}</p>
<p class="byline"><span>By <b>${author}</b></span> <time datetime="${date}">${formatDate(date)}</time> <span>${minutesToRead} minutes</span></p>
</header>
<figure>${illustration}<figcaption>${caption}</figcaption></figure>
<div class="prose">${body}</div>
</article>
<section class="conversation" aria-label="Comments">
<script type="module" src="${options.vestibuleUrl}/widget.js"></script>
${query['boxes'] === '2' ? [box, box] : box}
<div class="entrance">
<p>Readers who know Parley, the comment service, can also come in from its side:</p>
<p class="entrance-ways"><a id="entrance-popup" data-popup href="${entranceUrl(options, 'popup')}">Sign in at Parley, in a window</a>
<a id="entrance-page" href="${entranceUrl(options, 'page')}">Sign in at Parley, in this page</a></p>
</div>
</section>
<details class="ways"><summary>The same page in other ways</summary>
<ul>${Object.entries(WAYS).map(([way, label]) => html`<li><a href="/articles/${slug}${way}">${label}</a></li>`)}</ul></details>
<aside class="more" aria-label="More stories">
<h2>More from the Courier</h2>
<ul>${others.map((other) => html`<li><a href="/articles/${other.slug}">${other.title}</a><p>${other.standfirst}</p></li>`)}</ul>
</aside>`, `/articles/${slug}`);
}

/** As a publisher embeds it. */
function commentBox({ forum }: SiteOptions, query: ArticlePageOptions['query'], rendered: PostList | undefined): Html {
  const asked = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined);
  const attributes = ATTRIBUTES.map((name) => attribute(name, asked(name)));
  return html`<vestibule-comments forum="${asked('forum') ?? forum}" show-posts${attributes}>${rendered && postsSlot(rendered)}</vestibule-comments>`;
}

/** The widget shows it until the reader asks for more. */
function postsSlot({ posts, next_cursor }: PostList): Html {
  return html`<ol slot="posts"${attribute('data-next-cursor', next_cursor)}>${posts.map(({ id, author, message, created_at }) => html`
<li data-post-id="${id}"><p><b><bdi>${author.username}</bdi></b> <time datetime="${created_at}">${formatDate(created_at)}</time></p>
<p class="message" dir="auto">${message}</p></li>`)}</ol>`;
}

/** The way in by the service's own embedded widget, which a real page would carry beside the comment box. */
export function entranceUrl(
  { serviceUrl, publicKey, forum, redirectUri }: Omit<SiteOptions, 'vestibuleUrl' | 'listPosts'>, display: 'popup' | 'page',
): string {
  const params = new URLSearchParams({ client_id: publicKey, forum_id: forum, redirect_uri: redirectUri, display });
  return `${serviceUrl}/embedded/entrance?${params}`;
}

export function notFoundPage(): Html {
  return layout('Not in this edition', html`<section class="story"><header class="story-head">
<p class="section-name">404</p>
<h1>Not in this edition</h1>
<p class="standfirst">There is no page at this address. The <a href="/">front page</a> has what we printed today.</p>
</header></section>`);
}

/** @param date ISO 8601, with or without a time */
function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** @param canonical path of the page without the variants that its query asks for */
function layout(title: string, main: Html, canonical?: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === PAPER ? PAPER : `${title} · ${PAPER}`}</title>
${canonical && html`<link rel="canonical" href="${canonical}">
`}<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
<script type="module" src="/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="masthead">
<p class="masthead-line"><span>Tuesday 9 June 2026</span><span>High water 21.48</span></p>
<a class="masthead-name" href="/">${PAPER}</a>
<nav aria-label="Sections"><a href="/articles/lamplighter">Town</a><a href="/articles/slow-railway">Coast</a><a href="/articles/town-clock">Opinion</a></nav>
</header>
<main id="main">${main}</main>
<footer class="imprint"><p>${PAPER} is a made-up newspaper. It shows a comment box on a page that a publisher might really have.</p></footer>
</body>
</html>
`;
}
