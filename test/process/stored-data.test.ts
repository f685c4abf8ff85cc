/** The store of a BFF: `vestibule profiles`, `readers` and `check` while it runs, a backup by SQLite, a file of a newer
 *  release. */

import assert from 'node:assert/strict';
import { access, cp, rm, writeFile } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { startProcess, type Running } from '../lib/bff-process.ts';
import { expectStatus, type ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { runCommand, runVestibule } from '../lib/vestibule-process.ts';
import { startWorld, type Environment } from './_world.ts';

const ada = { user_id: 'user-of-ada', username: 'Ada of Testville' };
const bob = { user_id: 'user-of-bob', username: 'Bob of Testville' };

describe('stored data', () => {
  const world = suiteResource(startWorld);

  /** A BFF process on a file of its own. */
  interface Stored {
    readonly bff: Running;
    readonly env: Environment;
    readonly file: string;
    reader(): ReaderClient;
    run(...args: string[]): ReturnType<typeof runCommand>;
  }
  const start = async (name: string): Promise<Stored> => {
    const { path, service } = world();
    await writeFile(path('config.mjs'), `export default { validation: { fields: [{ name: 'about', type: 'text', label: 'About you' }] } };`);
    const env = { ...world().env, VESTIBULE_STORE: `sqlite:${path(name)}`, VESTIBULE_CONFIG: path('config.mjs') };
    const bff = await startProcess(env);
    return { bff, env, file: path(name), reader: () => bff.browser(service), run: (...args) => runCommand({ args, env }) };
  };

  it('of accepted answers is printed, one line for each reader', async () => {
    const { bff, env, reader } = await start('profiles.db');
    await using _bff = bff;
    for (const user of [bob, ada]) await reader().signIn(user, { about: `I am ${user.username}` });
    const { status, stdout } = await runVestibule({ args: ['profiles'], env });
    assert.equal(status, 0);
    const profiles = stdout.trim().split('\n').map((line) => JSON.parse(line) as { username: string; answers: object });
    const found = profiles.map(({ username, answers }) => [username, answers]);
    assert.deepEqual(found.toSorted(), [ada, bob].map(({ username }) => [username, { about: `I am ${username}` }]));
  });

  it('is printed without control and direction characters, which readers choose', async () => {
    const { bff, env, reader } = await start('controls.db');
    await using _bff = bff;
    const about = '\u009b31m \u007f \u202eyks \u2028 \u0085 end';
    await reader().signIn(ada, { about });
    for (const args of [['profiles'], ['readers', 'export', ada.user_id]]) {
      const { stdout } = await runCommand({ args, env });
      assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\u2028\u2029\u202e]/u);
      assert.ok(stdout.includes('\\u009b31m'), stdout);
    }
    assert.equal((JSON.parse((await runCommand({ args: ['profiles'], env })).stdout) as { answers: { about: string } }).answers.about, about);
  });

  it('about a reader is exported, and deleted, with the sessions and pending sign-ins; other readers stay signed in', async () => {
    const { bff, env, reader, run } = await start('readers.db');
    await using _bff = bff;
    const [phone, laptop, other] = [reader(), reader(), reader()];
    for (const client of [phone, laptop]) await client.signIn(ada);
    await other.signIn(bob);
    expectStatus(await phone.createPost('a text of Ada'), 201);
    const pending = reader();
    const shown = await pending.begin(pending.issueReturn(ada));

    const { status, stdout } = await run('readers', 'export', ada.user_id);
    assert.equal(status, 0);
    const exported = JSON.parse(stdout) as Record<'sessions' | 'posts', { username: string; post: { message: string } }[]> & { profiles: { username: string }[] };
    assert.equal(exported.profiles[0]?.username, ada.username);
    assert.deepEqual(exported.sessions.map(({ username }) => username), [ada.username, ada.username]);
    assert.deepEqual(exported.posts.map(({ post }) => post.message), ['a text of Ada']);
    assert.doesNotMatch(stdout, /Bob|token|code/);

    const otherSecret = { ...env, VESTIBULE_COOKIE_SECRETS: 'another-cookie-secret-of-at-least-32-bytes' };
    const refused = await runVestibule({ args: ['readers', 'export', ada.user_id], env: otherSecret });
    assert.deepEqual([refused.status, refused.stdout], [1, '']);
    assert.match(refused.stderr, /\d+ records cannot be decrypted.*; add the secret/);

    const deleted = await runVestibule({ args: ['readers', 'delete', ada.user_id], env });
    assert.match(deleted.stdout, /: profiles 1, sessions 2, sign-ins \d, posting records 1\.$/);
    assert.deepEqual([await phone.state(), await laptop.state(), await other.state()], ['anonymous', 'anonymous', 'signed-in']);
    assert.notEqual((await pending.validateShown(shown)).status, 200);
    const again = await run('readers', 'export', ada.user_id);
    assert.equal(again.status, 1);
    assert.match(again.stderr, /^vestibule: there is nothing about this reader in /);
    assert.match((await run('readers', 'export', bob.user_id)).stdout, /Bob of Testville/);
  });

  it('is copied while readers post; a BFF that starts with the copy has their sessions and posts', async () => {
    const copy = world().path('backup.db');
    const before = await start('vestibule.db');
    const reader = before.reader();
    const keys = Array.from({ length: 3 }, (_, i) => `key-before-the-backup-${i}`);
    {
      await using _bff = before.bff;
      await reader.signIn(ada);
      for (const key of keys) expectStatus(await reader.createPost(`text of ${key}`, { key }), 201);
      let isPosting = true;
      const posting = (async () => {
        const writer = before.reader();
        await writer.signIn(bob);
        while (isPosting) await writer.createPost('meanwhile');
      })();
      using db = new DatabaseSync(before.file, { readOnly: true });
      await backup(db, copy);
      isPosting = false;
      await posting;
    }
    for (const file of [before.file, `${before.file}-wal`, `${before.file}-shm`]) await rm(file, { force: true });
    await cp(copy, before.file);
    const after = await start('vestibule.db');
    await using _bff = after.bff;
    const back = after.reader().keepCookies(reader.cookies());
    assert.equal(await back.state(), 'signed-in');
    for (const key of keys) {
      const { status, headers } = await back.createPost(`text of ${key}`, { key });
      assert.deepEqual([status, headers['idempotency-replayed']], [201, 'true']);
    }
  });

  it('in memory, in another process or missing is refused by the commands that read it', async () => {
    const { env, path } = world();
    for (const [store, words, ...args] of [
      [`sqlite:${path('misspelt.db')}`, `there is no store at ${path('misspelt.db')};`, 'readers', 'export', '31007'],
      ['memory:', 'a memory store', 'profiles'],
    ] as const) {
      const { status, stdout, stderr } = await runCommand({ args, env: { ...env, VESTIBULE_STORE: store } });
      assert.deepEqual([status, stdout], [78, '']);
      assert.ok(stderr.startsWith(`VESTIBULE_STORE: ${words}`), stderr);
    }
    await assert.rejects(access(path('misspelt.db')));
  });

  it('needs the cookie secrets that vestibule check names, and no others', async () => {
    const { bff, env, reader } = await start('secrets.db');
    await reader().signIn(ada, { about: 'me' });
    await bff.process.kill();
    const secrets = ['a-new-cookie-secret-of-at-least-32-bytes', COOKIE_SECRET, 'an-old-cookie-secret-that-nothing-needs'].join();
    const { stdout } = await runCommand({ args: ['check'], env: { ...env, VESTIBULE_COOKIE_SECRETS: secrets } });
    assert.match(stdout, /^warn +cookie secrets +secret 2 of 3: 1 profiles need it/m);
    assert.match(stdout, /^ok +cookie secrets +secret 3 of 3: 0 profiles need it: remove it/m);
  });

  it('of a newer release is refused before anything changes', async () => {
    const { bff, env, file } = await start('newer.db');
    await bff.process.kill();
    using db = new DatabaseSync(file);
    db.exec('ALTER TABLE entries ADD COLUMN of_the_future TEXT; PRAGMA user_version = 99');
    const content = () => [db.prepare('SELECT * FROM entries').all(), db.prepare('PRAGMA user_version').get()];
    const before = content();
    const { status, stderr } = await runVestibule({ env });
    assert.equal(status, 78);
    assert.match(stderr, /^VESTIBULE_STORE: .*newer\.db cannot be used: it has schema version 99 and this release supports \d+: use a newer release/m);
    assert.deepEqual(content(), before);
  });
});
