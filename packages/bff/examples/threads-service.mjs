/**
 * Threads of a service that has them: each post names its `thread` and, as a reply, its `parent`; the service lists the posts of
 * a thread and tells their number. The interface document has none of this. Replace the parameters, the paths and the field
 * names with those of your service: some take an id or `link:URL` as `thread`.
 *
 * `VESTIBULE_CONFIG=threads-service.mjs vestibule`
 */

import { defineConfig } from '@vestibule/bff';

const POSTS_AT_A_TIME = 20;

export default defineConfig({
  posts: {
    replies: true,

    // This service refuses a parent of another thread, and posts to a thread that is closed.
    prepare({ page, parent }) {
      if (page === undefined) return { ok: false, reason: 'Comments are possible below an article only.' };
      return { ok: true, params: { thread: page, parent } };
    },

    created({ post }) {
      const entry = toEntry(/** @type {ServicePost} */ (/** @type {unknown} */ (post)));
      return { ...entry, state: post['isApproved'] === false ? 'pending' : 'published' };
    },

    async list({ forum, page, order, cursor, service }) {
      const params = { forum, thread: page, limit: POSTS_AT_A_TIME, order: order === 'oldest' ? 'asc' : 'desc', ...(cursor && { cursor }) };
      const [thread, details] = await Promise.all([
        // `envelope`: this service puts its cursor beside `response`.
        service.request('GET', '/api/3.0/posts/list.json', params, { envelope: true }),
        detailsOf(service, forum, page),
      ]);
      const { response, cursor: after } = /** @type {ThreadPage} */ (thread);
      return {
        posts: response.filter(isPublic).map(toEntry),
        total: details.posts,
        closed: details.isClosed ? { en: 'Comments on this article are closed.', de: 'Die Kommentare zu diesem Artikel sind geschlossen.' } : undefined,
        nextCursor: after.hasNext ? after.next : undefined,
      };
    },

    async count({ forum, pages, service }) {
      const threads = await Promise.all(pages.map((page) => detailsOf(service, forum, page)));
      return threads.map(({ posts }) => posts);
    },
  },
});

/**
 * @param {import('@vestibule/bff').HookContext['service']} service
 * @param {string} forum
 * @param {string} page
 */
async function detailsOf(service, forum, page) {
  return /** @type {ThreadDetails} */ (await service.request('GET', '/api/3.0/threads/details.json', { forum, thread: page }));
}

/**
 * `message` is HTML where the service has `raw_message` too. A guest has a `name` only.
 * @param {ServicePost} post
 */
function toEntry({ id, parent, author, message, raw_message = message, createdAt }) {
  return {
    id: String(id),
    ...(parent != null && { parent_id: String(parent) }),
    author: { username: author.username ?? author.name ?? '' },
    message: raw_message,
    created_at: createdAt,
  };
}

/** @param {ServicePost} post */
function isPublic({ isApproved = true, isSpam = false, isDeleted = false }) {
  return isApproved && !isSpam && !isDeleted;
}

/**
 * @typedef {object} ServicePost
 * @property {string | number} id
 * @property {string | number | null} [parent]
 * @property {{ username?: string, name?: string }} author
 * @property {string} message
 * @property {string} [raw_message]
 * @property {string} createdAt UTC if it has no offset
 * @property {boolean} [isApproved] `false`: held for moderation
 * @property {boolean} [isSpam]
 * @property {boolean} [isDeleted]
 */
/** @typedef {{ response: ServicePost[], cursor: { hasNext: boolean, next: string } }} ThreadPage */
/** @typedef {{ posts: number, isClosed: boolean }} ThreadDetails */
