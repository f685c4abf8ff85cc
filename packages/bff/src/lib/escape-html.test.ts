import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { escapeHtml } from './text.ts';

describe('escapeHtml', () => {
  it('leaves no character that ends a text or a quoted attribute', () => {
    assert.equal(escapeHtml(`<a href="x" title='y'>&amp;`), '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;');
  });

  it('leaves everything else', () => {
    assert.equal(escapeHtml('ünï ✓ 🦊 =+%20 ~!*()'), 'ünï ✓ 🦊 =+%20 ~!*()');
  });
});
