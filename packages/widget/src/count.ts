/** `count.js`, the script for lists of articles: registers `<vestibule-count>` alone. */

import { VestibuleCount } from './count/vestibule-count.ts';

if (!customElements.get('vestibule-count')) customElements.define('vestibule-count', VestibuleCount);
