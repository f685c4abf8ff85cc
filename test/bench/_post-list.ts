/** A thread of 20 posts as a publisher's list gives it, for the BFF (as its configuration module) and for the peer. */

import type { PostList } from '@vestibule/shared';

const posts = Array.from({ length: 20 }, (_, i) => ({
  id: String(5_000_000_000 + i),
  author: { username: `Reader ${i}` },
  message: 'That’s the clearest account of it I’ve read so far. And who pays for the harbour, though? '.repeat(2),
  created_at: new Date(1_767_225_600_000 + i * 60_000).toISOString(),
}));

export async function listPosts(): Promise<PostList> {
  return { posts };
}

export default { posts: { list: listPosts } };
