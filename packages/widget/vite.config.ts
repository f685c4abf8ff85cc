/**
 * Builds what a browser loads by the script tag: `dist/browser/widget.js`, a loader; the same under a name that never
 * changes its content; chunks and source maps in `assets/`; a brotli and a gzip form beside each script; `sri.json`.
 */

import { defineConfig } from 'vite';
import { precompress } from './build/precompress.ts';
import { subresourceIntegrity } from './build/subresource-integrity.ts';
import { versionedEntry } from './build/versioned-entry.ts';
import manifest from './package.json' with { type: 'json' };

interface Modules {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** Whether `core.ts` imports the module statically, itself or through others. */
function isFirstStage(id: string, modules: Modules, seen = new Set<string>()): boolean {
  if (id.endsWith('/src/core.ts')) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return modules.getModuleInfo(id)?.importers.some((importer) => isFirstStage(importer, modules, seen)) ?? false;
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  resolve: { conditions: ['@vestibule/source', 'module', 'browser', 'production'] },
  plugins: [versionedEntry(manifest.version), subresourceIntegrity(), precompress()],
  build: {
    target: 'es2024',
    outDir: 'dist/browser',
    emptyOutDir: true,
    reportCompressedSize: false,
    // Built, and named by no script: a reader's browser does not load them.
    sourcemap: 'hidden',
    // As a library, so that Vite adds no helper that preloads chunks.
    lib: { entry: { widget: 'src/widget.ts', core: 'src/core.ts' }, formats: ['es'] },
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: ({ name }) => (name === 'widget' ? 'widget.js' : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        minify: true,
        // What the first stage imports lies in one file with it; later chunks take it from there.
        codeSplitting: { groups: [{ name: (id, modules) => (isFirstStage(id, modules) ? 'core' : null) }] },
        comments: { annotation: false },
      },
    },
  },
});
