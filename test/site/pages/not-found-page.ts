/** Nothing at this address. */

import { html, type Html } from '../../service/html.ts';
import { layout } from './layout.ts';

export function notFoundPage(): Html {
  return layout({
    title: 'Not in this edition',
    main: html`<section class="validation"><header class="story-head">
<p class="section-name">404</p>
<h1>Not in this edition</h1>
<p class="standfirst">There is no page at this address. The <a href="/">front page</a> has what we printed today.</p>
</header></section>`,
  });
}
