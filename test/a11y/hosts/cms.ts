/** A site on a content management system whose theme resets many styles, some with `!important`. */

import { html } from '../../service/html.ts';
import { box, hostPage, type Host } from './host.ts';

export const cms: Host = {
  name: 'cms',
  title: 'A CMS theme with resets',
  page: () => hostPage({
    name: 'cms',
    title: 'Pine & Pantry',
    body: html`<header><strong>Pine &amp; Pantry</strong><button type="button">Subscribe</button></header>
<main>
<h1>Rye bread for people in a hurry</h1>
<p>No starter, no stone, no steam. Stir it in the evening, bake it at breakfast, and leave it alone until noon, which is the only hard part.</p>
<h2>Leave a reply</h2>
${box('Baked it in a pan with a lid, twenty minutes longer. Thank you!', 'Ottilie', 'Commenting as')}
</main>`,
  }),
};
