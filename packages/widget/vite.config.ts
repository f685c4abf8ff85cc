/** Builds what a browser loads by the script tag: `dist/browser/widget.js`, the same under a name that never changes its
 *  content, its chunks in `dist/browser/assets/`, a brotli and a gzip form beside each file, and `sri.json`. */

import { defineConfig } from 'vite';
import { languageChunks, languageFileName } from './build/language-chunks.ts';
import { minifyTemplates } from './build/minify-templates.ts';
import { precompress } from './build/precompress.ts';
import { shareCore } from './build/share-core.ts';
import { subresourceIntegrity } from './build/subresource-integrity.ts';
import { toleratePolicy } from './build/tolerate-policy.ts';
import { versionedEntry } from './build/versioned-entry.ts';
import manifest from './package.json' with { type: 'json' };

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  resolve: { conditions: ['@vestibule/source', 'module', 'browser', 'production'] },
  plugins: [
    languageChunks(), minifyTemplates(), toleratePolicy(), shareCore(), versionedEntry(manifest.version),
    subresourceIntegrity(), precompress(),
  ],
  build: {
    target: 'es2024',
    outDir: 'dist/browser',
    emptyOutDir: true,
    reportCompressedSize: false,
    // As a library: imports stay the browser's own, without Vite's helper that preloads (half a kilobyte for nothing here).
    lib: { entry: { widget: 'src/widget.ts' }, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: ({ isDynamicEntry, name }) => languageFileName(name) ?? `assets/${isDynamicEntry ? name : 'shared'}-[hash].js`,
        minify: true,
        comments: { annotation: false },
      },
    },
  },
});
