import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { percentEncode } from './percent-encode.ts';
import { SigningError } from './signing-error.ts';

describe('percentEncode', () => {
  it('leaves the unreserved characters alone', () => {
    const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
    assert.equal(percentEncode(unreserved), unreserved);
  });

  it('escapes every other ASCII character in upper-case hex', () => {
    for (let code = 0; code < 0x80; code += 1) {
      const character = String.fromCharCode(code);
      if (/[\w.~-]/.test(character)) continue;
      assert.equal(percentEncode(character), `%${code.toString(16).toUpperCase().padStart(2, '0')}`);
    }
  });

  it('escapes each byte of the UTF-8 form, wherever in the text it begins', () => {
    assert.equal(percentEncode('ü✓🦊'), '%C3%BC%E2%9C%93%F0%9F%A6%8A');
    assert.equal(percentEncode('a b ü!'), 'a%20b%20%C3%BC%21');
    assert.equal(percentEncode('\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'),
      '%7F%C2%80%DF%BF%E0%A0%80%EF%BF%BF%F0%90%80%80%F4%8F%BF%BF');
  });

  it('gives nothing for nothing, and takes texts of any length', () => {
    assert.equal(percentEncode(''), '');
    assert.equal(percentEncode('🦊 '.repeat(50_000)), '%F0%9F%A6%8A%20'.repeat(50_000));
  });

  it('refuses a lone surrogate, and does not repeat the text', () => {
    for (const lone of ['\ud83e', '\udd8a', '\udd8a\ud83e', '\ud83e\ud83e\udd8a']) {
      assert.throws(
        () => percentEncode(`secret${lone}`),
        (error) => error instanceof SigningError && !error.message.includes('secret'),
      );
    }
  });
});
