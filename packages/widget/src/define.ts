/** Registers the elements; on a server, nothing. A browser without the newest of the features that they need shows their
 *  content instead. */

import './count.ts';
import { VestibuleComments } from './element/vestibule-comments.ts';
import { VestibuleSync } from './form/vestibule-sync.ts';

export type * from './index.ts';

if ('document' in globalThis && 'parse' in URL) {
  if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
