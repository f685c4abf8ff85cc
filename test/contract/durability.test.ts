/** What the default store keeps when the process is killed (contract, section 4: `VESTIBULE_STORE`). */

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { Client, PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';

describe('a BFF on SQLite that is killed', () => {
  let directory: TemporaryDirectory;
  let file: string;
  let service: EmulatedService;
  let env: Readonly<Record<string, string>>;
  before(async () => {
    directory = await temporaryDirectory();
    file = join(directory.path, 'store.db');
    service = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] });
    env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `sqlite:${file}` });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  /** Kills the process and starts another on the same file. */
  async function killAndRestart(bff: Running): Promise<Running> {
    assert.equal((await bff.process.kill('SIGKILL')).signal, 'SIGKILL');
    return startProcess(env);
  }

  it('keeps sessions, pending sign-ins, code claims and the results of idempotency keys', async () => {
    const [reader, beginner, goner] = [new Client(), new Client(), new Client()];
    await using before = await startProcess(env);
    await reader.signIn(before, service);
    await goner.signIn(before, service);
    assert.equal((await goner.ask(before, 'DELETE', '/session')).status, 204);
    const syncReturn = service.issueReturn({ redirectUri: `${PUBLIC_URL}/sync/return` });
    const validation = await beginner.begin(before, syncReturn);
    const first = await (await reader.createPost(before, 'once', 'key-of-one-intent')).json();

    await using bff = await killAndRestart(before);
    assert.equal(await reader.state(bff), 'signed-in');
    assert.equal(await beginner.state(bff), 'validating');
    assert.equal(await goner.state(bff), 'anonymous');
    const replayed = await reader.createPost(bff, 'once', 'key-of-one-intent');
    assert.deepEqual([replayed.status, replayed.headers.get('Idempotency-Replayed'), await replayed.json()], [201, 'true', first]);
    assert.equal((await reader.createPost(bff, 'twice', 'key-of-one-intent')).status, 422);
    assert.equal((await new Client().ask(bff, 'POST', '/sync', syncReturn)).status, 409);
    assert.equal((await beginner.ask(bff, 'POST', '/sync/validation', validation)).status, 200);
    assert.deepEqual(service.posts.map(({ message }) => message), ['once']);
  });

  it('never repeats a post that was in flight', async () => {
    const reader = new Client();
    await using before = await startProcess(env);
    await reader.signIn(before, service);
    const posts = service.posts.length;
    service.faults.next('posts', { kind: 'hang-after-commit' });
    const received = service.whenReceived('posts');
    const lost = assert.rejects(reader.createPost(before, 'cut off', 'key-that-was-cut-off'));
    await received;

    await using bff = await killAndRestart(before);
    await lost;
    const again = await reader.createPost(bff, 'cut off', 'key-that-was-cut-off');
    assert.equal((await again.json() as { type: string }).type, 'urn:vestibule:post-in-progress');
    assert.equal(service.posts.length, posts + 1);
  });

  it('keeps its file private', () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });
});
