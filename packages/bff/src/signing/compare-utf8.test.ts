import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareCommonLength, compareUtf8 } from './compare-utf8.ts';

describe('compareUtf8', () => {
  it('orders texts as their bytes are ordered, beyond the basic plane too', () => {
    const texts = ['', '\0', '!', '=', 'a', 'a\0', 'ab', '~', '\u0080', 'ü', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff',
      '\u{10000}', '🦊', '🦊a', '🦋', '\u{10ffff}'];
    for (const a of texts) {
      for (const b of texts) {
        assert.equal(Math.sign(compareUtf8(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)), JSON.stringify([a, b]));
      }
    }
  });
});

describe('compareCommonLength', () => {
  it('leaves it open where one text begins the other', () => {
    assert.equal(compareCommonLength('a', 'a b'), 0);
    assert.ok(compareCommonLength('a b', 'aa') < 0);
  });
});
