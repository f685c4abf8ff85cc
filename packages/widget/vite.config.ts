/**
 * Builds what a browser loads by the script tag, to `dist/browser`:
 *
 * - `widget.js`, the element, and the same under a name with its version and hash, for pages that pin a release. Each has its
 *   own later chunks in `assets/`, which import their entry.
 * - `count.js`, which imports nothing.
 * - A brotli and a gzip form beside each script; source maps; `sri.json`; `manifest.json`, the chunks of `widget.js`;
 *   `licenses.md`, of the libraries in the scripts.
 */

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { minifyHTMLLiterals } from 'minify-literals';
import { defineConfig, type BuildEnvironmentOptions, type Plugin } from 'vite';
import { precompress, writeIntegrity } from './build/after-build.ts';
import manifest from './package.json' with { type: 'json' };

const outDir = resolve(import.meta.dirname, 'dist/browser');

/** Minifies the styles: the templates of Lit's `css`. Those of `html` stay: their white space is part of the page. */
const minifyStyles: Plugin = {
  name: 'minify-styles',
  enforce: 'pre',
  transform: {
    filter: { id: /\/packages\/widget\/src\/.*\.ts$/, code: 'css`' },
    handler: (code, id) => minifyHTMLLiterals(code, { fileName: id, html: false, cssTags: ['css'] }),
  },
};

const common: BuildEnvironmentOptions = {
  target: 'es2024',
  outDir,
  emptyOutDir: false,
  reportCompressedSize: false,
  // Built, and named by no script: a reader's browser does not load them.
  sourcemap: 'hidden',
};

/** @param entry name of the built entry */
const widget = (entry: string): BuildEnvironmentOptions => ({
  ...common,
  // As a library, so that Vite adds no helper that preloads chunks.
  lib: {
    formats: ['es'],
    // The first loads the second beside the box. An entry needs no namespace object, which fails where a page has put members on
    // `Object.prototype`.
    entry: {
      widget: resolve(import.meta.dirname, 'src/widget.ts'),
      'beside-box': resolve(import.meta.dirname, 'src/box/beside-box.ts'),
    },
  },
  rolldownOptions: {
    // So that later chunks import from the entry itself.
    preserveEntrySignatures: 'allow-extension',
    output: {
      entryFileNames: ({ name }) => name === 'widget' ? entry : 'assets/[name]-[hash].js',
      chunkFileNames: 'assets/[name]-[hash].js',
      minify: true,
      comments: { annotation: false },
      // What the box and the count share is in the chunk of that entry: one of its own would load after the box.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: 'beside-box', test: /(?:beside-box|localizer|languages|own-strings|negotiation|fetch-public|article-key)\.[jt]s$/ }],
      },
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [minifyStyles],
  resolve: { conditions: ['@vestibule/source', 'module', 'browser', 'production'] },
  environments: {
    client: { build: { ...widget('widget.js'), manifest: 'manifest.json', license: { fileName: 'licenses.md' } } },
    pinned: { consumer: 'client', build: widget(`widget-${manifest.version}-[hash].js`) },
    count: {
      consumer: 'client',
      build: {
        ...common,
        lib: { entry: resolve(import.meta.dirname, 'src/count.ts'), formats: ['es'], fileName: () => 'count.js' },
        rolldownOptions: { output: { minify: true } },
      },
    },
  },
  builder: {
    async buildApp({ environments, build }) {
      rmSync(outDir, { recursive: true, force: true });
      for (const environment of Object.values(environments)) await build(environment);
      precompress(outDir);
      writeIntegrity(outDir);
    },
  },
});
