/** The pages of the service, which is called Parley. */

import { readFileSync } from 'node:fs';
import { basePathOf, type ServiceContext } from './context.ts';
import type { Reader, Token } from './grants.ts';
import { attribute, html, type Html } from './html.ts';
import type { Reply } from './http.ts';

const STYLESHEET = '/assets/service.css';
const COMPLETION_SCRIPT = '/assets/complete.js';

/** The static files by their path below `base_url`. */
export const assets: Readonly<Record<string, Reply>> = {
  [STYLESHEET]: asset('service.css', 'text/css; charset=utf-8'),
  [COMPLETION_SCRIPT]: asset('complete.js', 'text/javascript; charset=utf-8'),
};

function asset(file: string, contentType: string): Reply {
  return { status: 200, headers: { 'Content-Type': contentType }, body: readFileSync(new URL(`assets/${file}`, import.meta.url)) };
}

export interface Choice {
  readonly title: string;
  readonly explanation: string;
  readonly accept: string;
  readonly deny: string;
  /** Target of the form. */
  readonly action: string;
  /** Sent along with the choice. */
  readonly params: readonly (readonly [string, string])[];
}

/** A reader chooses an account, and allows or denies access. */
export function choicePage(context: ServiceContext, { title, explanation, accept, deny, action, params }: Choice): Html {
  return layout(context, title, html`<h1>${title}</h1>
<p>${explanation}</p>
<form method="post" action="${action}">
${params.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<fieldset>
<legend>Demonstration accounts</legend>
${context.readers.map((reader, i) => html`<label class="account">
<input type="radio" name="reader" value="${reader.user_id}"${attribute('checked', i === 0 ? '' : undefined)}>
${avatar(reader)}<span class="account-name">${reader.username}</span></label>`)}
</fieldset>
<div class="actions">
<button class="primary" name="decision" value="accept">${accept}</button>
<button name="decision" value="deny">${deny}</button>
</div>
</form>`);
}

/** The end of a sign-in (interface 4.5). A popup closes itself; another window shows a link to the publisher. */
export function completionPage(context: ServiceContext, { reader, display }: Token, succeeded: boolean): Html {
  const { publisherName, completionReturnUrl: back } = context;
  const title = succeeded ? `You’re in, ${reader.username}` : 'You were not signed in';
  const sentence = succeeded
    ? `${publisherName} has welcomed you. You can join the conversation now.`
    : `${publisherName} did not finish signing you in. Nothing was posted in your name.`;
  return layout(context, title, html`<div class="outcome" data-display="${display ?? ''}">${succeeded ? avatar(reader) : noAvatar}</div>
<h1>${title}</h1>
<p>${sentence}</p>
<p class="closing" hidden>This window closes by itself.</p>
${back !== '' && html`<p class="back"><a class="button primary" href="${back}">Back to ${publisherName}</a></p>`}`);
}

/** A refused request. */
export function errorPage(context: ServiceContext, reason: string): Html {
  return layout(context, 'This link does not work', html`<h1>This link does not work</h1>
<p>The service was asked for something that it does not allow.</p>
<p class="reason">${reason}</p>`);
}

/** A reader's initial on a color that depends on the user id. */
function avatar({ user_id, username }: Reader): Html {
  const color = [...user_id].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % 6;
  const initial = [...username.trim()][0] ?? '?';
  return html`<span class="avatar avatar-${color}" aria-hidden="true">${initial.toUpperCase()}</span>`;
}

const noAvatar = html`<span class="avatar avatar-none" aria-hidden="true">–</span>`;

function layout(context: ServiceContext, title: string, main: Html): Html {
  const base = basePathOf(context);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}${STYLESHEET}">
<script type="module" src="${base}${COMPLETION_SCRIPT}"></script>
</head>
<body>
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
