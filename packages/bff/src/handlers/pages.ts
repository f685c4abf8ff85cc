/** The BFF's own pages, under a policy that allows the widget and, on the page of a problem, one script. The form page carries
 *  the sign-in that waits; everything else of a reader is requested by the widget. */

import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { endpoints, referenceOf, type Problem, type SessionView } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { contextOf } from '../http/frame.ts';
import { languageOf, languagesOf, queryOf, singleValue } from '../http/request.ts';
import { createFormFiles } from '../http/static.ts';
import { requireForum } from '../input.ts';
import { ProblemError } from '../problem.ts';
import { escapeHtml } from '../lib/text.ts';

/** Reports the problem to the comment box that opened the window, at the origin of `return_to`, which need not be an allowed one:
 *  that may be the cause, and the problem has no data of a reader. */
const REPORT = `const { problem, origin } = document.currentScript.dataset;
opener?.postMessage({ vestibule: JSON.parse(problem) }, origin);`;

export type Pages = ReturnType<typeof createPages>;

/** Handlers; each throws `not-acceptable` for a client that takes no HTML. */
export function createPages(
  { publicUrl, origins, forums, site }: Pick<Config, 'publicUrl' | 'origins' | 'forums' | 'site'>, { hasThread }: { readonly hasThread: boolean },
) {
  const { name = new URL(publicUrl).host, logo, accent = '#2b59c3' } = site;
  const style = `:root{color-scheme:light dark;--vestibule-on-accent:light-dark(#fff,#000)}
:root{--vestibule-accent:light-dark(${accent},color-mix(in oklab,${accent} 50%,#fff))}
html{background:Canvas;border-top:.25rem solid var(--vestibule-accent);color:CanvasText;font:100%/1.5 system-ui,sans-serif}
vestibule-sync{--vestibule-background:Canvas}
body{margin:0 auto;max-width:34rem;padding:1rem 1.25rem 1.5rem}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 .75rem}
.site{align-items:center;display:flex;font-size:1rem;font-weight:600;gap:.625rem;justify-content:center;margin:0 0 1.25rem}
.site img{height:2rem} a{color:inherit;font-weight:600}
@media(max-width:40rem){vestibule-sync::part(card){border:0;padding:0}}`;
  const brand = `${logo === undefined ? '' : `<img src="${escapeHtml(logo)}" alt="">`}${escapeHtml(name)}`;
  const policy = [
    ...(logo === undefined ? [] : [`img-src ${new URL(logo).origin}`]),
    `default-src 'none'`, `style-src ${sourceOf(style)}`, `connect-src ${publicUrl}/`, `base-uri 'none'`, `form-action 'none'`,
    `frame-ancestors 'none'`, `require-trusted-types-for 'script'`, `trusted-types lit-html`, `script-src ${publicUrl}/`,
  ].join('; ');
  const attributes = ([language = 'en']: readonly string[]): string => `lang="${language}" bff="${escapeHtml(publicUrl)}"`;
  const widget = { head: `<script type="module" src="${escapeHtml(publicUrl)}/widget.js"></script>\n`, brandTag: 'h1' };
  const formFiles = createFormFiles();
  return { sendForm, sendBox, sendHome, sendContinue, sendNavigation, sendProblem };

  /** `<vestibule-sync>`: reports the outcome to the page that has opened the window, or where that is not known, to those of
   *  `origins`; browsers log an error for each that is another one.
   *  @param options `language`, `opener`: of the sign-in; `data`: what the form shows first, so that it need not request it */
  function sendForm(
    req: Request, res: Response,
    { language, opener, data }: {
      readonly language?: string | undefined; readonly opener?: string | undefined; readonly data?: Pick<SessionView, 'sync' | 'limits'>;
    } = {},
  ): void {
    const languages = languagesOf(req, language);
    const openers = escapeHtml(opener !== undefined && origins.includes(opener) ? opener : origins.join(' '));
    const block = data && `<script type="application/json" id="vestibule-data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`;
    const preloads = formFiles(languages).map((file) => `<link rel="modulepreload" href="${escapeHtml(publicUrl)}/${file}">\n`);
    send(req, res, 'Sign in to comment', `<vestibule-sync ${attributes(languages)} site="${escapeHtml(name)}" opener-origins="${openers}"></vestibule-sync>
${block ?? ''}<noscript>Signing in needs JavaScript. Turn it on and reload this page.</noscript>`, { ...widget, head: widget.head + preloads.join('') });
  }

  function sendBox(req: Request, res: Response): void {
    const forum = requireForum(forums, singleValue(queryOf(req), 'forum'));
    const page = queryOf(req).get('page');
    const article = page === null ? '' : ` page="${escapeHtml(page)}"`;
    // Only an address of the publisher: anybody can write a link to this page.
    const back = page !== null && origins.includes(URL.parse(page)?.origin ?? '')
      ? `<p><a href="${escapeHtml(page)}">Back to the article</a></p>\n` : '';
    send(req, res, 'Comments', `${back}<vestibule-comments ${attributes(languagesOf(req, languageOf(queryOf(req))))} forum="${escapeHtml(forum)}"${article}${hasThread ? ' show-posts' : ''}></vestibule-comments>
<noscript>Reading and writing comments needs JavaScript. Turn it on and reload this page.</noscript>`, widget);
  }

  function sendHome(req: Request, res: Response): void {
    send(req, res, 'Vestibule', `<h1>Vestibule runs here</h1>
<p>This address serves the comments of the pages of this site.</p>`);
  }

  /** Refuses a sign-in that another site asked for and offers to continue: the reader's click is a same-origin navigation.
   *  @throws {ProblemError} `cross-site-request` for a client that takes no HTML */
  function sendContinue(
    req: Request, res: Response, query: { forum: string; return_to: string; display: string; lang?: string; post?: string },
  ): void {
    if (!req.accepts('html')) throw new ProblemError('cross-site-request');
    const url = `${publicUrl}${endpoints.syncAuthorize.path}?${new URLSearchParams(query).toString()}`;
    send(req, res, 'Sign in to comment?', `<h1>Sign in to comment?</h1>
<p>Another website asked to start a sign-in at ${escapeHtml(new URL(publicUrl).host)}. Continue only if you wanted to sign in.</p>
<p><a href="${escapeHtml(url)}">Continue to sign in</a></p>`, { status: 403 });
  }

  /** Navigates to the page that the reader came from, without a history entry. */
  function sendNavigation(req: Request, res: Response, to: string): void {
    send(req, res, 'Back to the article', `<p><a href="${escapeHtml(to)}">Back to the article</a></p>`, {
      head: `<meta http-equiv="refresh" content="0;url=${escapeHtml(to)}">\n`,
    });
  }

  /** A failed navigation, explained to a reader. `false`: another request, or another client. */
  function sendProblem(problem: Problem, req: Request, res: Response): boolean {
    const { isPage, label } = contextOf(req).route;
    if (!isPage || req.accepts(['application/problem+json', 'html']) !== 'html') return false;
    const title = label === endpoints.comments.path ? 'Comments cannot be shown' : 'Sign-in did not work';
    const { protocol, origin = '' } = URL.parse(queryOf(req).get('return_to') ?? '') ?? {};
    const isReported = label === endpoints.syncAuthorize.path && protocol?.startsWith('http');
    send(req, res, title, `<h1>${title}</h1>
<p>${escapeHtml(problem.detail)}</p>
<p>Close this window, or go back to the article, and try again from there.</p>
<p>Reference: <code>${escapeHtml(referenceOf(problem) ?? '')}</code></p>
${isReported ? `<script data-origin="${escapeHtml(origin)}" data-problem="${escapeHtml(JSON.stringify(problem))}">${REPORT}</script>` : ''}`, { status: problem.status, script: ` ${sourceOf(REPORT)}` });
    return true;
  }

  /** @param options `script`: another source of scripts, for the policy */
  function send(req: Request, res: Response, title: string, main: string, { head = '', script = '', status = 200, brandTag = 'p' } = {}): void {
    if (!req.accepts('html')) throw new ProblemError('not-acceptable');
    res.status(status).set({
      'Content-Security-Policy': policy + script,
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    }).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} – ${name}`)}</title>
<style>${style}</style>
${head}</head>
<body>
<header><${brandTag} class="site">${brand}</${brandTag}></header>
<main>
${main}
</main>
</body>
</html>
`);
  }
}

function sourceOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Sends the address byte for byte; `res.redirect` would encode it again. */
export function redirect(res: Response, status: 302 | 303, location: string): void {
  res.status(status).setHeader('Location', location).end();
}
