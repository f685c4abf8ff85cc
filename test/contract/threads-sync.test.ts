/** A thread of our own follows the service's moderators while a process serves (contract, section 4: `comments sync`). */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import type { StoredPost } from '../service/index.ts';
import { listOf, messagesOf, startThread, Writer } from './_thread.ts';

const ROUND_MS = 5 * 60_000;

describe('a process that serves', () => {
  before(() => { mock.timers.enable({ apis: ['setInterval'] }); });
  after(() => { mock.timers.reset(); });

  it('asks for at most 20 comments in five minutes, in one process of those that share a file, and rests for an hour after a rate limit', async () => {
    await using directory = await temporaryDirectory();
    const options = { threads: `sqlite:${join(directory.path, 'comments.db')}`, shapes: ['moderation-flags'] } as const;
    await using bff = await startThread(options);
    // It has a service of its own, whose requests are not counted.
    await using other = await startThread(options);
    const ada = await Writer.signIn(bff);
    const user = bff.service.readers[0]!.user_id;
    const ids: string[] = [];
    for (let i = 0; i < 22; i += 1) ids.push((await ada.write(`Comment ${i}`)).id);
    bff.service.premoderated.add(user);
    const held = await ada.write('Held');
    const post = (id: string) => bff.service.posts.find((one) => one.id === id) as StoredPost;
    const asked = () => [bff, other].flatMap(({ service }) => service.requests).filter(({ endpoint }) => endpoint === 'postDetails')
      .map(({ path }) => new URLSearchParams(path.split('?')[1]).get('post'));
    const round = async (count: number) => {
      for (const one of [bff, other]) one.passTime(ROUND_MS / 1_000);
      const requests = asked().length + count;
      mock.timers.tick(ROUND_MS);
      await until('the service is asked', () => asked().length === requests);
    };

    post(held.id).state = undefined;
    post(ids[0]!).state = 'deleted';
    await round(20);
    assert.deepEqual(asked()[0], held.id);
    await until('the decisions are there', async () => {
      const messages = messagesOf(await listOf(bff));
      return messages.includes('Held') && !messages.includes('Comment 0');
    });

    bff.service.faults.always('postDetails', { kind: 'status', status: 400, body: { code: 14, response: 'limit' } });
    await round(1);
    await until('the log says so', () => bff.log.some(({ msg }) => String(msg).startsWith('the service does not say')));
    bff.service.faults.clear();
    for (const one of [bff, other]) one.passTime(ROUND_MS / 1_000);
    mock.timers.tick(ROUND_MS);
    for (const one of [bff, other]) one.passTime(55 * 60);
    await round(20);
  });
});
