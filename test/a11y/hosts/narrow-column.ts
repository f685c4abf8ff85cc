/** A column of 280 pixels beside a map, narrower than a phone. */

import { html } from '../../service/html.ts';
import { box, hostPage, type Host } from './host.ts';

export const narrowColumn: Host = {
  name: 'narrow-column',
  title: 'A narrow column',
  page: () => hostPage({
    name: 'narrow-column',
    title: 'Footpaths of the Marsh',
    body: html`<main><div class="map" role="img" aria-label="A map of the marsh"></div>
<aside aria-label="Walk 14">
<h1>Walk 14</h1>
<p>Sluice to windmill, 6 km. Wet after rain.</p>
${box('The second stile is broken. We went round by the pump house.', 'Marten', 'Commenting as')}
</aside></main>`,
  }),
};
