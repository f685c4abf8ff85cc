/** `docs/troubleshooting.md`: one row under an anchor for each mistake of the table, readable alone. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { integrationMistakes } from '../../packages/widget/src/client/integration-hints.ts';
import { mistakes, type Mistake } from '../mistakes/mistakes.ts';
import { readDocument } from './_documents.ts';

const page = await readDocument('docs/troubleshooting.md');

/** Symptom, cause and fix by anchor. */
const rows = new Map([...page.matchAll(/^\| <a id="([\w-]+)"><\/a>(.+) \|$/gm)].map(([, id = '', cells = '']) => [id, cells.split(' | ')] as const));

describe('the page about troubleshooting', () => {
  it('has symptom, cause and fix in each row, under an anchor of its own', () => {
    const tableRows = page.match(/^\| (?!symptom|---).+$/gm) ?? [];
    assert.equal(rows.size, tableRows.length);
    for (const [id, cells] of rows) assert.equal(cells.filter((cell) => cell.trim() !== '').length, 3, id);
  });

  it('has no cell that refers to its neighbor', () => {
    for (const [id, cells] of rows) for (const cell of cells) assert.doesNotMatch(cell, /^(?:the same|as above|ditto|see above|this one)\b/i, id);
  });

  it('has the row that each hint in the console links to', () => {
    assert.deepEqual(Object.keys(integrationMistakes).filter((anchor) => !rows.has(anchor)), []);
  });

  it('names the message of the browser, and none of ours, if the script of the widget is blocked', () => {
    const [symptom = '', , fix = ''] = rows.get('csp-script-src') ?? [];
    assert.equal(symptom, 'The article is whole, and the box is missing. The browser\'s console reports a blocked script.');
    assert.match(fix, /security\.md#content-security-policy/);
  });

  it('has a hint that names the public URL if a page is refused on the origin of the BFF', () => {
    const hintAt = (origin: string) => integrationMistakes['origin-not-allowed']({ bff: 'https://www.news.example/vestibule/', origin, forum: '' });
    assert.match(hintAt('https://www.news.example'), /^The BFF at \S+ does not accept requests of its own origin\. Set VESTIBULE_PUBLIC_URL to/);
    assert.match(hintAt('https://news.example'), /^The BFF at \S+ does not accept requests of https:\/\/news\.example, .* VESTIBULE_ALLOWED_ORIGINS,/);
  });

  for (const mistake of mistakes as readonly Mistake[]) {
    it(`explains the mistake ${mistake.key} with the settings to look at`, () => {
      const row = rows.get(mistake.key)?.join(' | ') ?? assert.fail('there is no row');
      const { log, check, hint } = mistake;
      const named = [log === 'none' ? '' : String(log['setting'] ?? ''), check === 'none' ? '' : check.message].join(' ');
      // A misspelt or wrong variable is named by the reader of the page.
      const settings = mistake.startFault === undefined && mistake.key !== 'misspelt-variable' ? named.match(/\bVESTIBULE_[A-Z_]+/g) ?? [] : [];
      for (const setting of settings) assert.ok(row.includes(setting), `${setting} in: ${row}`);
      if (log !== 'none' && log['problem'] !== undefined) {
        assert.ok([`\`${String(log['problem'])}\``, String(log['reason'])].some((text) => row.includes(text)), row);
      }
      const [, anchor] = /#([\w-]+)$/.exec(hint) ?? [];
      assert.ok(hint === 'none' || rows.has(anchor ?? ''), hint);
    });
  }
});
