/** No block of code in the documentation escapes the tests of this folder. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeBlocks, placeOf } from './_documents.ts';

/** Which file tests the blocks of a language. */
const TESTED_BY: Readonly<Record<string, string>> = {
  js: 'compiled.test.ts', ts: 'compiled.test.ts', tsx: 'compiled.test.ts',
  sh: 'commands.test.ts', dockerfile: 'commands.test.ts', ini: 'settings.test.ts', mermaid: 'diagrams.test.ts',
  nginx: 'proxy.test.ts', apache: 'proxy.test.ts', caddy: 'proxy.test.ts', yaml: 'proxy.test.ts',
  vue: 'frameworks.test.ts', svelte: 'frameworks.test.ts', astro: '_rendered-templates.ts', php: '_rendered-templates.ts', twig: '_rendered-templates.ts',
  liquid: '_rendered-templates.ts', handlebars: '_rendered-templates.ts',
  html: 'pages.test.ts', css: 'pages.test.ts', csp: 'pages.test.ts',
};

describe('a block of code in the documentation', async () => {
  for (const block of await codeBlocks()) {
    it(`is tested: ${placeOf(block)}`, async () => {
      const file = TESTED_BY[block.language] ?? assert.fail(`nothing tests the language "${block.language}"`);
      assert.ok((await readFile(join(import.meta.dirname, file), 'utf8')).match(new RegExp(`\\b${block.language}\\b`)));
    });
  }
});
