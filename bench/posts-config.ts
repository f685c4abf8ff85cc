/** Configuration of the measured BFF: `posts.list` returns the same 20 posts for each article. The bare route sends them too. */

const message = "That's the clearest account of it I've read so far (and there were many). And who pays for the harbour, though? ".repeat(2);

export const posts = Array.from({ length: 20 }, (_, index) => ({
  id: String(5_000_000_001 + index),
  author: { username: `Reader ${31_007 + index}` },
  message,
  created_at: '2026-01-01T00:00:00.000Z',
}));

export default { posts: { list: () => ({ posts, nextCursor: '5000000020' }) } };
