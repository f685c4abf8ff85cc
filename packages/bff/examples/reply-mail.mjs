/** Mail on replies, for readers who asked for it. `created` runs again with a repeated request, so the mail has an id. */

import { defineConfig } from '@vestibule/bff';

/** Tables of yours. @type {Map<string, string>} */
const addressOf = new Map();
/** @type {Map<string, string>} */
const authorOf = new Map();

export default defineConfig({
  validation: {
    fields: [{ name: 'mail', type: 'email', label: 'Send me replies by e-mail to (optional)' }],
    async onAccepted({ user, answers }) {
      if (user.proven === false) return;
      if (answers.mail) addressOf.set(user.user_id, String(answers.mail));
      else addressOf.delete(user.user_id);
    },
  },
  posts: {
    replies: true,
    prepare: ({ page, parent }) => ({ ok: true, params: { thread: page, parent } }),
    async created({ post, user, page, parent, signal }) {
      const id = String(post['id']);
      authorOf.set(id, user.user_id);
      const to = addressOf.get(authorOf.get(parent ?? '') ?? '');
      if (to) await fetch('https://mail.example.com/send', { method: 'POST', body: JSON.stringify({ id, to, page }), signal });
      return undefined;
    },
  },
});
