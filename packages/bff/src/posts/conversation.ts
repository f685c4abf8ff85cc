/** The conversation around a post, from the publisher's `posts.conversation` hook. */

import type { PostConversation } from '@vestibule/shared';
import { createCursors, unknownCursor } from './cursors.ts';
import { parseEntries } from './entry.ts';
import type { PostListsDeps } from './list.ts';
import { createReads, type CachedRead } from './reads.ts';

export interface ConversationQuery {
  readonly id: string;
  readonly forum: string;
  /** URL of the article, of `parsePage`. */
  readonly page: string;
  /** As the endpoint issued them, for this `id`; one of the two at most. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** @returns `undefined` without the hook */
export function createPostConversations({ config, caches, hooks, userKeys, now, log }: PostListsDeps) {
  const cursors = createCursors(config);
  const read = createReads({ config, cache: caches.conversations, hook: 'posts.conversation', read: call, now, log });
  return hooks.has('posts.conversation') ? find : undefined;

  /** @param admit runs before a conversation is read that is not cached; may throw
   *  @throws {ProblemError} `invalid-request` for a cursor of others; `internal-error` if the hook fails without a result */
  async function find(query: ConversationQuery, admit?: () => Promise<void>): Promise<CachedRead<PostConversation>> {
    const found = { ...query, before: verified('before', query), after: verified('after', query) };
    return read(found, [found.forum, found.page, found.id, found.before ?? '', found.after ?? ''], admit);
  }

  async function call(query: ConversationQuery): Promise<{ value: PostConversation; faults: string }> {
    const { posts: entries, before, after } = await hooks.run('posts.conversation', query);
    const { posts, faults } = parseEntries(entries, userKeys.keyOf);
    const isFirst = query.before === undefined && query.after === undefined;
    // A comment that is held is not there: a link to it must not lead to its neighbours.
    if (isFirst && posts.every(({ id }) => id !== query.id)) return { value: { posts: [] }, faults };
    const value: PostConversation = {
      posts,
      ...(before != null && { before: cursors.sign(before, ownerOf('before', query)) }),
      ...(after != null && { after: cursors.sign(after, ownerOf('after', query)) }),
    };
    return { value, faults };
  }

  function verified(name: 'before' | 'after', query: ConversationQuery): string | undefined {
    const signed = query[name];
    const cursor = signed === undefined ? undefined : cursors.verify(signed, ownerOf(name, query));
    if (signed !== undefined && cursor === undefined) throw unknownCursor(name);
    return cursor;
  }
}

const ownerOf = (name: string, { forum, page, id }: ConversationQuery): readonly string[] => ['conversation', name, forum, page, id];
