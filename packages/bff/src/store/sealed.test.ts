/** Sealing of values. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Sealer } from './sealed.ts';

const NEW = 'the newest secret of thirty-two bytes or more';
const OLD = 'the secret before it, of thirty-two bytes too';
const KEY = 'session:1';

describe('Sealer', () => {
  const sealer = new Sealer([NEW, OLD]);

  it('opens what it sealed, whatever the text', () => {
    for (const text of ['', '{"user":"Ünïcödé 🙂"}', '\u0000', 'x'.repeat(100_000)]) {
      assert.equal(sealer.open(KEY, sealer.seal(KEY, text)), text);
    }
  });

  it('shows nothing of the text, and never the same twice', () => {
    const [first, second] = [sealer.seal(KEY, 'a token of a reader'), sealer.seal(KEY, 'a token of a reader')];
    assert.notEqual(first, second);
    assert.ok(!Buffer.from(first.split('.')[1] ?? '', 'base64url').includes('token'));
  });

  it('does not open what was moved under another key', () => {
    assert.equal(sealer.open('session:2', sealer.seal(KEY, 'text')), undefined);
  });

  it('does not open what was altered at any place', () => {
    const sealed = sealer.seal(KEY, 'text');
    for (let i = 0; i < sealed.length; i += 1) {
      const other = sealed[i] === 'A' ? 'B' : 'A';
      const altered = sealed.slice(0, i) + other + sealed.slice(i + 1);
      const opened = sealer.open(KEY, altered);
      const isSameBytes = Buffer.from(altered.split('.')[1] ?? '', 'base64url').equals(Buffer.from(sealed.split('.')[1] ?? '', 'base64url'));
      assert.equal(opened, isSameBytes && altered.split('.')[0] === sealed.split('.')[0] ? 'text' : undefined);
    }
  });

  it('does not open what was never sealed', () => {
    for (const text of ['', '.', 'text', 'a.b', `${sealer.seal(KEY, 'text').split('.')[0]}.`, '🙂.🙂']) {
      assert.equal(sealer.open(KEY, text), undefined);
    }
  });

  it('seals with the newest secret and opens with each of them, so that secrets rotate without a loss', () => {
    const before = new Sealer([OLD]).seal(KEY, 'text');
    assert.equal(sealer.open(KEY, before), 'text');
    assert.equal(new Sealer([NEW]).open(KEY, sealer.seal(KEY, 'text')), 'text');
    assert.equal(new Sealer([NEW]).open(KEY, before), undefined);
  });
});
