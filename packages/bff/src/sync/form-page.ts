/** The BFF's own pages: the popup's, with `<vestibule-sync>` and nothing else, and the comment box's, for where a page's own
 *  policy keeps it from being shown. Each is sent under a policy that lets nothing else in, and is the same for every reader;
 *  what it shows, its script asks for. */

import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { endpoints } from '@vestibule/shared';
import { languagesOf } from '../http/languages.ts';
import { ProblemError } from '../http/problem-error.ts';
import { escapeHtml } from '../lib/escape-html.ts';

const STYLE = `:root{color-scheme:light dark}
html{background:Canvas;color:CanvasText;font:100%/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:34rem;padding:1.5rem 1.25rem}
noscript{display:block;padding:1rem 0}`;

export interface FormPageSettings {
  readonly publicUrl: string;
  /** Pages that may be told of the outcome. */
  readonly origins: readonly string[];
}

export class FormPage {
  /** Its address, without parameters. */
  readonly url: string;
  readonly #settings: FormPageSettings;
  readonly #policy: string;

  constructor(settings: FormPageSettings) {
    this.#settings = settings;
    this.url = settings.publicUrl + endpoints.syncForm.path;
    this.#policy = policyOf(settings.publicUrl);
  }

  send(req: Request, res: Response): void {
    if (!req.accepts('html')) throw new ProblemError('not-acceptable');
    const { publicUrl, origins } = this.#settings;
    sendPage(res, this.#policy, 200, this.#html(req, 'Sign in to comment', `<vestibule-sync bff="${escapeHtml(publicUrl)}" opener-origins="${escapeHtml([...new Set(origins)].join(' '))}"></vestibule-sync>
<noscript>Signing in needs JavaScript. Please turn it on and load this page again.</noscript>`));
  }

  /** The comment box of `forum`, on a page of its own. */
  sendBox(req: Request, res: Response, forum: string): void {
    if (!req.accepts('html')) throw new ProblemError('not-acceptable');
    sendPage(res, this.#policy, 200, this.#html(req, 'Comments', `<vestibule-comments bff="${escapeHtml(this.#settings.publicUrl)}" forum="${escapeHtml(forum)}"></vestibule-comments>
<noscript>Writing a comment needs JavaScript. Please turn it on and load this page again.</noscript>`));
  }

  #html(req: Request, title: string, main: string): string {
    const { publicUrl } = this.#settings;
    return `<!doctype html>
<html lang="${escapeHtml(languagesOf(req)[0] ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
<script type="module" src="${escapeHtml(publicUrl)}/widget.js"></script>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  }
}

/** A failure of a navigation, as a page for a person. */
export function sendProblemPage(res: Response, publicUrl: string, status: number, words: string): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign-in did not work</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign-in did not work</h1>
<p>${escapeHtml(words)}</p>
<p>Close this window, or go back to the article, and try again from there.</p>
</main>
</body>
</html>
`;
  sendPage(res, policyOf(publicUrl), status, html);
}

function sendPage(res: Response, policy: string, status: number, html: string): void {
  res.status(status).set({
    'Content-Security-Policy': policy,
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  }).send(html);
}

function policyOf(publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  return [
    `default-src 'none'`,
    `script-src ${origin}`,
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    `connect-src ${origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types lit-html`,
  ].join('; ');
}
