/** The page for a refused request. */

import type { ServiceContext } from '../context.ts';
import { html, type Html } from '../html.ts';
import { layout } from './layout.ts';

export function errorPage(context: ServiceContext, reason: string): Html {
  return layout(context, {
    title: 'This link does not work',
    main: html`<h1>This link does not work</h1>
<p>The service was asked for something that it does not allow.</p>
<p class="reason">${reason}</p>`,
  });
}
