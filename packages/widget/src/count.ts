/** `count.js`, the script for lists of articles: registers `<vestibule-count>` alone; on a server, nothing. */

import { VestibuleCount } from './count/vestibule-count.ts';

if ('document' in globalThis && 'parse' in URL && !customElements.get('vestibule-count')) customElements.define('vestibule-count', VestibuleCount);
