/** Registers both elements. */

import { VestibuleComments } from './comments/vestibule-comments.ts';
import { VestibuleSync } from './sync/vestibule-sync.ts';

if (!customElements.get('vestibule-comments')) customElements.define('vestibule-comments', VestibuleComments);
if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);
