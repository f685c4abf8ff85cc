import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validConfig } from '../config/_valid-config.ts';
import { parseConfig } from '../config/config.ts';
import { Cipher } from '../store/cipher.ts';
import { Records } from '../store/records.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { profileSaver, type Profile } from './profiles.ts';

describe('profileSaver', () => {
  const accepted = { user_id: '7', username: 'Ada', forum: 'news', answers: {}, accepted_at: '2026-01-02T03:04:05Z' };

  it('logs a profile that it cannot take back: the sign-in was ended', async (test) => {
    const config = parseConfig(validConfig());
    await using store = await openSqliteStore(':memory:', Date.now);
    const records = new Records<Profile>('profile', { store, cipher: new Cipher(config.cookieSecrets), now: Date.now });
    const lines: object[] = [];
    const save = profileSaver(records, config, { warn: (line: object) => { lines.push(line); } });
    const takeBack = await save({ id: 'session', tag: 'tag', isOwn: false, readerKey: 'tag' }, accepted);
    test.mock.method(records, 'delete', () => Promise.reject(new StoreUnavailableError(undefined)));
    await takeBack();
    assert.deepEqual(lines.map((line) => ({ ...line, err: undefined })), [{ err: undefined, user: 'tag', setting: 'VESTIBULE_STORE' }]);
    test.mock.restoreAll();
    await takeBack();
    assert.deepEqual(await Array.fromAsync(records.entries()), []);
  });
});
