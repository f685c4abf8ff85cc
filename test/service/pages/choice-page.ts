/** The page on which a reader chooses an account, and allows or denies access. */

import type { ServiceContext } from '../context.ts';
import { attribute, html, type Html } from '../html.ts';
import { avatar } from './avatar.ts';
import { layout } from './layout.ts';

export interface Choice {
  /** Where the form is posted. */
  readonly action: string;
  /** Sent along with the choice. */
  readonly params: Readonly<Record<string, string>>;
  readonly title: string;
  readonly explanation: string;
  readonly accept: string;
  readonly deny: string;
}

export function choicePage(context: ServiceContext, { action, params, title, explanation, accept, deny }: Choice): Html {
  return layout(context, {
    title,
    main: html`<h1>${title}</h1>
<p>${explanation}</p>
<form method="post" action="${action}">
${Object.entries(params).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
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
</form>`,
  });
}
