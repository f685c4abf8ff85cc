/** The limits of the search for secrets, as `docs/security.md` states them. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redactor } from '../../packages/bff/src/service/redact.ts';

const KEY = '88bb61a451cf4796859df6f0eeec5249';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** `encoded` in a text of `length` characters without other letters and digits. */
const within = (encoded: string, length: number): string => encoded.padEnd(length, ' ');

describe('the search for secrets', () => {
  const redactor = new Redactor([KEY]);

  it('compares ASCII letters and digits without case', () => {
    const short = new Redactor(['aB3é-dE']);
    assert.deepEqual(['a b 3 D e', 'ab3é-de', 'ed-3BA', 'a b 3 é d'].map((text) => short.reveals(text)), [true, true, true, false]);
  });

  it('decodes twice up to 2,048 characters, once up to 65,536, and never beyond', () => {
    const found = [base64(base64(KEY)), base64(KEY), KEY].map((encoded) => (
      [2_048, 2_049, 65_536, 65_537].map((length) => redactor.reveals(within(encoded, length)))
    ));
    assert.deepEqual(found, [[true, false, false, false], [true, true, true, false], [true, true, true, true]]);
  });

  it('redacts each unusual word if the unusual words of a message have more than 16 letters and digits', () => {
    assert.equal(redactor.redact('The code x1y2z3a4b5c6d7e8 of Größe is unknown'), 'The code x1y2z3a4b5c6d7e8 of Größe is unknown');
    assert.equal(redactor.redact('The code x1y2z3a4b5c6d7e8 of 9 is unknown'), 'The code [redacted] of [redacted] is unknown');
  });

  it('does not find a secret in an encoding of ordinary words', () => {
    const words = [...KEY].map((digit) => ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ay', 'bee', 'see', 'dee', 'ee', 'eff'][parseInt(digit, 16)]).join(' ');
    assert.equal(redactor.redact(words), words);
  });
});
