/** `npm run gallery`: serves every state of both elements until `SIGINT` or `SIGTERM`. `PORT` is the port. */

import { startGallery } from './gallery.ts';

const gallery = await startGallery(Number(process.env['PORT'] ?? 8090));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gallery[Symbol.asyncDispose]());

process.stdout.write(`Every state: ${gallery.url}/\n`);
