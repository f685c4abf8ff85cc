/** The BFF's own pages: the validation form of the popup, the comment box for pages whose policy blocks the widget, and the
 *  question before a sign-in that another site asked for. Each page is the same for every reader and stands under a policy
 *  that allows only the widget; the widget requests what it shows. */

import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { endpoints, referenceOf, type Problem, type SyncDisplay } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { languagesOf, queryOf } from '../http/request.ts';
import { ProblemError } from '../http/problem.ts';
import { escapeHtml } from '../lib/text.ts';

const STYLE = `:root{color-scheme:light dark}
html{background:Canvas;color:CanvasText;font:100%/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:34rem;padding:1.5rem 1.25rem}
noscript{display:block;padding:1rem 0}`;

export class Pages {
  /** Address of the form page, without parameters. */
  readonly formUrl: string;
  readonly #settings: Pick<Config, 'publicUrl' | 'origins'>;
  readonly #policy: string;

  /** @param settings the form reports the outcome to pages of `origins` */
  constructor(settings: Pick<Config, 'publicUrl' | 'origins'>) {
    this.#settings = settings;
    this.formUrl = settings.publicUrl + endpoints.syncForm.path;
    this.#policy = policyOf(settings.publicUrl);
  }

  /** `<vestibule-sync>`. @throws {ProblemError} `not-acceptable` */
  sendForm(req: Request, res: Response): void {
    const { publicUrl, origins } = this.#settings;
    this.#send(req, res, 'Sign in to comment', this.#widget(`<vestibule-sync lang="${languageOf(req)}" bff="${escapeHtml(publicUrl)}" opener-origins="${escapeHtml(origins.join(' '))}"></vestibule-sync>
<noscript>Signing in needs JavaScript. Turn it on and reload this page.</noscript>`));
  }

  /** `<vestibule-comments>` of one forum. @throws {ProblemError} `not-acceptable` */
  sendBox(req: Request, res: Response, forum: string): void {
    const page = queryOf(req).get('page');
    const article = page === null ? '' : ` page="${escapeHtml(page)}"`;
    this.#send(req, res, 'Comments', this.#widget(`<vestibule-comments lang="${languageOf(req)}" bff="${escapeHtml(this.#settings.publicUrl)}" forum="${escapeHtml(forum)}"${article}></vestibule-comments>
<noscript>Writing a comment needs JavaScript. Turn it on and reload this page.</noscript>`));
  }

  /** For those who open the public URL itself. @throws {ProblemError} `not-acceptable` */
  sendHome(req: Request, res: Response): void {
    this.#send(req, res, 'Vestibule', { main: '<h1>Vestibule runs here</h1>\n<p>This address serves the comments of the pages of this site.</p>' });
  }

  /** Refuses a sign-in that another site asked for and offers to continue: the reader's click is a same-origin navigation.
   *  @throws {ProblemError} `cross-site-request` for a client that takes no HTML */
  sendContinue(req: Request, res: Response, attempt: { forum: string; returnTo: string; display: SyncDisplay }): void {
    if (!req.accepts('html')) throw new ProblemError('cross-site-request');
    const query = new URLSearchParams({ forum: attempt.forum, return_to: attempt.returnTo, display: attempt.display });
    const url = `${this.#settings.publicUrl}${endpoints.syncAuthorize.path}?${query.toString()}`;
    this.#send(req, res, 'Sign in to comment?', {
      status: 403,
      main: `<h1>Sign in to comment?</h1>
<p>Another website asked to start a sign-in at ${escapeHtml(new URL(this.#settings.publicUrl).host)}. Continue only if you wanted to sign in.</p>
<p><a href="${escapeHtml(url)}">Continue to sign in</a></p>`,
    });
  }

  #widget(main: string): PageContent {
    return { main, head: `<script type="module" src="${escapeHtml(this.#settings.publicUrl)}/widget.js"></script>\n` };
  }

  #send(req: Request, res: Response, title: string, content: PageContent): void {
    if (!req.accepts('html')) throw new ProblemError('not-acceptable');
    sendPage(res, this.#policy, title, content);
  }
}

/** Of the element; the page's own words are English. */
function languageOf(req: Request): string {
  return languagesOf(req)[0] ?? 'en';
}

interface PageContent {
  readonly main: string;
  readonly head?: string;
  /** Default 200. */
  readonly status?: number;
}

/** Reports the problem to the comment box that opened the window. To any origin, because the refused origin may be the cause:
 *  the problem has no data of a reader. */
const REPORT = `opener?.postMessage({ vestibule: JSON.parse(document.currentScript.dataset.problem) }, '*');`;

/** A failed navigation, explained to a reader. @param isReported the page of a box may have opened the window */
export function sendProblemPage(res: Response, publicUrl: string, title: string, problem: Problem, isReported: boolean): void {
  sendPage(res, policyOf(publicUrl, ` 'sha256-${hash('sha256', REPORT, 'base64')}'`), title, {
    status: problem.status,
    main: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(problem.detail)}</p>
<p>Close this window, or go back to the article, and try again from there.</p>
<p>Reference: <code>${escapeHtml(referenceOf(problem) ?? '')}</code></p>
${isReported ? `<script data-problem="${escapeHtml(JSON.stringify(problem))}">${REPORT}</script>` : ''}`,
  });
}

function sendPage(res: Response, policy: string, title: string, { main, head = '', status = 200 }: PageContent): void {
  res.status(status).set({
    'Content-Security-Policy': policy,
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  }).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
${head}</head>
<body>
<main>
${main}
</main>
</body>
</html>
`);
}

function policyOf(publicUrl: string, script = ''): string {
  return [
    `default-src 'none'`,
    `script-src ${publicUrl}/${script}`,
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    `connect-src ${publicUrl}/`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');
}
