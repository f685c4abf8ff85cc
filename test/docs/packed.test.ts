/** The documentation in the package of the BFF. */

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PACKED_DOCS, packedDocs } from '../../scripts/lib/packed-docs.ts';
import { documents, root } from './_documents.ts';

const home = join(root, 'packages/bff');
const pages = await packedDocs();

describe('the documentation in the package of the BFF', () => {
  it('is part of the package, with each page and the changelog', async () => {
    const { files } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { files: readonly string[] };
    assert.ok(files.includes(PACKED_DOCS));
    const expected = documents.filter((document) => document.startsWith('docs/')).map((document) => document.slice('docs/'.length));
    assert.deepEqual([...pages.keys()].sort(), [...expected, 'CHANGELOG.md'].sort());
    assert.match(pages.get('operation.md') ?? '', /\[the changelog\]\(CHANGELOG\.md\)/);
  });

  for (const [name, text] of pages) {
    it(`has links to files of the package only: ${name}`, async () => {
      for (const [, address = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [path = ''] = address.split('#');
        if (path === '' || address.startsWith('https:') || pages.has(path)) continue;
        const target = join(PACKED_DOCS, path);
        assert.match(target, /^(?:deploy|examples|README\.md)/, address);
        await assert.doesNotReject(stat(join(home, target)), address);
      }
    });
  }
});
