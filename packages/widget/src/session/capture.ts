/** What the entry imports of `callback.ts`, which is a part of the shared chunk: see `vite.config.ts`. */

export { captureCallback } from './callback.ts';
