/** The conversation around a post, from the publisher's `posts.conversation` hook. */

import type { PostConversation } from '@vestibule/shared';
import { parseEntries } from './entry.ts';
import type { PostListsDeps } from './list.ts';
import { createReads, type CachedRead } from './reads.ts';

const MAX_CONVERSATIONS = 1_000;

export interface ConversationQuery {
  readonly id: string;
  readonly forum: string;
  /** URL of the article, of `parsePage`. */
  readonly page: string;
}

export type FindConversation = ReturnType<typeof createPostConversations>;

/** @returns `undefined` without the hook */
export function createPostConversations({ config, hooks, userKeys, now, log }: PostListsDeps) {
  const read = createReads({ config, maxEntries: MAX_CONVERSATIONS, hook: 'posts.conversation', read: call, now, log });
  return hooks.has('posts.conversation') ? find : undefined;

  /** @param admit runs before a conversation is read that is not cached; may throw
   *  @throws {ProblemError} `internal-error` if the hook fails without a result */
  function find(query: ConversationQuery, admit?: () => Promise<void>): Promise<CachedRead<PostConversation>> {
    return read(query, [query.forum, query.page, query.id], admit);
  }

  async function call(query: ConversationQuery): Promise<{ value: PostConversation; faults: string }> {
    const { posts: entries } = await hooks.run('posts.conversation', query);
    const { posts, faults } = parseEntries(entries, userKeys.keyOf);
    // A comment that is held is not there: a link to it must not lead to its neighbours.
    return { value: { posts: posts.some(({ id }) => id === query.id) ? posts : [] }, faults };
  }
}
