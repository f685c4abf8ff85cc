/** Shipped examples of a thread of one's own (`packages/bff/examples`); the module before the emulated service in both shapes. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import type { PostCounts } from '@vestibule/shared';
import { startBff, type BffSettings } from '../lib/bff.ts';
import { expectProblem } from '../lib/reader.ts';
import { realWorldShapes } from '../service/index.ts';
import { listOf, messagesOf, Writer } from './_thread.ts';

process.env['COMMENTS'] = ':memory:';

for (const shapes of [[], realWorldShapes]) {
  it(`examples/own-thread.mjs lists and counts what readers post, once, before a service with ${shapes.length} real shapes`, async () => {
    const { default: settings } = await import('../../packages/bff/examples/own-thread.mjs' as string) as { default: BffSettings };
    await using bff = await startBff({ ...settings, rateLimits: 'off', serviceOptions: { realWorldShapes: shapes } });
    const page = `${bff.origin}/article?${shapes.length}`;
    const ada = await Writer.signIn(bff, 0, page);
    const { id } = await ada.write('Comment 1');
    await ada.write('Reply', id);
    for (let i = 0; i < 2; i += 1) assert.equal((await ada.post('Once', undefined, 'the-same-key')).status, 201);
    for (let i = 2; i <= 19; i += 1) await ada.write(`Comment ${i}`);
    expectProblem(await ada.browser.createPost('Nowhere'), 'post-rejected');
    const first = await listOf(bff, { page });
    assert.deepEqual([first.posts.length, messagesOf(first)[0], first.replies], [20, 'Comment 19', true]);
    const second = await listOf(bff, { page, cursor: first.next_cursor });
    assert.deepEqual(second.posts.map(({ message, parent_id }) => [message, parent_id]), [['Comment 1', undefined]]);
    const counts = await bff.browser().get(`/posts/counts?${new URLSearchParams({ forum: 'news', page })}`);
    assert.deepEqual((counts.body as PostCounts).counts, [21]);
  });
}

it('examples/conversations.sql reads lists and replies by an index, without sorting', async () => {
  const text = await readFile(new URL('../../packages/bff/examples/conversations.sql', import.meta.url), 'utf8');
  const statements = text.replace(/^--.*$/gm, '').split(';').map((statement) => statement.trim()).filter((statement) => statement !== '');
  using database = new DatabaseSync(':memory:');
  for (const statement of statements.filter((found) => found.startsWith('CREATE'))) database.exec(statement);
  const reads = statements.filter((found) => found.startsWith('SELECT'));
  const plans = reads.map((statement) => (
    database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...statement.match(/\?/g)!.map(() => '')).map(({ detail }) => detail).join('; ')
  ));
  assert.deepEqual(plans, [
    'SEARCH comments USING INDEX roots (page=? AND (created_at,id)<(?,?))',
    'SEARCH comments USING INDEX replies (root=?)',
    'SEARCH comments USING INDEX replies (root=? AND (created_at,id)>(?,?))',
  ]);
});
