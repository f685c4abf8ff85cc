import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { articleKey } from './article-key.ts';

describe('articleKey', () => {
  it('is one for addresses that differ by their percent-encodings only', () => {
    const key = 'https://www.example.com/%E6%96%87/a-b.c_d~e?q=%2F%25';
    for (const page of [
      key, 'https://www.example.com/%e6%96%87/a-b.c_d~e?q=%2f%25', 'https://www.example.com/%E6%96%87/%61%2Db%2ec%5fd%7Ee?q=%2F%25',
    ]) assert.equal(articleKey(page), key);
  });

  it('keeps what another address needs', () => {
    for (const page of ['https://www.example.com/a%2Fb', 'https://www.example.com/%2561', 'https://www.example.com/100%', 'https://www.example.com/%zz']) {
      assert.equal(articleKey(page), page);
    }
  });
});
