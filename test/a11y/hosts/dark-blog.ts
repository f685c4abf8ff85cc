/** A dark blog that does not set `color-scheme`. */

import { html } from '../../service/html.ts';
import { box, hostPage, type Host } from './host.ts';

export const darkBlog: Host = {
  name: 'dark-blog',
  title: 'A dark blog',
  page: () => hostPage({
    name: 'dark-blog',
    title: 'null island',
    body: html`<header><a href="/">null island</a></header>
<main>
<h1>Sorting a million names without a computer</h1>
<p>The library at Ostrow kept its index on cards until last spring. When they moved, somebody dropped a drawer, and then, trying to help, somebody else dropped the cabinet.</p>
<pre>for each drawer
  deal into 26 piles
  pick up the piles in order</pre>
<p>Radix sort, by hand, by forty volunteers, in a weekend. It is stable, it needs no comparisons, and it runs on tea.</p>
${box('We did the same with seed packets. Two passes were enough once we stopped arguing about hyphens.', 'tessellate', 'Commenting as')}
</main>`,
  }),
};
