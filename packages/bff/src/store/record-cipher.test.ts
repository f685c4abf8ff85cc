import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecordCipher } from './record-cipher.ts';

const NEW = 'the newest secret of thirty-two bytes or more';
const OLD = 'the secret before it, of thirty-two bytes too';
const KEY = 'session:1';

describe('RecordCipher', () => {
  const cipher = new RecordCipher([NEW, OLD]);

  it('decrypts its own ciphertext', () => {
    for (const text of ['', '{"user":"Ünïcödé 🙂"}', '\u0000', 'x'.repeat(100_000)]) {
      assert.equal(cipher.decrypt(KEY, cipher.encrypt(KEY, text)), text);
    }
  });

  it('never repeats an IV', () => {
    const ivs = Array.from({ length: 600 }, () => bytesOf(cipher.encrypt(KEY, 'text')).toString('hex', 0, 12));
    assert.equal(new Set(ivs).size, 600);
  });

  it('does not contain the plaintext', () => {
    const stored = cipher.encrypt(KEY, 'a token of a reader');
    assert.ok(!stored.includes('token') && !bytesOf(stored).includes('token'));
  });

  it('does not decrypt a text that was moved to another key', () => {
    assert.equal(cipher.decrypt('session:2', cipher.encrypt(KEY, 'text')), undefined);
  });

  it('does not decrypt a text with any one character altered', () => {
    const stored = cipher.encrypt(KEY, 'text');
    for (let i = 0; i < stored.length; i += 1) {
      const altered = stored.slice(0, i) + (stored[i] === 'A' ? 'B' : 'A') + stored.slice(i + 1);
      // The last character of base64url may carry unused bits.
      const isSameText = altered.split('.')[0] === stored.split('.')[0] && bytesOf(altered).equals(bytesOf(stored));
      assert.equal(cipher.decrypt(KEY, altered), isSameText ? 'text' : undefined);
    }
  });

  it('does not decrypt other texts', () => {
    for (const text of ['', '.', 'text', 'a.b', `${cipher.encrypt(KEY, 'text').split('.')[0]}.`, '🙂.🙂']) {
      assert.equal(cipher.decrypt(KEY, text), undefined);
    }
  });

  it('encrypts under the newest secret and decrypts under each', () => {
    const underOld = new RecordCipher([OLD]).encrypt(KEY, 'text');
    assert.equal(cipher.decrypt(KEY, underOld), 'text');
    assert.equal(new RecordCipher([NEW]).decrypt(KEY, cipher.encrypt(KEY, 'text')), 'text');
    assert.equal(new RecordCipher([NEW]).decrypt(KEY, underOld), undefined);
  });
});

describe('the format of RecordCipher', () => {
  it('decrypts what an earlier release stored', () => {
    const stored = '9GXEPJxD.pLHIakhSrv_srKwM9b-UCxxQllv1ntG_Ydq-3BP_E3hd6jw2H0a29xXqKwdF6Cege2J9mB_-';
    assert.equal(new RecordCipher([NEW]).decrypt(KEY, stored), 'text of an earlier release');
  });
});

function bytesOf(stored: string): Buffer {
  return Buffer.from(stored.split('.')[1] ?? '', 'base64url');
}
