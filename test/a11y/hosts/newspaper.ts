/** A newspaper: serifs, thin rules, a red accent colour. */

import { html } from '../../service/html.ts';
import { box, hostPage, type Host } from './host.ts';

export const newspaper: Host = {
  name: 'newspaper',
  title: 'A newspaper',
  page: () => hostPage({
    name: 'newspaper',
    title: 'The Morning Ledger',
    body: html`<header><p class="name">The Morning Ledger</p></header>
<main>
<h1>The ferry will run at night again</h1>
<p class="by">From our harbour correspondent</p>
<p>For the first time in eleven years the last boat will not leave at nine. The council voted on Tuesday to pay for two crossings after midnight, and the ferrymen have agreed to work them.</p>
<p>It was the bakers who asked. Their ovens are on one bank and most of their beds on the other, and since the old boat was sold they have walked over the bridge at Sallow, an hour each way.</p>
${box('My father steered the night boat until it was sold. He would have liked to read this.', 'Ada Quill', 'Commenting as')}
</main>`,
  }),
};
