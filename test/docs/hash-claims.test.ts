/** Which hashes have a key, as `docs/security.md` and `docs/privacy.md` state it. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { createLogId } from '../../packages/bff/src/lib/identifiers.ts';
import { EncryptedCollection } from '../../packages/bff/src/store/encrypted-collection.ts';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { RecordCipher } from '../../packages/bff/src/store/record-cipher.ts';

const SECRETS = ['a cookie secret that is thirty-two bytes long or more', 'another cookie secret of thirty-two bytes or more'];

describe('the key of a record', () => {
  it('is found by hashing every user id, without a secret', async () => {
    const store = new MemoryStore();
    const records = new EncryptedCollection('profile', { store, cipher: new RecordCipher([SECRETS[0]!]) });
    await records.put('42', {}, 60_000);
    const ids = Array.from({ length: 100 }, (_, i) => String(i));
    const guesses = await Promise.all(ids.map((id) => store.get(`profile:${hash('sha256', JSON.stringify([id]), 'base64url')}`)));
    assert.deepEqual(ids.filter((_, i) => guesses[i] !== undefined), ['42']);
  });
});

describe('the hash of a user id in the log', () => {
  it('depends on the cookie secret', () => {
    const [one, other] = SECRETS.map((secret) => createLogId(secret)('42'));
    assert.notEqual(one, other);
    assert.equal(createLogId(SECRETS[0]!)('42'), one);
  });
});
