/**
 * Threads of a service that has them: each post names its `thread` and, as a reply, its `parent`; the service lists the posts of
 * a thread and tells their number. The interface document has none of this. Replace the parameters, the paths and the field
 * names with those of your service: some take an id or `link:URL` as `thread`.
 *
 * `VESTIBULE_CONFIG=threads-service.mjs vestibule`
 */

import { defineConfig, ProblemError } from '@vestibule/bff';

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
        posts: response.filter((post) => isPublic(post, response)).map(toEntry),
        total: details.posts,
        closed: details.isClosed ? { en: 'Comments on this article are closed.', de: 'Die Kommentare zu diesem Artikel sind geschlossen.' } : undefined,
        nextCursor: after.hasNext ? after.next : undefined,
      };
    },

    // The service checks whose comment it is, by the reader's access token.
    async edit({ id, message, service }) {
      return orGone(async () => {
        const post = await service.request('POST', '/api/3.0/posts/update.json', { post: id, message }, { asReader: true });
        return { ok: true, post: toEntry(/** @type {ServicePost} */ (post)) };
      });
    },

    async remove({ id, service }) {
      return orGone(async () => {
        await service.request('POST', '/api/3.0/posts/remove.json', { post: id }, { asReader: true });
        return { ok: true };
      });
    },

    async like({ id, liked, service }) {
      return orGone(async () => {
        const params = { post: id, vote: liked ? 1 : 0 };
        const { likes } = /** @type {{ likes: number }} */ (await service.request('POST', '/api/3.0/posts/vote.json', params, { asReader: true }));
        return { ok: true, likes };
      });
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
 * A refusal of the service as the hook's own: code 8 where the comment is gone, 12 where it is of somebody else.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T | { ok: false, gone: true } | { ok: false, reason: Record<string, string> }>}
 */
async function orGone(act) {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof ProblemError ? error.diagnosis['service_code'] : undefined;
    if (code === '8') return { ok: false, gone: true };
    if (code === '12') return { ok: false, reason: { en: 'This is not possible with this comment.', de: 'Das geht bei diesem Kommentar nicht.' } };
    throw error;
  }
}

/**
 * `message` is HTML where the service has `raw_message` too. A guest has a `name` only.
 * @param {ServicePost} post
 */
function toEntry({ id, parent, author, message, raw_message = message, createdAt, editedAt, likes, isDeleted }) {
  return {
    id: String(id),
    ...(parent != null && { parent_id: String(parent) }),
    // By `user_id` readers find their own comments; it is not sent.
    author: { username: author.username ?? author.name ?? '', user_id: author.user_id },
    message: raw_message,
    created_at: createdAt,
    edited_at: editedAt,
    likes,
    removed: isDeleted === true,
  };
}

/**
 * A removed comment is listed while it has replies.
 * @param {ServicePost} post
 * @param {ServicePost[]} all
 */
function isPublic({ id, isApproved = true, isSpam = false, isDeleted = false }, all) {
  return isApproved && !isSpam && (!isDeleted || all.some(({ parent }) => parent != null && String(parent) === String(id)));
}

/**
 * @typedef {object} ServicePost
 * @property {string | number} id
 * @property {string | number | null} [parent]
 * @property {{ username?: string, name?: string, user_id?: string | number }} author
 * @property {string} message
 * @property {string} [raw_message]
 * @property {string} createdAt UTC if it has no offset
 * @property {string} [editedAt]
 * @property {number} [likes]
 * @property {boolean} [isApproved] `false`: held for moderation
 * @property {boolean} [isSpam]
 * @property {boolean} [isDeleted]
 */
/** @typedef {{ response: ServicePost[], cursor: { hasNext: boolean, next: string } }} ThreadPage */
/** @typedef {{ posts: number, isClosed: boolean }} ThreadDetails */
