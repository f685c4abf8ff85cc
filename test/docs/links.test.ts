/** Links and pictures within the repository. */

import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { documents, readDocument, root } from './_documents.ts';

describe('a link of the documentation', () => {
  for (const document of documents) {
    it(`leads somewhere: ${document}`, async () => {
      const text = await readDocument(document);
      for (const [, address = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(address)) continue;
        const [path = '', anchor] = address.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        await assert.doesNotReject(stat(join(root, target)), `${address} in ${document}`);
        if (anchor !== undefined) assert.ok(anchorsOf(await readFile(join(root, target), 'utf8')).has(anchor), `${address} in ${document}`);
      }
    });
  }
});

describe('a picture of the documentation', () => {
  for (const document of documents) {
    it(`is one, and is described: ${document}`, async () => {
      for (const [, words = '', path = ''] of (await readDocument(document)).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)) {
        assert.ok(words.length > 5, path);
        const bytes = await readFile(join(root, dirname(document), path));
        assert.equal(bytes.toString('latin1', 1, 4), 'PNG', path);
      }
    });
  }
});

/** As GitHub names headings, and explicit anchors. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  const explicit = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')), ...explicit]);
}
