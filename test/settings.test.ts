/** `docs/settings.md`: the settings of this release, for readers of the repository. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { settings } from '../packages/bff/src/config/settings.ts';
import { settingsDocument } from '../scripts/settings-document.ts';

describe('docs/settings.md', async () => {
  const text = await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8');

  it('is the table of the code: after a change, "npm run build && cp packages/bff/settings.md docs"', () => {
    assert.equal(text, settingsDocument());
  });

  it('has one row for each setting', () => {
    const names = [...text.matchAll(/^\| [^|]+ \| `(\w+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(names.toSorted(), Object.keys(settings).toSorted());
  });
});
