/**
 * Threads of a service that has none: an application keeps the posts of each article in a database of its own.
 *
 * A post belongs in the list when the service has created it. `posts.prepare` runs before it and does not receive the result.
 * Thus the application watches the responses to `POST /posts`: 201 means created. A repeated request with the same
 * `Idempotency-Key` gets 201 too, and the key prevents a second row. A post is missing from the list only if the process ends
 * between the two writes and the request is not repeated. A post that the service holds for moderation is not listed: add it
 * when it is approved.
 */

import { DatabaseSync } from 'node:sqlite';
import { createVestibule } from '@vestibule/bff';
import express, { Router } from 'express';

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
      id INTEGER PRIMARY KEY, forum TEXT NOT NULL, page TEXT NOT NULL, user_id TEXT NOT NULL, username TEXT NOT NULL,
      message TEXT NOT NULL, created_at TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (user_id, key)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS post_of_page ON post (forum, page, id);
  `);
  const insert = database.prepare(`
    INSERT OR IGNORE INTO post (forum, page, user_id, username, message, created_at, key) VALUES (?, ?, ?, ?, ?, ?, ?)
  `);
  const select = database.prepare(`
    SELECT id, username, message, created_at FROM post WHERE forum = ? AND page = ? AND id < ? ORDER BY id DESC LIMIT ?
  `);

  const vestibule = await createVestibule({
    ...config,
    posts: {
      prepare: ({ page }) => (page === undefined ? { ok: false, reason: 'Comments are possible below an article only.' } : { ok: true }),
      list({ forum, page, cursor = String(Number.MAX_SAFE_INTEGER) }) {
        const rows = /** @type {Row[]} */ (select.all(forum, page, Number(cursor), POSTS_AT_A_TIME + 1));
        const posts = rows.slice(0, POSTS_AT_A_TIME).map(({ id, username, message, created_at }) => (
          { id: String(id), author: { username }, message, created_at }
        ));
        return { posts, nextCursor: rows.length > POSTS_AT_A_TIME ? posts.at(-1)?.id : undefined };
      },
    },
  });

  const router = Router();
  router.post('/posts', express.json(), async (req, res, next) => {
    const user = await vestibule.getSession(req, { unproven: true });
    const { json } = res;
    res.json = (body) => {
      if (res.statusCode === 201 && user && body.post.isApproved !== false) {
        const { forum, page, message } = req.body;
        const { author } = body.post;
        // The browser can alter the name of an unproven user.
        const username = author?.username ?? author?.name ?? (user.proven === false ? 'Guest' : user.username);
        insert.run(forum, new URL(page).href, user.user_id, username, message, new Date().toISOString(), req.get('Idempotency-Key') ?? '');
      }
      return json.call(res, body);
    };
    next();
  });
  router.use(vestibule.router);

  return {
    router,
    async [Symbol.asyncDispose]() {
      await vestibule.close();
      database.close();
    },
  };
}

/** @typedef {{ id: number, username: string, message: string, created_at: string }} Row */
