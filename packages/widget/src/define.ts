/** Registers both elements. */

import { VestibuleComments } from './elements/comments/vestibule-comments.ts';
import { VestibuleSync } from './elements/sync/vestibule-sync.ts';

if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
