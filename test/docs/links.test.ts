/** Links and pictures within the repository: they exist, with their anchors. */

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { integrationMistakes } from '../../packages/widget/src/client/hints.ts';
import { documents, readDocument, root } from './_documents.ts';

/** Anchors of headings, as GitHub names them, and explicit ones. */
function anchorsOf(text: string): ReadonlySet<string | undefined> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  const explicit = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id);
  return new Set([...headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')), ...explicit]);
}

describe('a link of the documentation', () => {
  for (const document of documents) {
    it(`leads to a file and a heading: ${document}`, async () => {
      const text = await readDocument(document);
      const pictures = text.match(/<picture>[\s\S]*?<\/picture>/g)?.join('') ?? '';
      for (const [, address = ''] of [...text.matchAll(/\]\(([^)\s]+)\)/g), ...pictures.matchAll(/src(?:set)?="([^"]+)"/g)]) {
        if (/^https?:/.test(address)) continue;
        const [path = '', anchor] = address.split('#');
        const file = path === '' ? document : join(dirname(document), path);
        // A README is packed without the rest of the repository.
        if (document.startsWith('packages/')) assert.ok(file.startsWith(`${dirname(document)}/`), address);
        const target = join(root, file);
        await assert.doesNotReject(stat(target), address);
        if (anchor !== undefined) assert.ok(anchorsOf(await readFile(target, 'utf8')).has(anchor), address);
      }
    });
  }
});

describe('the name of a message in the console', () => {
  it('is an anchor of the page "Troubleshooting"', async () => {
    const anchors = anchorsOf(await readDocument('docs/troubleshooting.md'));
    assert.deepEqual(Object.keys(integrationMistakes).filter((name) => !anchors.has(name)), []);
  });
});
