/** `docs/reference.md` is what the code says, it is the only place of its tables, and other pages use names that it has. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { referenceFile, referenceText } from '../../scripts/reference.ts';
import { documents, readDocument, root } from './_documents.ts';

const reference = await readFile(referenceFile, 'utf8');
const others = documents.filter((document) => document !== 'docs/reference.md');

/** First cells of the rows of all tables. */
function firstCells(text: string): readonly string[] {
  return [...text.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
}

describe('the reference', () => {
  it('is what `npm run reference` writes', async () => {
    assert.equal(reference, await referenceText());
  });

  for (const document of others) {
    it(`is the only table of its rows: ${document}`, async () => {
      const listed = new Set(firstCells(reference));
      const repeated = firstCells(await readDocument(document)).filter((cell) => listed.has(cell));
      assert.ok(repeated.length < 3, repeated.join(', '));
    });

    it(`has every variable, custom property, event, metric and problem that is named in ${document}`, async () => {
      const text = (await readDocument(document)).replaceAll(/\]\([^)]*\)/g, ']');
      const named = [
        ...text.match(/\bVESTIBULE_[A-Z_]+[A-Z]/g) ?? [], ...text.match(/--vestibule-[a-z-]+[a-z]/g) ?? [],
        ...text.match(/\bvestibule_\w+_(?:total|seconds|state|open|waiting)\b/g) ?? [], ...text.match(/`vestibule-(?:ready|state|posted|error|completed)`/g) ?? [],
      ].map((name) => name.replaceAll('`', '').replace(/_FILE$/, ''));
      assert.deepEqual([...new Set(named)].filter((name) => !reference.includes(name) && !name.startsWith('VESTIBULE_TEST')), []);
    });
  }
});

describe('the table of alerts', () => {
  it('has the alerts of prometheus-rules.yaml, in their order', async () => {
    const { groups } = parse(await readFile(join(root, 'packages/bff/deploy/prometheus-rules.yaml'), 'utf8')) as {
      groups: readonly { rules: readonly { alert: string }[] }[];
    };
    const listed = [...(await readDocument('docs/operation.md')).matchAll(/^\| `(Vestibule\w+)` \|/gm)].map(([, alert]) => alert);
    assert.deepEqual(listed, groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  });
});

describe('the README', () => {
  it('has 200 lines at most', async () => {
    assert.ok((await readDocument('README.md')).split('\n').length - 1 <= 200);
  });
});
