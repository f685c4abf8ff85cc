/** Caches of what every reader gets alike, which the sites of a process share. */

import type { PostConversation, PostList } from '@vestibule/shared';
import { createCountCache } from './counts.ts';
import { createReadCache } from './reads.ts';

const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_LISTS = 5_000;
const MAX_CONVERSATIONS = 1_000;

export type PostCaches = ReturnType<typeof createPostCaches>;

export function createPostCaches() {
  return {
    lists: createReadCache<PostList>(MAX_LISTS, CACHE_BYTES),
    conversations: createReadCache<PostConversation>(MAX_CONVERSATIONS, CACHE_BYTES),
    counts: createCountCache(),
  };
}
