/** The frame of every page of the paper. */

import { attribute, html, type Html } from '../../service/html.ts';

export interface Layout {
  readonly title: string;
  /** Path of the page without the variants that its query asks for. */
  readonly canonical?: string;
  readonly main: Html;
}

export const PAPER = 'The Harbour Courier';

export function layout({ title, canonical, main }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === PAPER ? PAPER : `${title} · ${PAPER}`}</title>
${canonical && html`<link rel="canonical"${attribute('href', canonical)}>
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
