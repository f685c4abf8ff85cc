/** What the publisher does with the comments of one site's thread: the commands `comments` and `readers`, and the library. */

import { articleKey } from '@vestibule/shared';
import type { CommentFile, CommentRow } from './comment-file.ts';

/** A comment of the thread. */
export interface StoredComment {
  readonly id: string;
  readonly state: 'published' | 'pending';
  readonly forum: string;
  /** Address of the article, in the spelling of its key. */
  readonly page: string;
  readonly parent_id?: string;
  /** Without `user_id`: of a reader who was not proven, or imported. */
  readonly author: { readonly username: string; readonly user_id?: string };
  readonly message: string;
  /** ISO 8601, UTC, as all instants. */
  readonly created_at: string;
  readonly edited_at?: string;
  readonly likes: number;
}

/** The comments of the thread, with `threads`. Each method @throws {StoreUnavailableError} */
export interface CommentAccess {
  /** The newest first, without removed ones. @param options `held`: those that wait for approval only */
  list(options?: { readonly held?: boolean | undefined }): AsyncIterable<StoredComment>;
  /** Publishes a comment that waits. @returns whether it did */
  approve(id: string): Promise<boolean>;
  /** Removes a comment; its replies stay. The service's copy stays, too. @returns whether it was there */
  remove(id: string): Promise<boolean>;
}

export type Moderation = ReturnType<typeof createModeration>;

const PAGE_ROWS = 500;

interface ArticleRow {
  readonly n: number;
  readonly forum: string;
  readonly shown: number;
  readonly rev: number;
}

type ListedRow = CommentRow & { readonly forum: string; readonly key: string; readonly parent_id: string | null };

export function createModeration(comments: CommentFile) {
  const { file, site, byId, read, write } = comments;
  const prepare = (sql: string) => file.db.prepare(sql);
  // In the order of the rowid: an index of the site would be sorted for each page.
  const select = (condition: string) => prepare(`SELECT comment.*, forum, key, parent.id AS parent_id FROM comment
    JOIN article ON article.n = comment.article LEFT JOIN comment AS parent ON parent.n = comment.parent
    WHERE comment.n < :before AND ${condition} ORDER BY comment.n DESC LIMIT ${PAGE_ROWS}`);
  const selectAll = select("+comment.site = :site AND comment.state <> 'removed'");
  const selectHeld = select("comment.site = :site AND comment.state = 'pending'");
  const selectOfUser = select('comment.site = :site AND comment.user = :user');
  const selectEvery = prepare('SELECT * FROM comment WHERE site = ? AND user = ?');
  const selectLiked = prepare('SELECT comment.* FROM liked JOIN comment ON comment.n = liked.comment WHERE liked.user = ? AND site = ?');
  const selectArticles = prepare('SELECT n, forum, shown, rev FROM article WHERE site = ? AND key = ?');
  const setKey = prepare('UPDATE article SET key = ? WHERE n = ?');
  const moveComments = prepare('UPDATE comment SET article = :to, rev = rev + :rev WHERE article = :from');
  const moveConversations = prepare('UPDATE conversation SET article = :to WHERE article = :from');
  const addArticle = prepare('UPDATE article SET shown = shown + :shown, rev = rev + :rev WHERE n = :to');
  const deleteArticle = prepare('DELETE FROM article WHERE n = ?');

  const countStates = prepare('SELECT state, count(*) AS count FROM comment WHERE site = ? GROUP BY state');
  const setDue = prepare("INSERT INTO due (site, task, at) VALUES (?, 'check', 0) ON CONFLICT DO UPDATE SET at = at + 1");

  return { list, approve, remove, move, exportUser, deleteUser, tryOut } satisfies CommentAccess & Record<string, unknown>;

  function list({ held = false }: { readonly held?: boolean | undefined } = {}): AsyncGenerator<StoredComment> {
    return all(held ? selectHeld : selectAll);
  }

  async function* all(statement: typeof selectAll, user: string | null = null): AsyncGenerator<StoredComment> {
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const rows = read(() => statement.all({ site, before, user })) as unknown as readonly ListedRow[];
      yield* rows.map(toStored);
      const last = rows.at(-1);
      if (!last) return;
      before = last.n;
    }
  }

  function approve(id: string): Promise<boolean> {
    return write(() => {
      const row = byId(id);
      return row !== undefined && comments.approve(row);
    });
  }

  function remove(id: string): Promise<boolean> {
    return write(() => {
      const row = byId(id);
      if (!row || row.state === 'removed') return false;
      comments.hide(row, 'removed');
      return true;
    });
  }

  /** Moves the comments of an article to another address, where they join those that are there.
   *  @returns published ones; `undefined`: the article has none at all */
  function move(from: string, to: string): Promise<number | undefined> {
    const [oldKey, newKey] = [articleKey(from), articleKey(to)];
    return write(() => {
      const articles = (key: string) => selectArticles.all(site, key) as unknown as readonly ArticleRow[];
      const [sources, targets] = [oldKey === newKey ? [] : articles(oldKey), articles(newKey)];
      let moved = 0;
      for (const { n, forum, shown, rev } of sources) {
        const target = targets.find((one) => one.forum === forum);
        moved += shown;
        if (!target) {
          setKey.run(newKey, n);
          continue;
        }
        moveComments.run({ from: n, to: target.n, rev: target.rev });
        moveConversations.run({ from: n, to: target.n });
        addArticle.run({ to: target.n, shown, rev });
        deleteArticle.run(n);
      }
      return sources.length === 0 ? undefined : moved;
    });
  }

  /** Writes, and counts. */
  function tryOut(): Promise<{ readonly published: number; readonly held: number }> {
    return write(() => {
      setDue.run(site);
      const counts = new Map(countStates.all(site).map(({ state, count }) => [state, Number(count)]));
      return { published: counts.get('published') ?? 0, held: counts.get('pending') ?? 0 };
    });
  }

  /** The comments of a proven reader, and the ids of those that the reader likes. */
  async function exportUser(userId: string) {
    const likes = read(() => selectLiked.all(userId, site)).map(({ id }) => String(id));
    const own: StoredComment[] = [];
    for await (const comment of all(selectOfUser, userId)) own.push(comment);
    return { comments: own, likes };
  }

  /** Removes the comments and the likes of a reader. @returns how many */
  function deleteUser(userId: string) {
    return write(() => {
      const liked = selectLiked.all(userId, site) as unknown as readonly CommentRow[];
      for (const row of liked) comments.like(row, userId, false);
      const own = selectEvery.all(site, userId) as unknown as readonly CommentRow[];
      for (const row of own) comments.hide(row, 'removed');
      return { comments: own.length, likes: liked.length };
    });
  }
}

function toStored({ id, state, forum, key, parent_id, user, name, text, at, edited_at, likes }: ListedRow): StoredComment {
  return {
    id, state: state === 'pending' ? 'pending' : 'published', forum, page: key,
    ...(parent_id !== null && { parent_id }),
    author: { username: name, ...(user !== null && { user_id: user }) },
    message: text,
    created_at: new Date(at).toISOString(),
    ...(edited_at !== null && { edited_at: new Date(edited_at).toISOString() }),
    likes,
  };
}
