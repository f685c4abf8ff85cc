/** The pages of the paper. */

import type { PostList } from '@vestibule/shared';
import { attribute, html, type Html } from '../service/html.ts';
import type { Article } from './articles.ts';
import { bar, searchOf, traceView, tryList, type BarOptions, type Switches, type View } from './bar.ts';
import type { SiteOptions } from './site.ts';

export const PAPER = 'The Harbour Courier';

/** What every page is made from. */
export interface PageState {
  readonly view: View;
  readonly state: Switches;
}

/** A lead story and the rest, each with the number of its comments. */
export function frontPage(options: SiteOptions, [lead, ...others]: readonly [Article, ...Article[]], page: PageState): Html {
  const shown = (article: Article) => ({ picture: picture(article, page), teaser: teaser(options, article, page) });
  return layout(PAPER, { path: '/', isArticle: false, ...page }, html`<script type="module" src="${options.vestibuleUrl}/count.js"></script>
<h1 class="hidden">${PAPER}</h1>
<div class="front">
<article class="lead">
${shown(lead).picture}
<div>${shown(lead).teaser}</div>
</article>
<div class="seconds">${others.map((other) => html`<article>
${shown(other).picture}
${shown(other).teaser}
</article>`)}</div>
</div>`);
}

function picture({ slug, illustration }: Article, { view }: PageState): Html {
  return html`<a class="picture" href="/articles/${slug}${searchOf(view)}" tabindex="-1" aria-hidden="true">${illustration}</a>`;
}

function teaser({ forum }: SiteOptions, article: Article, { view }: PageState): Html {
  const { slug, section, title, standfirst, author, minutesToRead } = article;
  const address = `/articles/${slug}${searchOf(view)}`;
  return html`<p class="section-name">${section}</p>
<h2><a href="${address}">${title}</a></h2>
<p class="standfirst">${standfirst}</p>
<p class="byline"><span>By <b>${author}</b></span> <span>${minutesToRead} min</span>
<a href="${address}#comments"><vestibule-count forum="${forum}" page="/articles/${slug}" lang="${view.lang}">Comments</vestibule-count></a></p>`;
}

export interface ArticlePageOptions extends PageState {
  readonly others: readonly Article[];
  /** Posts to render into the page. */
  readonly rendered: PostList | undefined;
}

export function articlePage(options: SiteOptions, article: Article, { others, rendered, ...page }: ArticlePageOptions): Html {
  const { slug, section, title, standfirst, author, date, minutesToRead, illustration, caption, body, hasThread } = article;
  const { view, state } = page;
  const path = `/articles/${slug}`;
  return layout(title, { path, isArticle: true, ...page }, html`<article class="story">
<header class="story-head">
<p class="section-name">${section}</p>
<h1>${title}</h1>
<p class="standfirst">${standfirst}</p>
<p class="byline"><span>By <b>${author}</b></span> <time datetime="${date}">${formatDate(date)}</time> <span>${minutesToRead} min</span></p>
</header>
<figure>${illustration}<figcaption>${caption}</figcaption></figure>
<div class="prose">${body}</div>
</article>
<section class="conversation" id="comments" aria-label="Comments">
<script type="module" src="${options.vestibuleUrl}/widget.js"></script>
<div lang="${view.lang}"${attribute('dir', view.lang === 'ar' ? 'rtl' : undefined)}><vestibule-comments forum="${options.forum}"${attribute('show-posts', hasThread ? '' : undefined)} report-url="${options.origin}/report?id={id}"${
  attribute('sync', view.sync === 'inline' ? 'inline' : undefined)}${attribute('closed', state.comments === 'closed' ? '' : undefined)}>${
  rendered && postsSlot(rendered)}</vestibule-comments></div>
${tryList}
</section>
<aside class="more" aria-label="More stories">
<h2>More from the Courier</h2>
<ul>${others.map((other) => html`<li><a href="/articles/${other.slug}${searchOf(view)}">${other.title}</a><p>${other.standfirst}</p></li>`)}</ul>
</aside>`);
}

/** The widget shows it until the reader asks for more. */
function postsSlot({ posts }: PostList): Html {
  return html`<ol slot="posts">${posts.map(({ id, author, message, created_at }) => html`
<li data-post-id="${id}"><p><b><bdi>${author.username}</bdi></b> <time datetime="${created_at}">${formatDate(created_at)}</time></p>
<p class="message" dir="auto">${message}</p></li>`)}</ol>`;
}

/** Where the service's embedded implementation begins. */
export function entranceUrl(
  { serviceUrl, publicKey, forum, redirectUri }: Pick<SiteOptions, 'serviceUrl' | 'publicKey' | 'forum' | 'redirectUri'>,
): string {
  const params = new URLSearchParams({ client_id: publicKey, forum_id: forum, redirect_uri: redirectUri });
  return `${serviceUrl}/embedded/entrance?${params}`;
}

export function notePage(path: string, [label, title]: readonly [string, string], text: Html, page: PageState): Html {
  return layout(title, { path, isArticle: false, ...page }, html`<section class="story"><header class="story-head">
<p class="section-name">${label}</p>
<h1>${title}</h1>
<p class="standfirst">${text}</p>
</header></section>`);
}

/** @param date ISO 8601, with or without a time */
function formatDate(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

function layout(title: string, page: BarOptions, main: Html): Html {
  const { path, view } = page;
  const section = (slug: string, name: string) => html`<a href="/articles/${slug}${searchOf(view)}">${name}</a>`;
  return html`<!doctype html>
<html lang="en" class="theme-${view.theme} width-${view.width}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === PAPER ? PAPER : `${title} · ${PAPER}`}</title>
<link rel="canonical" href="${path}">
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
<script type="module" src="/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${bar(page)}
<header class="masthead">
<p class="masthead-line"><span>Tuesday 9 June 2026</span><span>High water 21.48</span></p>
<a class="masthead-name" href="/${searchOf(view)}">${PAPER}</a>
<nav aria-label="Sections">${section('lamplighter', 'Town')}${section('slow-railway', 'Coast')}${section('town-clock', 'Opinion')}${section('tide-bell', 'Notices')}</nav>
</header>
<main id="main">${main}</main>
<footer class="imprint"><p>${PAPER} is a made-up newspaper. It shows a comment box on a page that a publisher might really have.</p></footer>
${traceView}
</body>
</html>
`;
}
