/**
 * Builds what a browser loads by the script tag: `dist/browser/widget.js`, the first stage; the same under a name that never
 * changes its content; later chunks and source maps in `assets/`; a brotli and a gzip form beside each script; `sri.json`.
 */

import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { precompress } from './build/precompress.ts';
import { sharedFirstStage } from './build/shared-first-stage.ts';
import { subresourceIntegrity } from './build/subresource-integrity.ts';
import { versionedEntry } from './build/versioned-entry.ts';
import manifest from './package.json' with { type: 'json' };

const entry = resolve(import.meta.dirname, 'src/widget.ts');

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  resolve: { conditions: ['@vestibule/source', 'module', 'browser', 'production'] },
  plugins: [
    sharedFirstStage({ entry, exports: resolve(import.meta.dirname, 'src/first-stage.ts'), key: 'FIRST_STAGE' }),
    versionedEntry(manifest.version),
    subresourceIntegrity(),
    precompress(),
  ],
  build: {
    target: 'es2024',
    outDir: 'dist/browser',
    emptyOutDir: true,
    reportCompressedSize: false,
    // Built, and named by no script: a reader's browser does not load them.
    sourcemap: 'hidden',
    // As a library, so that Vite adds no helper that preloads chunks.
    lib: { entry, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: 'widget.js',
        chunkFileNames: 'assets/[name]-[hash].js',
        minify: true,
        comments: { annotation: false },
      },
    },
  },
});
