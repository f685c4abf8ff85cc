/** Approval: `created` keeps the comment as `pending`, which the list never sends. An editor's page sets `published`. */

import { defineConfig } from '@vestibule/bff';

/** A table of yours. @type {Map<string, import('@vestibule/bff').PostEntry & { page: string | undefined }>} */
const queue = new Map();

export default defineConfig({
  posts: {
    created({ post, user, page }) {
      const id = String(post['id']);
      const entry = queue.get(id) ?? {
        id, page, author: { username: user.username }, message: String(post['message']), created_at: new Date().toISOString(), state: 'pending',
      };
      queue.set(id, entry);
      return entry;
    },
    list: ({ page }) => ({ posts: [...queue.values()].filter((entry) => entry.page === page).reverse() }),
  },
});
