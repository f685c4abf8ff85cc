/**
 * Threads of a service that has none: an application keeps the posts of each article in a database of its own.
 *
 * A post belongs in the list when the service has created it: `posts.created` runs then, and again when the request is repeated;
 * the id prevents a second row. A post is missing from the list only if the process ends between the two writes and the request
 * is not repeated. A post that the service holds for moderation is kept as `pending` until it is approved. Replace the field
 * names of the service's record with those of your service.
 */

import { DatabaseSync } from 'node:sqlite';
import { createVestibule } from '@vestibule/bff';

const POSTS_AT_A_TIME = 20;

/**
 * Mount `router` under the path of `publicUrl`.
 * @param {import('@vestibule/bff').VestibuleConfig} config
 * @param {string} path of the database file
 */
export async function createComments(config, path) {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS post (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent_id TEXT, forum TEXT NOT NULL, page TEXT NOT NULL,
      user_id TEXT NOT NULL, username TEXT NOT NULL, message TEXT NOT NULL, created_at TEXT NOT NULL, edited_at TEXT, state TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS liked (post TEXT NOT NULL, user_id TEXT NOT NULL, PRIMARY KEY (post, user_id)) STRICT;
    CREATE INDEX IF NOT EXISTS post_of_page ON post (forum, page, state, number);
    CREATE TABLE IF NOT EXISTS closed (page TEXT PRIMARY KEY, reason TEXT NOT NULL) STRICT;
  `);
  const insert = database.prepare(`
    INSERT OR IGNORE INTO post (id, parent_id, forum, page, user_id, username, message, created_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const columns = `SELECT number, id, parent_id, user_id, username, message, created_at, edited_at, state,
    (SELECT count(*) FROM liked WHERE post = post.id) AS likes FROM post`;
  // A removed comment is shown while it has replies.
  const shown = `WHERE forum = ? AND page = ? AND (state = 'published' OR (state = 'removed' AND EXISTS (
    SELECT 1 FROM post AS reply WHERE reply.parent_id = post.id AND reply.state = 'published')))`;
  const selectOne = database.prepare(`${columns} WHERE forum = ? AND page = ? AND id = ?`);
  const select = {
    newest: database.prepare(`${columns} ${shown} AND number < ? ORDER BY number DESC LIMIT ?`),
    oldest: database.prepare(`${columns} ${shown} AND number > ? ORDER BY number LIMIT ?`),
  };
  const selectCount = database.prepare("SELECT count(*) AS count FROM post WHERE forum = ? AND page = ? AND state = 'published'");
  const update = database.prepare('UPDATE post SET message = ?, edited_at = ? WHERE id = ? AND message <> ?');
  const markRemoved = database.prepare("UPDATE post SET state = 'removed', message = '' WHERE id = ?");
  const insertLike = database.prepare('INSERT OR IGNORE INTO liked (post, user_id) VALUES (?, ?)');
  const deleteLike = database.prepare('DELETE FROM liked WHERE post = ? AND user_id = ?');
  const selectClosed = database.prepare('SELECT reason FROM closed WHERE page = ?');
  const insertClosed = database.prepare('INSERT OR REPLACE INTO closed (page, reason) VALUES (?, ?)');
  const approve = database.prepare("UPDATE post SET state = 'published' WHERE id = ?");

  /** @param {string} page */
  const reasonOf = (page) => /** @type {{ reason: string } | undefined} */ (selectClosed.get(page))?.reason;
  /** @param {string} forum @param {string} page */
  const countOf = (forum, page) => /** @type {{ count: number }} */ (selectCount.get(forum, page)).count;

  /** @param {string} forum @param {string} page @param {string} id */
  const livePost = (forum, page, id) => {
    const row = /** @type {Row | undefined} */ (selectOne.get(forum, page, id));
    return row?.state === 'removed' ? undefined : row;
  };
  const gone = /** @type {const} */ ({ ok: false, gone: true });
  const notYours = /** @type {const} */ ({ ok: false, reason: { en: 'This is not possible with this comment.', de: 'Das geht bei diesem Kommentar nicht.' } });

  const { router, close } = await createVestibule({
    ...config,
    posts: {
      replies: true,

      prepare({ forum, page, parent }) {
        if (page === undefined) return { ok: false, reason: 'Comments are possible below an article only.' };
        if (parent !== undefined && !livePost(forum, page, parent)) return { ok: false, reason: 'That comment is gone.' };
        const reason = reasonOf(page);
        return reason === undefined ? { ok: true } : { ok: false, reason };
      },

      created({ post, user, forum, page = '', parent = null }) {
        const record = /** @type {ServicePost} */ (/** @type {unknown} */ (post));
        const { id, author, message, raw_message = message, isApproved } = record;
        // The browser can alter the name of an unproven user.
        const username = author?.username ?? author?.name ?? (user.proven === false ? 'Guest' : user.username);
        // So can the id: it may be another reader's.
        const userId = user.proven === false ? '' : user.user_id;
        const state = isApproved === false ? 'pending' : 'published';
        insert.run(String(id), parent, forum, page, userId, username, raw_message, new Date().toISOString(), state);
        return toEntry(/** @type {Row} */ (selectOne.get(forum, page, String(id))));
      },

      list({ forum, page, order, cursor }) {
        const start = cursor ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : 0);
        const rows = /** @type {Row[]} */ (select[order].all(forum, page, Number(start), POSTS_AT_A_TIME + 1));
        const posts = rows.slice(0, POSTS_AT_A_TIME);
        return {
          posts: posts.map(toEntry),
          total: countOf(forum, page),
          closed: reasonOf(page),
          nextCursor: rows.length > POSTS_AT_A_TIME ? String(posts.at(-1)?.number) : undefined,
        };
      },

      // Whose comment it is, the table says. A copy at the service stays as it was written.
      edit({ id, message, user, forum, page }) {
        const row = livePost(forum, page, id);
        if (!row) return gone;
        if (row.user_id !== user.user_id) return notYours;
        update.run(message, new Date().toISOString(), id, message);
        return { ok: true, post: toEntry(/** @type {Row} */ (selectOne.get(forum, page, id))) };
      },

      remove({ id, user, forum, page }) {
        const row = livePost(forum, page, id);
        if (!row) return gone;
        if (row.user_id !== user.user_id) return notYours;
        markRemoved.run(id);
        return { ok: true };
      },

      like({ id, liked, user, forum, page }) {
        const row = livePost(forum, page, id);
        if (!row) return gone;
        if (row.user_id === user.user_id) return notYours;
        (liked ? insertLike : deleteLike).run(id, user.user_id);
        return { ok: true, likes: /** @type {Row} */ (selectOne.get(forum, page, id)).likes };
      },

      count: ({ forum, pages }) => pages.map((page) => countOf(forum, page)),
    },
  });

  return {
    router,
    /** @param {string} page @param {string} reason for readers */
    closePage: (page, reason) => void insertClosed.run(page, reason),
    /** @param {string} id */
    approve: (id) => void approve.run(id),
    async [Symbol.asyncDispose]() {
      await close();
      database.close();
    },
  };
}

/** @param {Row} row */
function toEntry({ id, parent_id, user_id, username, message, created_at, edited_at, likes, state }) {
  const entry = { id, parent_id, author: { username, user_id: user_id || null }, message, created_at, edited_at, likes };
  return state === 'removed' ? { ...entry, removed: true } : { ...entry, state };
}

/**
 * @typedef {object} ServicePost
 * @property {string | number} id
 * @property {{ username?: string, name?: string }} [author]
 * @property {string} message
 * @property {string} [raw_message] where `message` is HTML
 * @property {boolean} [isApproved] `false`: held for moderation
 */
/**
 * @typedef {object} Row
 * @property {number} number
 * @property {string} id
 * @property {string | null} parent_id
 * @property {string} user_id
 * @property {string} username
 * @property {string} message
 * @property {string} created_at
 * @property {string | null} edited_at
 * @property {number} likes
 * @property {'published' | 'pending' | 'removed'} state
 */
