/** A thread of our own with 100,000 comments of one article, below 40,000 of them, and 1,000 other articles: what a request costs
 *  that no cache answers. */

import { join } from 'node:path';
import { createVestibule } from '@vestibule/bff';
import { openCommentFile } from '../packages/bff/src/threads/comment-file.ts';
import { createConversations } from '../packages/bff/src/threads/conversations.ts';
import { importComments } from '../packages/bff/src/threads/import.ts';
import { temporaryDirectory } from '../test/lib/temporary-directory.ts';
import { rowOf, type BenchOptions, type Row } from './rows.ts';

const COMMENTS = 100_000;
const ARTICLES = 1_000;
const ORIGIN = 'https://www.example.com';
const PAGE = `${ORIGIN}/article`;
const DAY_MS = 86_400_000;

export async function benchComments({ quick }: BenchOptions): Promise<readonly Row[]> {
  const times = quick ? 50 : 500;
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'comments.db');
  using comments = await openCommentFile(path, '');
  const startedAt = performance.now();
  await importComments(comments, lines(), { forums: ['news'], origins: [ORIGIN] }, { hasServiceUsers: true });
  const rows: Row[] = [rowOf(`import of ${COMMENTS + ARTICLES} comments`, 's', [(performance.now() - startedAt) / 1_000])];
  let clock = Date.now();
  // No list is in a cache a day later.
  const now = () => (clock += DAY_MS);
  await using vestibule = await createVestibule({
    serviceUrl: 'https://comments.example', publicKey: 'key', secretKey: 'secret', forums: ['news'], publicUrl: `${ORIGIN}/vestibule`,
    cookieSecrets: ['0123456789abcdef'.repeat(2)], store: 'memory:', threads: `sqlite:${path}`,
  }, { now });
  const { list, conversation, counts } = createConversations(comments, Date.now);
  let next = 0;
  const work: Readonly<Record<string, () => unknown>> = {
    'list, newest, with its JSON': () => vestibule.listPosts({ page: PAGE }),
    'list, oldest, with its JSON': () => vestibule.listPosts({ page: PAGE, order: 'oldest' }),
    'list, top': () => list('news', PAGE, 'top'),
    'list, latest': () => list('news', PAGE, 'latest'),
    'conversation of any comment': () => conversation({ forum: 'news', page: PAGE, id: `i-${next = (next + 7_919) % COMMENTS}` }),
    'conversation of the largest': () => conversation({ forum: 'news', page: PAGE, id: 'i-0' }),
    '50 counts': () => counts('news', Array.from({ length: 50 }, (_, i) => `${ORIGIN}/${i}`)),
    'new comment, with its commit': () => comments.write(() => comments.add({
      id: String(next += 1), isOfService: true, forum: 'news', page: PAGE, parent: `i-${next % COMMENTS}`, at: Date.now(), isHeld: false,
      user: 'user', name: 'Ada', text: 'Hello',
    })),
  };
  for (const [name, act] of Object.entries(work)) {
    const taken: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const from = performance.now();
      await act();
      taken.push(performance.now() - from);
    }
    rows.push(rowOf(`${COMMENTS} comments: ${name}`, 'ms', taken));
  }
  return rows;
}

/** Four of ten begin a conversation; of the others, one in ten answers the first comment, the rest any. */
async function* lines(): AsyncGenerator<string> {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const line = (id: string, page: string, message: string, at: number, parent?: number) => JSON.stringify({
    forum: 'news', page, id, parent_id: parent, author: { username: 'Ada', user_id: `user-${at % 500}` }, message,
    created_at: new Date(1.7e12 + at * 1_000).toISOString(),
  });
  for (let i = 0; i < COMMENTS; i += 1) {
    const parent = i > 0 && random() < 0.6 ? Math.floor(random() < 0.1 ? 0 : random() * i) : undefined;
    yield line(String(i), PAGE, 'A comment of middling length. '.repeat(1 + Math.floor(random() * 10)), i, parent);
  }
  for (let i = 0; i < ARTICLES; i += 1) yield line(`other-${i}`, `${ORIGIN}/${i}`, 'Hello', i);
}
