/** A thread of one's own: three hooks on a table of one's own. `VESTIBULE_CONFIG=own-thread.mjs vestibule` */

import { DatabaseSync } from 'node:sqlite';
import { defineConfig } from '@vestibule/bff';

const database = new DatabaseSync(process.env['COMMENTS'] ?? 'own-comments.db');
database.exec(`CREATE TABLE IF NOT EXISTS post (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent_id TEXT, forum TEXT NOT NULL, page TEXT NOT NULL, user_id TEXT,
  username TEXT NOT NULL, message TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`);
const insert = database.prepare('INSERT OR IGNORE INTO post VALUES (NULL, :id, :parent_id, :forum, :page, :user_id, :username, :message, :created_at)');
const select = database.prepare('SELECT * FROM post WHERE forum = ? AND page = ? AND number < ? ORDER BY number DESC LIMIT 20');
const count = database.prepare('SELECT count(*) AS count FROM post WHERE forum = ? AND page = ?');

export default defineConfig({
  posts: {
    replies: true,
    prepare: ({ page }) => (page === undefined ? { ok: false, reason: 'Comments are possible below an article only.' } : { ok: true }),

    // Runs when the service has created the post, and again when the request is repeated.
    created({ post, user, key, forum, page = '', parent = null, message }) {
      // The browser can alter the id and the name of an unproven user.
      const isProven = user.proven !== false;
      const row = {
        id: String(post['id'] ?? key), parent_id: parent, forum, page, user_id: isProven ? user.user_id : null,
        username: isProven ? user.username : 'Guest', message, created_at: new Date().toISOString(),
      };
      insert.run(row);
      return { ...row, author: { username: row.username, user_id: row.user_id } };
    },

    list({ forum, page, cursor = String(Number.MAX_SAFE_INTEGER) }) {
      const rows = /** @type {any[]} */ (select.all(forum, page, Number(cursor)));
      const posts = rows.map(({ user_id, username, ...row }) => ({ ...row, author: { username, user_id } }));
      return { posts, nextCursor: rows.length === 20 ? String(rows.at(-1).number) : undefined };
    },

    count: ({ forum, pages }) => pages.map((page) => Number(count.get(forum, page)?.['count'])),
  },
});
