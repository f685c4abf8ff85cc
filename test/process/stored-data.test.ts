/** `vestibule readers` and `vestibule backup` on the store of a BFF that runs. */

import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { SessionView } from '@vestibule/shared';
import { silentLog } from '../../packages/bff/src/log.ts';
import { openStore } from '../../packages/bff/src/store/open-store.ts';
import { RecordCipher } from '../../packages/bff/src/store/record-cipher.ts';
import type { ExportedReader } from '../../packages/bff/src/reader-data.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { runVestibule, VestibuleProcess } from '../lib/vestibule-process.ts';
import { LoadReader } from '../load/_reader.ts';
import { startRedis } from '../store/_redis-server.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from './_service.ts';

const ada = { user_id: 'user-of-ada', username: 'Ada of Testville' };
const bob = { user_id: 'user-of-bob', username: 'Bob of Testville' };

let world: ProcessWorld;
const agent = new Agent({ keepAlive: true });
before(async () => { world = await startProcessWorld(); });
after(async () => {
  agent.destroy();
  await world[Symbol.asyncDispose]();
});

interface Running {
  readonly bff: VestibuleProcess;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  reader(): LoadReader;
  run(...args: string[]): ReturnType<typeof runVestibule>;
}

async function start(store: string): Promise<Running> {
  const env = { ...world.env, VESTIBULE_STORE: store };
  const bff = new VestibuleProcess({ env });
  const url = `${await bff.origin()}/vestibule`;
  return {
    bff, env, url,
    reader: () => new LoadReader({ url, origin: ORIGIN, redirectUri: REDIRECT_URI, agent }),
    run: (...args) => runVestibule({ args, env }),
  };
}

async function stateOf(reader: LoadReader): Promise<SessionView['state']> {
  return (JSON.parse((await reader.session()).text) as SessionView).state;
}

/** Keys and plaintexts of everything in the store. */
async function contentOf(address: string): Promise<string> {
  await using store = await openStore(address, silentLog());
  const cipher = new RecordCipher([COOKIE_SECRET]);
  const entries = await Array.fromAsync(store.entries(''));
  return entries.map(([key, stored]) => `${key} ${stored} ${cipher.decrypt(key, stored) ?? ''}`).join('\n');
}

describe('vestibule readers', () => {
  const stores: Readonly<Record<string, () => Promise<AsyncDisposable & { readonly address: string }>>> = {
    SQLite: async () => ({ address: `sqlite:${join(world.directory, 'readers.db')}`, [Symbol.asyncDispose]: async () => undefined }),
    Redis: async () => {
      const redis = await startRedis();
      return { address: `redis://${redis.host}`, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() };
    },
  };
  for (const [name, open] of Object.entries(stores)) {
    it(`exports and deletes everything about a reader in ${name}, and ends no other session`, async () => {
      await using store = await open();
      const running = await start(store.address);
      await using _bff = running.bff;
      const [phone, laptop, other] = [running.reader(), running.reader(), running.reader()];
      for (const reader of [phone, laptop]) await reader.signIn(world.service, ada);
      await other.signIn(world.service, bob);
      assert.equal((await phone.post('a text of Ada')).status, 201);
      await other.post('a text of Bob');
      await running.reader().beginSignIn(world.service, ada);
      assert.match(await contentOf(store.address), /Ada of Testville/);

      const { status, stdout } = await running.run('readers', 'export', ada.user_id);
      assert.equal(status, 0);
      const exported = JSON.parse(stdout) as ExportedReader;
      assert.equal(exported.profile?.username, ada.username);
      assert.deepEqual(exported.sessions.map(({ username }) => username), [ada.username, ada.username]);
      assert.deepEqual(exported.sign_ins.map(({ state }) => state).toSorted(), ['done', 'done', 'validating']);
      assert.deepEqual(exported.posts.map(({ post }) => post?.['message']), ['a text of Ada']);
      assert.doesNotMatch(stdout, /Bob|token|code/);

      const otherSecret = { ...running.env, VESTIBULE_COOKIE_SECRETS: 'another-cookie-secret-of-at-least-32-bytes' };
      const refused = await runVestibule({ args: ['readers', 'export', ada.user_id], env: otherSecret });
      assert.deepEqual([refused.status, refused.stdout], [1, '']);
      assert.match(refused.stderr, /\d records cannot be decrypted, so nothing is exported; add the secret/);

      const blind = await runVestibule({ args: ['readers', 'delete', 'user-of-nobody'], env: otherSecret });
      assert.deepEqual([blind.status, blind.stdout], [1, '']);
      assert.match(blind.stderr, /^vestibule: \d+ records cannot be decrypted; they may be this reader's and are not deleted; add the secret/);

      const deleted = await running.run('readers', 'delete', ada.user_id);
      assert.match(deleted.stdout, /: profiles 1, sessions 2, sign-ins 3, posting records 1\.$/);
      assert.deepEqual([await stateOf(phone), await stateOf(laptop), await stateOf(other)], ['anonymous', 'anonymous', 'signed-in']);
      const content = await contentOf(store.address);
      assert.doesNotMatch(content, /Ada of Testville|text of Ada|user-of-ada/);
      assert.match(content, /Bob of Testville/);

      for (const command of ['export', 'delete']) {
        const { status, stderr } = await running.run('readers', command, ada.user_id);
        assert.equal(status, 1);
        assert.match(stderr, /^vestibule: there is nothing about this reader in /);
      }
    });
  }
});

describe('a store file of another release', () => {
  /** As release 0.1.0 writes it. */
  const SCHEMA_1 = `CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER);
    CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
    PRAGMA application_id = ${Buffer.from('Vest').readInt32BE()}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;`;
  const PROFILE = {
    key: 'profile:13CHzR4rA0Znl5inwDRCYJOdQQEL1RMbo5d70TMBlDQ',
    value: 'nWFrDB60.VDSHivnklHpAiC27MS_3pRYfLEHk8qICBMiQl-Tv01Hjr8jVwR9XRoU35SBEH41TO6E3UM1KigY3f8GFWE5OOv3OY3xgBihuwW2Ejq0vLez5p-PdZ0zk0Zm'
      + 'UQmTjoXCgZH8Ye0HQXZb4V10cYK2c7VJvtWk_CmM2zqVqqF3w9pOnEo5wqBvYxgsdz83lTbls2bwHX1I-0eqELHq_OuIwBkcgtds3WYDkZh1fYNDaO-yd',
  };

  function createFile(path: string, sql: string): void {
    using db = new DatabaseSync(path);
    db.exec(sql);
    db.prepare('INSERT INTO entries (key, value) VALUES (?, ?)').run(PROFILE.key, PROFILE.value);
  }

  it('of release 0.1.0 is opened, and its records are read', async () => {
    const path = join(world.directory, 'older.db');
    createFile(path, SCHEMA_1);
    const running = await start(`sqlite:${path}`);
    await using _bff = running.bff;
    const { stdout } = await running.run('profiles');
    assert.deepEqual(JSON.parse(stdout), {
      user_id: '31007', username: 'Ada Quill', forum: 'news', answers: { age: 42 }, accepted_at: '2026-01-31T12:00:00.000Z', form_version: '2Yq7vV0r1s3t',
    });
  });

  it('that is newer is refused before anything changes: a rollback needs the backup from before the upgrade', async () => {
    const path = join(world.directory, 'newer.db');
    createFile(path, `${SCHEMA_1} ALTER TABLE entries ADD COLUMN of_the_future TEXT; PRAGMA user_version = 99;`);
    for (const command of ['serve', 'profiles']) {
      const { status, stderr } = await runVestibule({ args: [command], env: { ...world.env, VESTIBULE_STORE: `sqlite:${path}` } });
      assert.equal(status, 78);
      assert.match(stderr, /^VESTIBULE_STORE: The store file .*newer\.db cannot be used: it has schema version 99 and this release supports \d+: use a newer release, or restore the backup from before the upgrade\.$/m);
    }
    using db = new DatabaseSync(path);
    assert.equal(db.prepare('SELECT value FROM entries WHERE key = ?').get(PROFILE.key)?.['value'], PROFILE.value);
    assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], 99);
  });
});

describe('vestibule backup', () => {
  it('copies the store while readers post; a deployment that starts with the copy has their sessions and posts', async () => {
    const path = join(world.directory, 'vestibule.db');
    const copy = join(world.directory, 'backup.db');
    const store = `sqlite:${path}`;
    let keys: readonly string[];
    let reader: LoadReader;
    {
      const running = await start(store);
      await using _bff = running.bff;
      reader = running.reader();
      await reader.signIn(world.service, ada);
      keys = Array.from({ length: 5 }, (_, i) => `key-before-the-backup-${i}`);
      for (const key of keys) await reader.post(`text of ${key}`, key);
      let isPosting = true;
      const posting = (async () => {
        const writer = running.reader();
        await writer.signIn(world.service, bob);
        while (isPosting) await writer.post('meanwhile');
      })();
      const { status, stdout } = await running.run('backup', copy);
      isPosting = false;
      await posting;
      assert.deepEqual([status, stdout.split('\n')[0]], [0, `${path} is copied to ${copy}. The copy needs the same VESTIBULE_COOKIE_SECRETS.`]);
      const again = await running.run('backup', copy);
      assert.deepEqual([again.status, again.stderr.trim()], [1, `vestibule: The backup ${copy} cannot be written: it exists already.`]);
      assert.equal((await running.bff.kill('SIGTERM')).status, 0);
    }
    for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
    await cp(copy, path);
    const restored = await start(store);
    await using _bff = restored.bff;
    const back = reader.at(restored.url);
    assert.equal(await stateOf(back), 'signed-in');
    for (const key of keys) {
      const { status, headers } = await back.post(`text of ${key}`, key);
      assert.deepEqual([status, headers['idempotency-replayed']], [201, 'true']);
    }
    assert.equal((await back.post('after the restore')).status, 201);
    assert.match((await restored.run('profiles', '--user', ada.user_id)).stdout, /Ada of Testville/);
  });

  it('refuses a Redis', async () => {
    const { status, stderr } = await runVestibule({ args: ['backup', join(world.directory, 'no.db')], env: { ...world.env, VESTIBULE_STORE: 'redis://127.0.0.1:1' } });
    assert.deepEqual([status, stderr.trim()], [64, 'vestibule: only SQLite is backed up; use the tools of Redis']);
  });
});
