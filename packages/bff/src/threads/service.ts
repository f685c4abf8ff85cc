/** `VESTIBULE_THREADS=service`: the hooks of posts on the thread endpoints that the service publishes, which are not in the
 *  interface document. Hooks of the configuration file take the place of these. */

import type { ActionRefusal, PostEntry, PostHooks, PostSettings, PrepareContext, PrepareResult, SignedRequests } from '../config/types.ts';
import { ProblemError } from '../problem.ts';

const POSTS_AT_A_TIME = 50;
const MAX_DEPTH = 10;

const NO_ARTICLE = { en: 'Comments are possible below an article only.', de: 'Kommentare sind nur unter einem Artikel möglich.' };

/** Of `edit`, `remove` and `like`. */
const NOT_YOURS = { en: 'This is not possible with this comment.', de: 'Das geht bei diesem Kommentar nicht.' };

const CLOSED = { en: 'Comments on this article are closed.', de: 'Die Kommentare zu diesem Artikel sind geschlossen.' };

/** Codes of the service: it does not have what is named; it is somebody else's. */
const NOT_FOUND = '8';
const INVALID_ARGUMENT = '2';
const NOT_PERMITTED = ['12', '17', '22'];

/** As the service publishes it. What another service lacks, or writes otherwise, costs the entry only. */
interface ServicePost {
  readonly id: string | number;
  readonly parent?: string | number | null;
  readonly thread?: string | number;
  readonly author?: { readonly id?: string | number; readonly username?: string; readonly name?: string };
  readonly message: string;
  /** The text, where `message` is HTML. */
  readonly raw_message?: string;
  /** UTC without an offset. */
  readonly createdAt: string;
  readonly likes?: number;
  readonly isApproved?: boolean;
  readonly isSpam?: boolean;
  readonly isDeleted?: boolean;
  readonly isHighlighted?: boolean;
}

interface ThreadPage {
  readonly response: readonly ServicePost[];
  readonly cursor?: { readonly hasNext: boolean; readonly next: string };
}

interface ThreadDetails {
  readonly id: string | number;
  readonly posts?: number;
  readonly isClosed?: boolean;
}

/** @param own hooks of the configuration file */
export function createServiceThreads(own: PostSettings): PostSettings {
  const hooks: PostHooks = {
    created({ post, parent, message }) {
      if (post['id'] === undefined) return undefined;
      const created = { createdAt: new Date().toISOString(), parent, ...post, raw_message: message } as unknown as ServicePost;
      return { ...toEntry(created), state: isPublic(created) ? 'published' : 'pending' };
    },

    async list({ forum, page: address, order, cursor, service }) {
      const params = { ...threadOf(forum, address), limit: POSTS_AT_A_TIME, order: order === 'oldest' ? 'asc' : 'desc', cursor };
      try {
        const [listed, thread] = await Promise.all([
          // The service puts its cursor beside `response`.
          service.request('GET', '/api/3.0/threads/listPosts.json', params, { envelope: true }),
          threadDetails(service, forum, address),
        ]);
        const { response, cursor: next } = listed as ThreadPage;
        return {
          posts: response.filter(isPublic).map(toEntry),
          total: thread.posts,
          closed: thread.isClosed ? CLOSED : undefined,
          nextCursor: next?.hasNext ? next.next : undefined,
        };
      } catch (error) {
        // The service makes the thread with its first comment.
        if (isMissing(error)) return { posts: [], total: 0 };
        throw hasNoEndpoint(error) ? withoutEndpoints(error) : error;
      }
    },

    /** The comment and its parents: nothing of the service has the replies of one comment. */
    async conversation({ id, forum, page: address, service }) {
      try {
        const [context, thread] = await Promise.all([
          service.request('GET', '/api/3.0/posts/getContext.json', { post: id, depth: MAX_DEPTH }), threadDetails(service, forum, address),
        ]);
        const posts = (context as readonly ServicePost[]).filter((post) => String(post.thread) === String(thread.id));
        const isShown = posts.some((post) => String(post.id) === id && isPublic(post));
        return { posts: isShown ? posts.map((post) => ({ ...toEntry(post), removed: !isPublic(post) })) : [] };
      } catch (error) {
        if (isMissing(error)) return { posts: [] };
        throw error;
      }
    },

    count: ({ forum, pages, service }) => Promise.all(pages.map(async (address) => {
      const { posts = null } = await threadDetails(service, forum, address)
        .catch((error: unknown) => ({ posts: isMissing(error) ? 0 : null }));
      return posts;
    })),

    // The service checks whose comment it is, by the reader's access token.
    edit: ({ id, message, service }) => orRefusal(async () => {
      const post = await service.request('POST', '/api/3.0/posts/update.json', { post: id, message }, { asReader: true });
      return { ok: true, post: toEntry(post as ServicePost) };
    }),

    remove: ({ id, service }) => orRefusal(async () => {
      await service.request('POST', '/api/3.0/posts/remove.json', { post: id }, { asReader: true });
      return { ok: true };
    }),

    like: ({ id, liked, service }) => orRefusal(async () => {
      const result = await service.request('POST', '/api/3.0/posts/vote.json', { post: id, vote: liked ? 1 : 0 }, { asReader: true });
      return { ok: true, likes: (result as { readonly post?: { readonly likes?: number } }).post?.likes };
    }),
  };
  const ofFile = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as PostSettings;
  return { ...hooks, ...ofFile, prepare, replies: own.replies ?? true };

  /** Names thread and parent; parameters of the file's hook win. */
  async function prepare(context: PrepareContext): Promise<PrepareResult> {
    const { page, parent } = context;
    if (page === undefined) return { ok: false, reason: NO_ARTICLE };
    const result: PrepareResult | undefined = own.prepare ? await own.prepare(context) : { ok: true };
    // The caller checks the shape of what the file's hook returns.
    if (result?.ok !== true) return result;
    const { params = {} } = result;
    const namesThread = Object.keys(params).some((name) => /^thread(?::|$)/.test(name));
    return { ok: true, params: { ...(!namesThread && { 'thread:link': page }), parent, ...params } };
  }
}

/** `id`, number of comments and whether the thread of an article takes more. @throws {ProblemError} */
async function threadDetails(service: Pick<SignedRequests, 'request'>, forum: string, address: string) {
  return await service.request('GET', '/api/3.0/threads/details.json', threadOf(forum, address)) as ThreadDetails;
}

/** Whether the service said that it does not have what was named. Some say so with the code of a wrong argument. */
function isMissing(error: unknown): boolean {
  return codeOf(error) === NOT_FOUND || (codeOf(error) === INVALID_ARGUMENT && /unable to find/i.test((error as ProblemError).detail));
}

/** Whether the service has nothing at the address of a call, and did not say so in an envelope. */
function hasNoEndpoint(error: unknown): error is ProblemError {
  return error instanceof ProblemError && codeOf(error) === undefined && ['404', '405', '410'].includes(error.diagnosis['service_status'] ?? '');
}

function withoutEndpoints({ diagnosis }: ProblemError): ProblemError {
  return new ProblemError('service-refused', {
    detail: 'The comment service does not list comments.',
    diagnosis: { ...diagnosis, reason: 'the service has no thread endpoints', setting: 'VESTIBULE_THREADS' },
  });
}

function threadOf(forum: string, address: string) {
  return { forum, 'thread:link': address };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ProblemError ? error.diagnosis['service_code'] : undefined;
}

async function orRefusal<T>(act: () => Promise<T>): Promise<T | ActionRefusal> {
  try {
    return await act();
  } catch (error) {
    if (isMissing(error)) return { ok: false, gone: true };
    if (NOT_PERMITTED.includes(codeOf(error) ?? '')) return { ok: false, reason: NOT_YOURS };
    throw error;
  }
}

function isPublic({ isApproved, isSpam, isDeleted }: ServicePost): boolean {
  return isApproved !== false && !isSpam && !isDeleted;
}

/** A guest has a `name` only. */
function toEntry({ id, parent, author, message, raw_message, createdAt, likes, isHighlighted }: ServicePost): PostEntry {
  return {
    id, parent_id: parent,
    author: { username: author?.username ?? author?.name ?? '', user_id: author?.id },
    message: raw_message ?? message,
    created_at: createdAt,
    likes,
    pick: isHighlighted,
  };
}
