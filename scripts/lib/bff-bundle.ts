/**
 * The BFF with its libraries in a few files, for the processes of a whole test run: they start in half the time that the
 * modules take one by one. Single files of tests, measurements of coverage and mutants run the sources.
 */

import { build } from 'vite';
import { fromRoot } from './paths.ts';

/** As deep as the folders of `src`: modules resolve files relative to their own path. */
const DIRECTORY = '.artifacts/own';

/** Writes the bundle. @returns path of its `main.js` */
export async function bundleBff(): Promise<string> {
  const root = fromRoot('packages/bff');
  const { NODE_ENV } = process.env;
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['@vestibule/source'] },
    ssr: { noExternal: true, resolve: { conditions: ['@vestibule/source'] } },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: '.artifacts',
      emptyOutDir: true,
      rolldownOptions: {
        input: { main: 'src/main.ts', 'sqlite-worker': 'src/store/sqlite-worker.ts' },
        output: {
          entryFileNames: 'own/[name].js',
          // The log quotes messages of our own code only, which it knows by its folder.
          chunkFileNames: ({ name }) => `${name.startsWith('libraries') ? 'libraries' : 'own'}/[name].js`,
          codeSplitting: {
            groups: [
              { name: 'libraries-redis', test: /node_modules\/(?:@redis|rate-limit-redis)\// },
              { name: 'libraries', test: /node_modules\// },
            ],
          },
        },
      },
    },
  });
  // Vite sets it for this process, whose environment the tests inherit.
  if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
  return fromRoot('packages/bff', DIRECTORY, 'main.js');
}
