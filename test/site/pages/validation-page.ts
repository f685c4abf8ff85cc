/** The publisher's own validation page, for a redirect URI that is the publisher's: it carries `<vestibule-sync>`. */

import { widgetScript } from '../comment-box.ts';
import { html, type Html } from '../../service/html.ts';
import type { SiteOptions } from '../options.ts';
import { layout } from './layout.ts';

export function validationPage(options: SiteOptions): Html {
  return layout({
    title: 'Before you write',
    main: html`<section class="validation">
<header class="story-head">
<p class="section-name">House rules</p>
<h1>Before you write</h1>
<p class="standfirst">Comments are for people who have read the piece. Be kind, sign with the name you go by, and leave the harbour as you found it.</p>
</header>
${widgetScript(options)}
<vestibule-sync></vestibule-sync>
</section>`,
  });
}
