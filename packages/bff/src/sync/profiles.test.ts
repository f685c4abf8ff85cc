import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { fieldSchema } from '../config/fields.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { EncryptedCollection } from '../store/encrypted-collection.ts';
import { RecordCipher } from '../store/record-cipher.ts';
import { formVersion, ProfileCollection, type Profile } from './profiles.ts';

const profile: Profile = {
  user_id: '7', username: 'Ada', forum: 'news', answers: { age: 18 }, accepted_at: '2026-01-01T00:00:00.000Z', form_version: 'abc',
};

async function listOf(profiles: ProfileCollection): Promise<Profile[]> {
  const list: Profile[] = [];
  for await (const one of profiles.all()) list.push(one);
  return list.sort((a, b) => a.user_id.localeCompare(b.user_id));
}

describe('ProfileCollection', () => {
  it('keeps the latest of each reader', async () => {
    await using store = new MemoryStore();
    const profiles = new ProfileCollection(new EncryptedCollection<Profile>('profile', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) }), undefined);
    await profiles.save(profile);
    await profiles.save({ ...profile, answers: { age: 19 } });
    await profiles.save({ ...profile, user_id: '8' });
    assert.deepEqual(await listOf(profiles), [{ ...profile, answers: { age: 19 } }, { ...profile, user_id: '8' }]);
  });
});

describe('ProfileCollection.takeBack', () => {
  it('leaves a profile that another sign-in saves meanwhile', async () => {
    await using store = new MemoryStore();
    const records = new EncryptedCollection<Profile>('profile', { store, cipher: new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']) });
    const profiles = new ProfileCollection(records, undefined);
    const later = { ...profile, answers: { age: 19 } };
    const find = records.find.bind(records);
    records.find = async (id) => {
      const found = await find(id);
      await profiles.save(later);
      return found;
    };
    await profiles.save(profile);
    await profiles.takeBack(profile);
    assert.deepEqual(await listOf(profiles), [later]);
  });
});

describe('ProfileCollection with an end', () => {
  it('keeps a profile for its days', async () => {
    let at = 1_000_000;
    const now = () => at;
    await using store = new MemoryStore({ now });
    const cipher = new RecordCipher(['a-cookie-secret-of-at-least-32-bytes']);
    const profiles = new ProfileCollection(new EncryptedCollection<Profile>('profile', { store, cipher, now }), 2);
    await profiles.save(profile);
    at += 2 * 86_400_000 - 1;
    assert.deepEqual(await listOf(profiles), [profile]);
    at += 1;
    assert.deepEqual(await listOf(profiles), []);
  });
});

describe('formVersion', () => {
  it('changes with the questions and with nothing else', () => {
    const fields = (bent: object = {}) => z.array(fieldSchema).parse([{ name: 'age', type: 'number', label: 'Age', min: 18, ...bent }]);
    assert.equal(formVersion(fields()), formVersion(fields()));
    assert.match(formVersion(fields()), /^[\w-]{12}$/);
    for (const bent of [{ min: 16 }, { label: 'Your age' }, { required: true }, { onFail: 'reject' }]) {
      assert.notEqual(formVersion(fields(bent)), formVersion(fields()));
    }
  });
});
