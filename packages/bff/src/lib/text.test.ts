import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml, plainText } from './text.ts';

describe('plainText', () => {
  it('replaces each run of controls, line breaks and bidi marks by a space', () => {
    assert.equal(plainText('a\r\nb\0\x1b[31m\u2028c\u202ed\u2066e\u200ff\ufeffg\x7fh\x85i'), 'a b [31m c d e f g h i');
  });

  it('keeps ordinary text', () => {
    assert.equal(plainText('ünï ✓ 🦊 مرحبا <b>'), 'ünï ✓ 🦊 مرحبا <b>');
  });

  it('truncates at the limit, never inside a character', () => {
    assert.equal(plainText('abcdef', 6), 'abcdef');
    assert.equal(plainText('abcdefg', 6), 'abcde…');
    assert.equal(plainText('abcd🦊fg', 6), 'abcd…');
    assert.ok(plainText('x'.repeat(1_000_000)).length === 300);
  });

  it('returns well-formed Unicode', () => {
    assert.equal(plainText('a\ud800b'), 'a\ufffdb');
  });
});

describe('escapeHtml', () => {
  it('escapes every character that could end a text or a quoted attribute', () => {
    assert.equal(escapeHtml(`<a href="x" title='y'>&amp;`), '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;');
  });

  it('keeps other characters', () => {
    assert.equal(escapeHtml('ünï ✓ 🦊 =+%20 ~!*()'), 'ünï ✓ 🦊 =+%20 ~!*()');
  });
});
