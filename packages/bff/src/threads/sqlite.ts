/** `VESTIBULE_THREADS=sqlite:PATH`: the hooks of posts on a file of comments. `prepare` and `created` of the configuration file
 *  run in addition. */

import type { Logger } from 'pino';
import * as z from 'zod';
import type { ActionContext, CreatedContext, PostHooks, PostSettings, PrepareContext, PrepareResult } from '../config/types.ts';
import { entryId, instant } from '../hooks/post-entry.ts';
import { nonEmptyText } from '../lib/input.ts';
import type { Clock } from '../lib/time.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { unavailableStore } from '../to-problem-error.ts';
import type { CommentFile, CommentRow } from './comment-file.ts';
import { createConversations } from './conversations.ts';
import { NO_ARTICLE, NO_PARENT, NOT_YOURS, prepareBeside, prepareOwn } from './prepare.ts';

const name = nonEmptyText(255).optional().catch(undefined);

/** What the service's record may have. Each member is taken where it is valid. */
const serviceRecord = z.object({
  id: entryId.optional().catch(undefined),
  author: z.object({ username: name, name }).catch({}),
  createdAt: instant.optional().catch(undefined),
  isApproved: z.boolean().optional().catch(undefined),
  isSpam: z.boolean().optional().catch(undefined),
});

/** A `createdAt` that is older counts: the comment was stored late. Otherwise our clock does, which the box compares. */
const LATE_MS = 5 * 60_000;

export interface SqliteThreadDeps {
  readonly own: PostSettings;
  readonly now: Clock;
  readonly log: Pick<Logger, 'error'>;
}

export function createSqliteThreads(comments: CommentFile, { own, now, log }: SqliteThreadDeps): PostSettings {
  const { byId, articleOf, read, write } = comments;
  const { list, conversation, counts, ownEntry } = createConversations(comments, now);

  const hooks = {
    async prepare(context: PrepareContext): Promise<PrepareResult> {
      const { page, parent: parentId, user, forum } = context;
      if (page === undefined) return { ok: false, reason: NO_ARTICLE };
      const parent = parentId === undefined ? undefined : read(() => find(forum, page, parentId));
      const isAnswerable = parent?.state === 'published' || (parent && isOwn(parent, user));
      if (parentId !== undefined && !isAnswerable) return { ok: false, reason: NO_PARENT };
      return prepareBeside(own, context, () => (parent?.is_of_service ? { parent: parent.id } : {}));
    },

    async created(context: CreatedContext) {
      const { post, user, forum, page = '', parent, message, key } = context;
      const { id, author, createdAt, isApproved, isSpam } = serviceRecord.parse(post);
      const isProven = user.proven !== false;
      const createdMs = Date.parse(createdAt ?? '');
      const row = await write(() => comments.add({
        id: id ?? `v-${key}`,
        isOfService: id !== undefined,
        forum, page, parent,
        at: createdMs < now() - LATE_MS ? createdMs : now(),
        isHeld: isApproved === false || isSpam === true,
        // Name and id of an unproven reader come from the browser: they may be another reader's.
        user: isProven ? user.user_id : null,
        name: author.username ?? author.name ?? (isProven ? user.username : 'Guest'),
        text: message,
      }));
      try {
        await own.created?.(context);
      } catch (err) {
        log.error({ err, hook: 'posts.created', setting: 'VESTIBULE_CONFIG' }, 'posts.created failed; the comment is there');
      }
      return row.state === 'removed' ? undefined : ownEntry(row);
    },

    list: ({ forum, page, order, cursor }) => list(forum, page, order, cursor),

    conversation: async (context) => conversation(context) ?? { posts: [] },

    count: async ({ forum, pages }) => counts(forum, pages),

    edit: (context) => ofOwn(context, async (row) => {
      const { message } = context;
      if (row.text === message) return { ok: true, post: ownEntry(row) };
      const parent = row.parent === null ? undefined : read(() => comments.byNumber(row.parent as number).id);
      const result = await prepareOwn(own, { ...context, parent, isEdit: true });
      if ((result as PrepareResult | undefined)?.ok !== true) return result as { readonly ok: false };
      return write(() => {
        const current = byId(row.id) as CommentRow;
        if (current.state === 'removed') return { ok: false, gone: true };
        comments.edit(current, message, now());
        return { ok: true, post: ownEntry(byId(row.id) as CommentRow) };
      });
    }),

    remove: (context) => ofOwn(context, async ({ id }) => {
      await write(() => { comments.hide(byId(id) as CommentRow, 'removed'); });
      return { ok: true };
    }),

    async like({ forum, page, id, liked, user }) {
      const row = read(() => find(forum, page, id));
      if (row?.state !== 'published') return { ok: false, gone: true };
      if (isOwn(row, user)) return { ok: false, reason: NOT_YOURS };
      return write(() => {
        const current = byId(id) as CommentRow;
        if (current.state !== 'published') return { ok: false, gone: true };
        comments.like(current, user.user_id, liked);
        return { ok: true, likes: byId(id)?.likes };
      });
    },
  } satisfies PostHooks;

  return { ...withProblems(hooks), orders: ['newest', 'oldest', 'top', 'latest'], replies: own.replies ?? true };

  /** The comment, unless it is of another article or removed. */
  function find(forum: string, page: string, id: string): CommentRow | undefined {
    const row = byId(id);
    return row && row.state !== 'removed' && row.article === articleOf(forum, page) ? row : undefined;
  }

  /** Runs `act` on the reader's own comment. The BFF lets no unproven reader act. */
  async function ofOwn<R>({ forum, page, id, user }: ActionContext, act: (row: CommentRow) => Promise<R>) {
    const row = read(() => find(forum, page, id));
    if (!row) return { ok: false, gone: true } as const;
    return isOwn(row, user) ? act(row) : { ok: false, reason: NOT_YOURS } as const;
  }
}

function isOwn(row: CommentRow, user: { readonly user_id: string; readonly proven?: false }): boolean {
  return user.proven !== false && row.user === user.user_id;
}

/** Hooks whose file is not available make the request one that can be repeated. */
function withProblems<H extends PostHooks>(hooks: H): H {
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, async (context: never) => {
    try {
      return await (hook as (context: never) => unknown)(context);
    } catch (error) {
      throw error instanceof StoreUnavailableError ? unavailableStore(error, 'VESTIBULE_THREADS') : error;
    }
  }])) as unknown as H;
}
