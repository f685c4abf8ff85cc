/** Two processes on one SQLite file, as a restart without a gap has them (contract, section 4: `VESTIBULE_STORE`). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SessionView } from '@vestibule/shared';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';

describe('two processes on one SQLite file', () => {
  const fleet = suiteResource(async () => {
    await using stack = new AsyncDisposableStack();
    const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] }));
    const { path } = stack.use(await temporaryDirectory());
    const env = bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, VESTIBULE_RATE_LIMITS: 'off',
    });
    // Both create the file.
    const [one, two] = await Promise.all([startProcess(env), startProcess(env)]);
    stack.use(one);
    stack.use(two);
    const disposal = stack.move();
    return { service, one, two, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
  });

  /** A browser whose requests a proxy sends to either process: both clients have the same cookies. */
  function browser() {
    const { service, one, two } = fleet();
    const [first, second] = [one.browser(service), two.browser(service)];
    second.agent.jar = first.agent.jar;
    return [first, second] as const;
  }

  it('share a sign-in, the session, the results of idempotency keys and the sign-out', async () => {
    const [first, second] = browser();
    const shown = await first.begin();
    expectStatus(await second.validateShown(shown), 200);
    assert.equal((await first.session()).state, 'signed-in');

    const key = randomUUID();
    const created = await first.createPost('Once', { key });
    expectStatus(created, 201);
    const replayed = await second.createPost('Once', { key });
    assert.deepEqual([replayed.status, replayed.headers['idempotency-replayed'], replayed.body], [201, 'true', created.body]);

    const cookies = first.cookies();
    expectStatus(await second.delete('/session'), 204);
    const { body } = await first.get('/session').set('Cookie', cookies);
    assert.equal((body as SessionView).state, 'anonymous');
    expectProblem(await first.createPost('Late').set('Cookie', cookies), 'not-signed-in');
  });

  it('create one post of concurrent requests with one key', async () => {
    const [first, second] = browser();
    await first.signIn();
    const { service } = fleet();
    for (let round = 0; round < 5; round += 1) {
      const message = `Round ${round}`;
      const key = randomUUID();
      const answers = await Promise.all([first, second, first, second].map((client) => client.createPost(message, { key })));
      for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'post-in-progress');
      assert.equal(service.posts.filter((post) => post.message === message).length, 1);
    }
  });
});
