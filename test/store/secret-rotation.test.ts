/** What the commands report while cookie secrets are rotated. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EncryptedCollection } from '../../packages/bff/src/store/encrypted-collection.ts';
import { RecordCipher } from '../../packages/bff/src/store/record-cipher.ts';
import { reencryptRecords } from '../../packages/bff/src/store/secret-rotation.ts';
import { openSqliteStore } from '../../packages/bff/src/store/sqlite-store.ts';
import { ProfileCollection, type Profile } from '../../packages/bff/src/sync/profiles.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runVestibule } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';

const OLD = 'an older cookie secret of thirty-two bytes or more';
const NEW = 'a newer cookie secret of thirty-two bytes or more';

describe('vestibule check and vestibule profiles', () => {
  it('say whether an older cookie secret can be dropped, and what is lost without it', async () => {
    await using stack = new AsyncDisposableStack();
    const service = stack.use(await startEmulatedService());
    const directory = stack.use(await temporaryDirectory());
    const path = join(directory.path, 'store.db');
    await writeProfiles(path);
    const run = (command: string, ...secrets: readonly string[]) => runVestibule({
      args: [command],
      env: bffEnvironment(service, 'http://www.example.test/vestibule', {
        VESTIBULE_STORE: `sqlite:${path}`, VESTIBULE_COOKIE_SECRETS: secrets.join(','),
      }),
    });

    assert.match((await run('check', NEW, OLD)).stdout, /warn +cookie secrets +secret 2 of 2: needed by 2 records; keep it/);
    assert.equal((await run('profiles', NEW, OLD)).stdout.split('\n').filter(Boolean).length, 2);

    assert.match((await run('check', NEW)).stdout, /warn +cookie secrets +2 profile records cannot be decrypted: add the missing secret/);
    const incomplete = await run('profiles', NEW);
    assert.deepEqual([incomplete.status, incomplete.stdout], [1, '']);
    assert.match(incomplete.stderr, /2 profiles cannot be decrypted and are missing above; add the secret/);

    await using store = await openSqliteStore(path);
    await reencryptRecords(store, new RecordCipher([NEW, OLD]));
    assert.match((await run('check', NEW, OLD)).stdout, /ok +cookie secrets +secret 2 of 2: no record needs it/);
    const complete = await run('profiles', NEW);
    assert.deepEqual([complete.status, complete.stdout.split('\n').filter(Boolean).length], [0, 2]);
  });
});

async function writeProfiles(path: string): Promise<void> {
  await using store = await openSqliteStore(path);
  const records = new EncryptedCollection<Profile>('profile', { store, cipher: new RecordCipher([OLD]) });
  const profiles = new ProfileCollection(records, undefined);
  for (const user_id of ['1', '2']) {
    await profiles.save({ user_id, username: `Reader ${user_id}`, forum: 'news', answers: {}, accepted_at: '2026-03-01T12:00:00Z', form_version: '1' });
  }
}
