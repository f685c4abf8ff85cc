/** Configuration of the attacked BFF: a question and hooks, so that every endpoint has work to do. */

const posts = Array.from({ length: 20 }, (_, i) => ({
  id: String(i + 1), author: { username: `Reader ${i + 1}` }, message: 'A post of the article. '.repeat(10), created_at: '2026-01-01T00:00:00.000Z',
}));

export default {
  validation: { fields: [{ name: 'age', type: 'number', label: 'Your age', required: true, min: 18 }] },
  posts: { list: () => ({ posts }), prepare: () => ({ ok: true, params: {} }) },
};
