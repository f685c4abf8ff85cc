/** Registers the elements. A browser without the newest of the features that they need shows their content instead. */

import './count.ts';
import { VestibuleComments } from './comments/vestibule-comments.ts';
import { VestibuleSync } from './sync/vestibule-sync.ts';

if ('parse' in URL) {
  if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
  if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
}
