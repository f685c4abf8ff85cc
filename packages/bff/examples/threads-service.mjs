/**
 * Threads of a service that has them: each post names its `thread`, and the service lists the posts of one.
 * The interface document has neither. Replace the parameters, the path and the field names with those of your service.
 *
 * `VESTIBULE_CONFIG=threads-service.mjs vestibule`
 */

import { defineConfig } from '@vestibule/bff';

const POSTS_AT_A_TIME = 20;

export default defineConfig({
  posts: {
    prepare({ page }) {
      if (page === undefined) return { ok: false, reason: 'Comments are possible below an article only.' };
      return { ok: true, params: { thread: page } };
    },

    async list({ forum, page, cursor, service }) {
      const params = { forum, thread: page, limit: POSTS_AT_A_TIME, ...(cursor && { cursor }) };
      // `envelope`: this service puts its cursor beside `response`.
      const thread = await service.request('GET', '/api/3.0/posts/list.json', params, { envelope: true });
      const { response, cursor: after } = /** @type {ThreadPage} */ (thread);
      return {
        posts: response.map(({ id, author, message, createdAt }) => (
          { id, author: { username: author.username }, message, created_at: createdAt }
        )),
        nextCursor: after.hasNext ? after.next : undefined,
      };
    },
  },
});

/** @typedef {{ id: string, author: { username: string }, message: string, createdAt: string }} ServicePost */
/** @typedef {{ response: ServicePost[], cursor: { hasNext: boolean, next: string } }} ThreadPage */
