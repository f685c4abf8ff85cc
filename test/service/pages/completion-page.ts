/** The page at the end of a sign-in (interface 4.5). A popup closes itself; another window shows a link to the publisher. */

import type { ServiceContext } from '../context.ts';
import type { Display, Reader } from '../grants.ts';
import { html, type Html } from '../html.ts';
import { paths } from '../paths.ts';
import { avatar } from './avatar.ts';
import { layout } from './layout.ts';

export function completionPage(context: ServiceContext, reader: Reader, succeeded: boolean, display: Display | undefined): Html {
  const title = succeeded ? `You’re in, ${reader.username}` : 'You were not signed in';
  const sentence = succeeded
    ? `${context.publisherName} has welcomed you. You can join the conversation now.`
    : `${context.publisherName} did not finish signing you in. Nothing was posted in your name.`;
  const { completionReturnUrl: back } = context;
  return layout(context, {
    title,
    display: display ?? '',
    script: paths.completionScript,
    main: html`<div class="outcome">${succeeded ? avatar(reader) : html`<span class="avatar avatar-none" aria-hidden="true">–</span>`}</div>
<h1>${title}</h1>
<p>${sentence}</p>
<p class="closing" hidden>This window closes by itself.</p>
${back !== undefined && html`<p class="back"><a class="button primary" href="${back}">Back to ${context.publisherName}</a></p>`}`,
  });
}
