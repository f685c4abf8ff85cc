/** `docs/troubleshooting.md`: each row has an anchor and can be read alone. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocument } from './_documents.ts';

const page = await readDocument('docs/troubleshooting.md');

/** Rows by anchor: symptom, cause, fix. */
const rows = new Map([...page.matchAll(/^\| <a id="([\w-]+)"><\/a>(.+) \|$/gm)].map(([, id = '', cells = '']) => [id, cells.split(' | ')] as const));

describe('the page about troubleshooting', () => {
  it('has symptom, cause and fix in each row, under an anchor of its own', () => {
    const tableRows = page.match(/^\| (?!symptom|---).+$/gm) ?? [];
    assert.ok(rows.size > 35);
    assert.equal(rows.size, tableRows.length);
    for (const [id, cells] of rows) assert.equal(cells.filter((cell) => cell.trim() !== '').length, 3, id);
  });

  it('has no cell that refers to its neighbour', () => {
    for (const [id, cells] of rows) for (const cell of cells) assert.doesNotMatch(cell, /^(?:the same|as above|ditto|see above|this one)\b/i, id);
  });
});
