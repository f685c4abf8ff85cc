/** The layout of every page of the service, which is called Parley. */

import { pathUnder, type ServiceContext } from '../context.ts';
import { attribute, html, type Html } from '../html.ts';
import { paths } from '../paths.ts';

export interface Layout {
  readonly title: string;
  readonly main: Html;
  /** Path of a script below `base_url`. */
  readonly script?: string;
  /** Becomes `data-display` of the body. */
  readonly display?: string | undefined;
}

export function layout(context: ServiceContext, { title, main, script, display }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${pathUnder(context, paths.stylesheet)}">
${script !== undefined && html`<script type="module" src="${pathUnder(context, script)}"></script>`}
</head>
<body${attribute('data-display', display)}>
<header class="brand">${mark} <span>Parley</span></header>
<main class="card">${main}</main>
<footer class="small-print">An emulated comment service: no account here is real, and nothing leaves this machine.</footer>
</body>
</html>
`;
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
<path class="mark-back" d="M4 7a4 4 0 0 1 4-4h13a4 4 0 0 1 4 4v7a4 4 0 0 1-4 4h-8l-5 4v-4a4 4 0 0 1-4-4z"/>
<path class="mark-front" d="M28 15v8a4 4 0 0 1-3 3.9V30l-4.6-3H15a4 4 0 0 1-4-4v-1h10a8 8 0 0 0 7-7z"/>
</svg>`;
