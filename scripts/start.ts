/** `npm start`: with `VESTIBULE_SERVICE_URL` or `VESTIBULE_CONFIG` set, the BFF with that configuration; with neither, the
 *  demonstration: an emulated service, a publisher's article page and the BFF, on addresses of this machine. */

import { build } from './build.ts';

const isConfigured = ['VESTIBULE_SERVICE_URL', 'VESTIBULE_SERVICE_URL_FILE', 'VESTIBULE_CONFIG'].some((name) => process.env[name]);

await build();
await (isConfigured ? import('../packages/bff/src/main.ts') : import('../test/site/main.ts'));
