import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fingerprint } from '../lib/fingerprint.ts';
import { Sealer } from '../store/sealed.ts';
import type { IdempotencyRecord } from './idempotency.ts';
import { intentText } from './intent-text.ts';

const started: IdempotencyRecord = { state: 'started', body: fingerprint('news', 'a text', 'a key'), startedAt: 1_700_000_000_123 };
const done: IdempotencyRecord = { state: 'done', body: fingerprint('a'), result: { post: { id: '1' } } };

describe('intentText', () => {
  it('reads what it wrote of a started post', () => {
    const text = intentText.write(started);
    assert.match(String(text), /^started 1700000000123 [\w-]{43}$/);
    assert.deepEqual(intentText.read(String(text)), started);
  });

  it('leaves an outcome to be sealed', () => {
    assert.equal(intentText.write(done), undefined);
    assert.equal(intentText.read(new Sealer(['a-cookie-secret-of-at-least-32-bytes']).seal('post:1', JSON.stringify(done))), undefined);
  });

  it('reads nothing else: no outcome can be put there in the clear', () => {
    for (const text of ['', 'started', 'started x y', `started 1 ${'a'.repeat(65)}`, JSON.stringify(done), 'done 1 a', ' started 1 a']) {
      assert.equal(intentText.read(text), undefined);
    }
  });
});
