/** What the packages export is what their READMEs tell. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeSpans, readDocument, root } from './_documents.ts';

describe('the README of a package', () => {
  for (const name of ['bff', 'shared', 'widget']) {
    it(`names everything that it exports: ${name}`, async () => {
      const index = await readFile(join(root, 'packages', name, 'src/index.ts'), 'utf8');
      const exported = [...index.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names = '']) => names.replaceAll('type ', '').match(/\w+/g) ?? []);
      assert.ok(exported.length > 8);
      const told = new Set(codeSpans(await readDocument(`packages/${name}/README.md`)).flatMap((span) => span.match(/\w+/g) ?? []));
      assert.deepEqual(exported.filter((one) => !told.has(one)), []);
    });
  }
});
