/**
 * Threads of a service that has them: each post names its `thread`, and the service lists the posts of one.
 * The interface document has neither. Replace the parameters, the path and the field names with those of your service: some
 * take an id or `link:URL` as `thread`.
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
        // `message` is HTML where the service has `raw_message` too. A guest has a `name` only.
        posts: response.filter(isPublic).map(({ id, author, message, raw_message = message, createdAt }) => (
          { id: String(id), author: { username: author.username ?? author.name ?? '' }, message: raw_message, created_at: createdAt }
        )),
        nextCursor: after.hasNext ? after.next : undefined,
      };
    },
  },
});

/** @param {ServicePost} post */
function isPublic({ isApproved = true, isSpam = false, isDeleted = false }) {
  return isApproved && !isSpam && !isDeleted;
}

/**
 * @typedef {object} ServicePost
 * @property {string | number} id
 * @property {{ username?: string, name?: string }} author
 * @property {string} message
 * @property {string} [raw_message]
 * @property {string} createdAt UTC if it has no offset
 * @property {boolean} [isApproved] `false`: held for moderation
 * @property {boolean} [isSpam]
 * @property {boolean} [isDeleted]
 */
/** @typedef {{ response: ServicePost[], cursor: { hasNext: boolean, next: string } }} ThreadPage */
