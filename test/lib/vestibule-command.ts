/** Arguments of `node` that run `vestibule`. */

import { fileURLToPath } from 'node:url';

/** Runs the sources; a test may replace single modules. */
export const sources: readonly string[] = [
  '--conditions=@vestibule/source', fileURLToPath(new URL('../../packages/bff/src/main.ts', import.meta.url)),
];

const bundle = process.env['VESTIBULE_TEST_BUNDLE'];

/** The bundle of a whole test run, which starts faster. Otherwise the sources. */
export const vestibule: readonly string[] = bundle === undefined ? sources : [bundle];
