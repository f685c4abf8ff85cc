import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { findLooseText } from './loose-text.ts';

describe('findLooseText', () => {
  it('finds phrases between tags, in announced attributes and in strings', () => {
    assert.deepEqual(findLooseText('html`<p class="big one">Hello <b>${name}</b></p>`'), ['Hello']);
    assert.deepEqual(findLooseText('html`<input aria-label="Your age" name="age">`'), ['aria-label="Your age']);
    assert.deepEqual(findLooseText("const words = busy ? 'Please wait' : 'Go on';"), ['Please wait', 'Go on']);
    assert.deepEqual(findLooseText("html`<p>${busy ? 'Wait…' : nothing}</p>`"), ['Wait…']);
    assert.deepEqual(findLooseText('fail({ detail: `This is not so.` })'), ['This is not so.']);
  });

  it('ignores names', () => {
    assert.deepEqual(findLooseText("import { A } from 'Some thing';"), []);
    assert.deepEqual(findLooseText('html`<button part="button primary-button" title=${words.close}>${words.send}</button>`'), []);
    assert.deepEqual(findLooseText("if (event.key === 'Enter') root.querySelector('.primary choice');"), []);
    assert.deepEqual(findLooseText('css`p { font: Some Font }`'), []);
    assert.deepEqual(findLooseText("throw new TypeError('No such thing.');"), []);
  });
});

/** Details of problems that have words in every language: told to the page's scripts, never shown. */
const TOLD_TO_SCRIPTS = ['The sign-in has no address to go on to.', 'The BFF could not be reached.'];

describe('the widget', () => {
  it('has no phrases outside the files of its languages', async () => {
    const root = join(import.meta.dirname, '../src');
    const loose: string[] = [];
    for await (const path of glob('{callback,client,drafts,elements,lib,session}/**/*.ts', { cwd: root })) {
      if (/(?:^|\/)_|\.test\.ts$/.test(path)) continue;
      const texts = findLooseText(await readFile(join(root, path), 'utf8')).filter((text) => !TOLD_TO_SCRIPTS.includes(text));
      loose.push(...texts.map((text) => `${path}: ${text}`));
    }
    assert.deepEqual(loose, []);
  });
});
