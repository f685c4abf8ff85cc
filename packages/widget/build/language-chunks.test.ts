import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { languages } from '../src/locales/language.ts';
import { foldTable, languageFileName, tags } from './language-chunks.ts';

const rows = tags.map((tag) => `${tag}:()=>import(\`./${languageFileName(tag)}\`)`);

describe('tags', () => {
  it('are those of the table', () => {
    assert.deepEqual([...tags].toSorted(), Object.keys(languages).toSorted());
  });
});

describe('languageFileName', () => {
  it('gives every language the same hash, and none to another chunk', () => {
    assert.match(languageFileName('ar')!, /^assets\/ar-[0-9a-f]{8}\.js$/);
    assert.equal(languageFileName('ar')?.slice(-11), languageFileName('zh')?.slice(-11));
    assert.equal(languageFileName('engine'), undefined);
  });
});

describe('foldTable', () => {
  it('keeps what each language is loaded from', () => {
    const folded = foldTable(`let a=1,b={${rows.join(',')}};`);
    assert.ok(folded.length < 300);
    const script = `${folded.replace('import(', '(')}Object.values(b).map(get=>get()).join()`;
    assert.equal(runInNewContext(script), tags.map((tag) => `./${languageFileName(tag)}`).join());
  });

  it('refuses code without the whole table', () => {
    assert.throws(() => foldTable(`let b={${rows.slice(1).join(',')}};`), /not what it was/);
  });
});
