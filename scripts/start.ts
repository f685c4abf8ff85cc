/** `npm start`: starts the BFF if `VESTIBULE_SERVICE_URL` or `VESTIBULE_CONFIG` is set. Otherwise it starts the demonstration:
 *  an emulated service, a publisher's article page and the BFF on this machine. */

const isConfigured = ['VESTIBULE_SERVICE_URL', 'VESTIBULE_SERVICE_URL_FILE', 'VESTIBULE_CONFIG'].some((name) => process.env[name]);

await (isConfigured ? import('../packages/bff/src/main.ts') : import('../test/site/main.ts'));
