import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { createFastHmac, type Hmac } from './hmac.ts';

const ALGORITHMS = ['sha1', 'sha256'] as const;

describe('createFastHmac', () => {
  it('is HMAC for keys up to a block, for texts of every length, one after the other', () => {
    for (const algorithm of ALGORITHMS) {
      for (const key of ['', 'k', '\0', '\x7f~6\\', 'k'.repeat(63), 'k'.repeat(64)]) {
        const compute = createFastHmac(algorithm, key) as Hmac;
        for (const size of [0, 1, 54, 55, 63, 64, 1_000, 5_000]) {
          const text = 'm'.repeat(size);
          assert.equal(compute(text), createHmac(algorithm, key).update(text).digest('base64'));
        }
      }
    }
  });

  it('takes the UTF-8 bytes of a text', () => {
    for (const algorithm of ALGORITHMS) {
      const compute = createFastHmac(algorithm, 'a key') as Hmac;
      assert.equal(compute('ü✓🦊\n'), createHmac(algorithm, 'a key').update(Buffer.from('ü✓🦊\n')).digest('base64'));
    }
  });

  it('leaves a longer key, and one beyond ASCII, to others', () => {
    for (const key of ['k'.repeat(65), '\x80', 'ÿ', 'schlüssel', '🦊']) assert.equal(createFastHmac('sha256', key), undefined);
  });
});
