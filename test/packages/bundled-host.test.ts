/** A host application that bundles the library with its dependencies into files of its own. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'vite';
import { temporaryDirectory } from '../lib/temporary-directory.ts';

const HOST = join(import.meta.dirname, 'bundled-host');

/** Ignored by git. The package resolves from here, as from a real host. */
const OUT = join(HOST, 'dist');

describe('a host application that Vite bundled', () => {
  it('starts the library with its default store', async () => {
    await using directory = await temporaryDirectory();
    await build({
      configFile: false,
      logLevel: 'error',
      root: HOST,
      build: { ssr: join(HOST, 'main.js'), outDir: OUT, emptyOutDir: true, target: 'node24' },
      ssr: { noExternal: true },
    });
    const { stdout, stderr } = spawnSync(process.execPath, [join(OUT, 'main.js'), join(directory.path, 'store.db')], {
      cwd: directory.path, encoding: 'utf8', env: {},
    });
    assert.equal(stdout, 'started\n', stderr);
  });

  for (const format of ['cjs', 'es'] as const) {
    it(`says how to install the package where a bundle (${format}) has lost its files`, async () => {
      await using directory = await temporaryDirectory();
      const file = join(directory.path, format === 'cjs' ? 'lost.cjs' : 'lost.mjs');
      await build({
        configFile: false,
        logLevel: 'silent',
        root: HOST,
        build: {
          ssr: join(HOST, 'lost.js'), outDir: directory.path, emptyOutDir: false, target: 'node24',
          rollupOptions: { output: { format, entryFileNames: basename(file), codeSplitting: false } },
        },
        ssr: { noExternal: true },
      });
      const { stderr } = spawnSync(process.execPath, [file], { cwd: directory.path, encoding: 'utf8', env: {} });
      assert.match(stderr, /Error: The package @vestibule\/bff is not found: install it where the bundle runs/);
    });
  }
});
