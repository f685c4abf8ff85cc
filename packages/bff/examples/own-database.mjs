/**
 * Comments in a database of the publisher's own: `VESTIBULE_CONFIG=own-database.mjs vestibule`. The service creates each post;
 * the table has what readers see, and its own edits, removals and likes. Put your database in the place of SQLite.
 *
 * A moderator's tool needs one statement: `UPDATE comment SET state = 'published' WHERE id = …`, or `'pending'`, `'removed'`.
 * Readers see it within a minute. The service's own moderators decide in the service only.
 */

import { DatabaseSync } from 'node:sqlite';
import { defineConfig } from '@vestibule/bff';

/** @import { PostEntry } from '@vestibule/bff' */

/**
 * @typedef {object} CommentRow
 * @property {number} n order of creation
 * @property {string} id of the service
 * @property {number | null} parent `n` of the comment that it replies to
 * @property {string | null} user_id `null`: of a reader who is not proven, whose comment nobody can change
 * @property {string} username
 * @property {string} message
 * @property {string} created_at ISO 8601
 * @property {string | null} edited_at
 * @property {'published' | 'pending' | 'removed'} state
 * @property {number} likes
 * @property {string | null} parent_id
 * @property {string | null} parent_username
 * @property {string | null} parent_message
 */

const PAGE_ROWS = 50;
const NOT_YOURS = { en: 'This is not possible with this comment.', de: 'Das geht bei diesem Kommentar nicht.' };
const NO_ARTICLE = { en: 'Comments are possible below an article only.', de: 'Kommentare sind nur unter einem Artikel möglich.' };
const NO_PARENT = { en: 'That comment is no longer there.', de: 'Diesen Kommentar gibt es nicht mehr.' };

const database = new DatabaseSync(process.env['COMMENTS'] ?? 'comments.db');
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS comment (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, forum TEXT NOT NULL, page TEXT NOT NULL, parent INTEGER, user_id TEXT,
    username TEXT NOT NULL, message TEXT NOT NULL, created_at TEXT NOT NULL, edited_at TEXT, state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS comment_of_article ON comment (forum, page, n);
  CREATE INDEX IF NOT EXISTS comment_of_parent ON comment (parent);
  CREATE TABLE IF NOT EXISTS liked (comment INTEGER NOT NULL, user_id TEXT NOT NULL, PRIMARY KEY (comment, user_id)) STRICT, WITHOUT ROWID;
`);

/** A comment that is held or removed stays as a placeholder while it has published replies. */
const SHOWN = `(one.state = 'published' OR EXISTS (SELECT 1 FROM comment AS reply WHERE reply.parent = one.n AND reply.state = 'published'))`;
const COLUMNS = `one.*, (SELECT count(*) FROM liked WHERE comment = one.n) AS likes,
  parent.id AS parent_id, iif(parent.state = 'published', parent.username, NULL) AS parent_username, parent.message AS parent_message`;
const FROM = 'FROM comment AS one LEFT JOIN comment AS parent ON parent.n = one.parent';
const OF_ARTICLE = 'one.forum = :forum AND one.page = :page';

const lists = {
  newest: database.prepare(`SELECT ${COLUMNS} ${FROM} WHERE ${OF_ARTICLE} AND one.n < :cursor AND ${SHOWN} ORDER BY one.n DESC LIMIT ${PAGE_ROWS}`),
  oldest: database.prepare(`SELECT ${COLUMNS} ${FROM} WHERE ${OF_ARTICLE} AND one.n > :cursor AND ${SHOWN} ORDER BY one.n LIMIT ${PAGE_ROWS}`),
};
const byId = database.prepare(`SELECT ${COLUMNS} ${FROM} WHERE ${OF_ARTICLE} AND one.id = :id`);
// The comment, all its parents, and its replies.
const around = database.prepare(`
  WITH RECURSIVE above (n, parent) AS (
    SELECT n, parent FROM comment WHERE n = :n UNION ALL SELECT comment.n, comment.parent FROM comment JOIN above ON comment.n = above.parent
  )
  SELECT ${COLUMNS} ${FROM} WHERE (one.n IN (SELECT n FROM above) OR one.parent = :n) AND ${SHOWN} ORDER BY one.n LIMIT 100`);
const count = database.prepare(`SELECT count(*) AS count FROM comment AS one WHERE ${OF_ARTICLE} AND state = 'published'`);
const insert = database.prepare(`INSERT OR IGNORE INTO comment (id, forum, page, parent, user_id, username, message, created_at, state)
  VALUES (:id, :forum, :page, :parent, :user_id, :username, :message, :created_at, :state)`);
const setText = database.prepare('UPDATE comment SET message = ?, edited_at = ? WHERE n = ?');
const empty = database.prepare(`UPDATE comment SET state = 'removed', user_id = NULL, username = '', message = '' WHERE n = ?`);
const dropLikes = database.prepare('DELETE FROM liked WHERE comment = ?');
const like = database.prepare('INSERT OR IGNORE INTO liked VALUES (?, ?)');
const unlike = database.prepare('DELETE FROM liked WHERE comment = ? AND user_id = ?');

/** @param {unknown} row @returns {PostEntry} */
function toEntry(row) {
  const {
    id, parent_id, parent_username, parent_message, user_id, username, message, created_at, edited_at, state, likes,
  } = /** @type {CommentRow} */ (row);
  if (state !== 'published') return { id, parent_id, author: { username: '' }, message: '', created_at, removed: true };
  return {
    id, parent_id, author: { username, user_id }, message, created_at, edited_at, likes,
    // Lists are by time: the parent may be in another one.
    in_reply_to: parent_username === null ? undefined : { username: parent_username, message: parent_message ?? '' },
  };
}

/** The entry for its author, also while it waits. @param {unknown} row @returns {PostEntry} */
function toOwnEntry(row) {
  const own = /** @type {CommentRow} */ (row);
  return { ...toEntry({ ...own, state: 'published' }), state: own.state === 'pending' ? 'pending' : 'published' };
}

/** @param {{ id: string, forum: string, page: string }} place */
function find({ id, forum, page }) {
  const row = /** @type {CommentRow | undefined} */ (/** @type {unknown} */ (byId.get({ id, forum, page })));
  return row?.state === 'removed' ? undefined : row;
}

export default defineConfig({
  posts: {
    replies: true,

    // The browser names page and parent. Check here, too, that the page is an article of yours that takes comments.
    prepare({ forum, page, parent }) {
      if (page === undefined) return { ok: false, reason: NO_ARTICLE };
      if (parent !== undefined && find({ id: parent, forum, page })?.state !== 'published') return { ok: false, reason: NO_PARENT };
      return { ok: true };
    },

    // The service has created the post. Runs again when the request is repeated.
    created({ post, user, forum, page = '', parent, message }) {
      // A service that names no id keeps the comment to itself: a repetition could not be told from another comment.
      if (post['id'] === undefined) return undefined;
      const id = String(post['id']);
      // The browser can alter the id and the name of a user who is not proven.
      const isProven = user.proven !== false;
      insert.run({
        id, forum, page, parent: parent === undefined ? null : find({ id: parent, forum, page })?.n ?? null, message,
        user_id: isProven ? user.user_id : null, username: isProven ? user.username : 'Guest',
        created_at: new Date().toISOString(), state: post['isApproved'] === false ? 'pending' : 'published',
      });
      return toOwnEntry(byId.get({ id, forum, page }));
    },

    list({ forum, page, order, cursor }) {
      const isOldest = order === 'oldest';
      const rows = lists[isOldest ? 'oldest' : 'newest'].all({ forum, page, cursor: Number(cursor ?? (isOldest ? 0 : Number.MAX_SAFE_INTEGER)) });
      return {
        posts: rows.map(toEntry),
        total: Number(count.get({ forum, page })?.['count']),
        nextCursor: rows.length === PAGE_ROWS ? String(rows.at(-1)?.['n']) : undefined,
      };
    },

    conversation({ id, forum, page }) {
      const row = find({ id, forum, page });
      return { posts: row?.state === 'published' ? around.all({ n: row.n }).map(toEntry) : [] };
    },

    count: ({ forum, pages }) => pages.map((page) => Number(count.get({ forum, page })?.['count'])),

    // Each of these may run twice. The table says whose comment it is.
    edit({ id, message, user, forum, page }) {
      const row = find({ id, forum, page });
      if (!row) return { ok: false, gone: true };
      if (row.user_id !== user.user_id) return { ok: false, reason: NOT_YOURS };
      if (row.message !== message) setText.run(message, new Date().toISOString(), row.n);
      return { ok: true, post: toOwnEntry(byId.get({ id, forum, page })) };
    },

    // The service's copy stays. Where the service has it, remove that with
    // service.request('POST', '/api/3.0/posts/remove.json', { post: id }, { asReader: true }).
    remove({ id, user, forum, page }) {
      const row = find({ id, forum, page });
      if (!row) return { ok: false, gone: true };
      if (row.user_id !== user.user_id) return { ok: false, reason: NOT_YOURS };
      empty.run(row.n);
      dropLikes.run(row.n);
      return { ok: true };
    },

    like({ id, liked, user, forum, page }) {
      const row = find({ id, forum, page });
      if (!row) return { ok: false, gone: true };
      if (row.user_id === user.user_id || row.state !== 'published') return { ok: false, reason: NOT_YOURS };
      (liked ? like : unlike).run(row.n, user.user_id);
      return { ok: true, likes: find({ id, forum, page })?.likes };
    },
  },
});
