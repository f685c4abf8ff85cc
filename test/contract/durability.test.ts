/** What a store file keeps when the process is killed (contract, section 4: `VESTIBULE_STORE`). */

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';

const KEY = 'key-of-one-intent';
const LOST_KEY = 'key-that-was-cut-off';

describe('a BFF on SQLite that is killed', () => {
  it('keeps sessions, sign-outs, the waiting sign-in and what each Idempotency-Key led to', async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, 'store.db');
    await using service = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] });
    // The longest call: a request that was cut off counts as in progress for so long, however slow the machine is.
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `sqlite:${file}`, VESTIBULE_SERVICE_TIMEOUT_MS: '600000' });
    await using before = await startProcess(env);
    const clientOf = (bff: Running, cookies = '') => (cookies === '' ? bff.browser(service) : bff.browser(service).keepCookies(cookies));

    const [reader, beginner, goner] = [clientOf(before), clientOf(before), clientOf(before)];
    await reader.signIn();
    await goner.signIn();
    const copied = goner.cookies();
    expectStatus(await goner.delete('/session'), 204);
    const syncReturn = beginner.issueReturn();
    const shown = await beginner.begin(syncReturn);
    const first = await reader.createPost('once', { key: KEY });
    service.faults.next('posts', { kind: 'hang-after-commit' });
    const received = service.whenReceived('posts');
    const lost = assert.rejects(reader.createPost('cut off', { key: LOST_KEY }).then((res) => res));
    await received;
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await before.process.kill('SIGKILL')).signal, 'SIGKILL');
    await lost;

    await using after = await startProcess(env);
    const [sameReader, sameBeginner] = [clientOf(after, reader.cookies()), clientOf(after, beginner.cookies())];
    assert.equal(await sameReader.state(), 'signed-in');
    assert.equal(await sameBeginner.state(), 'validating');
    assert.equal(await clientOf(after, copied).state(), 'anonymous');
    const replayed = await sameReader.createPost('once', { key: KEY });
    assert.deepEqual([replayed.headers['idempotency-replayed'], replayed.body], ['true', first.body]);
    expectProblem(await sameReader.createPost('cut off', { key: LOST_KEY }), 'post-in-progress');
    expectProblem(await clientOf(after).start(syncReturn), 'code-already-used');
    expectStatus(await sameBeginner.validateShown(shown), 200);
    assert.deepEqual(service.posts.map(({ message }) => message), ['once', 'cut off']);
  });
});
