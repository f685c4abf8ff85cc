/**
 * The file of `VESTIBULE_THREADS=sqlite:PATH`: its tables, and the rows of comments.
 *
 * A conversation is a comment of an article with everything below it. `shown` counts published comments, of an article and of a
 * conversation; `below` counts the published ones below a comment. Both change in the transaction that publishes a comment or
 * takes it away. A removed comment keeps its row, without name and text: its id is never stored again.
 */

import { articleKey } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { sqlitePathOf } from '../config/thread-rules.ts';
import { openSqliteFile, type SqliteFile, type SqliteSchema } from '../store/sqlite-file.ts';

export const COMMENT_SCHEMA: SqliteSchema = {
  applicationId: Buffer.from('VesC').readInt32BE(),
  migrations: [`
    CREATE TABLE article (
      n INTEGER PRIMARY KEY, site TEXT NOT NULL, forum TEXT NOT NULL, key TEXT NOT NULL,
      shown INTEGER NOT NULL DEFAULT 0, rev INTEGER NOT NULL DEFAULT 0,
      rank TEXT NOT NULL DEFAULT 'rank_a', ranked_at INTEGER NOT NULL DEFAULT 0, UNIQUE (site, forum, key)
    ) STRICT;
    CREATE TABLE conversation (
      root INTEGER PRIMARY KEY, article INTEGER NOT NULL, at INTEGER NOT NULL, shown INTEGER NOT NULL DEFAULT 0,
      score INTEGER NOT NULL DEFAULT 0, rank_a INTEGER NOT NULL DEFAULT 0, rank_b INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX conversation_by_time ON conversation (article, at, root) WHERE shown > 0;
    CREATE INDEX conversation_by_rank_a ON conversation (article, rank_a, root) WHERE shown > 0;
    CREATE INDEX conversation_by_rank_b ON conversation (article, rank_b, root) WHERE shown > 0;
    CREATE TABLE comment (
      n INTEGER PRIMARY KEY, site TEXT NOT NULL, id TEXT NOT NULL, is_of_service INTEGER NOT NULL, article INTEGER NOT NULL,
      root INTEGER NOT NULL, parent INTEGER, at INTEGER NOT NULL, state TEXT NOT NULL, hold TEXT, rev INTEGER NOT NULL DEFAULT 0,
      below INTEGER NOT NULL DEFAULT 0, likes INTEGER NOT NULL DEFAULT 0, edited_at INTEGER, asked_at INTEGER NOT NULL DEFAULT 0,
      user TEXT, name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (site, id)
    ) STRICT;
    CREATE INDEX comment_of_conversation ON comment (root, n) WHERE state = 'published' OR below > 0;
    CREATE INDEX comment_by_publication ON comment (article, rev) WHERE state = 'published';
    CREATE INDEX comment_held ON comment (site, n) WHERE state = 'pending';
    CREATE INDEX comment_of_user ON comment (site, user) WHERE user IS NOT NULL;
    CREATE INDEX comment_by_time ON comment (site, at) WHERE is_of_service;
    CREATE TABLE liked (comment INTEGER NOT NULL, user TEXT NOT NULL, PRIMARY KEY (user, comment)) STRICT, WITHOUT ROWID;
    CREATE INDEX liked_comment ON liked (comment);
    CREATE TABLE due (site TEXT NOT NULL, task TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (site, task)) STRICT, WITHOUT ROWID`],
};

export type CommentState = 'published' | 'pending' | 'removed';

/** A comment as the file has it; instants in ms since the epoch. */
export interface CommentRow {
  readonly n: number;
  readonly id: string;
  readonly is_of_service: 0 | 1;
  readonly article: number;
  /** `n` of the comment that begins the conversation. */
  readonly root: number;
  /** `n` of the comment that this one replies to. */
  readonly parent: number | null;
  readonly at: number;
  readonly state: CommentState;
  /** Why it waits or has waited for approval; an edit of such a comment waits again. By an edit, it waits whatever the service
   *  says of the earlier text; approved by a moderator of ours, the service does not hold it again. */
  readonly hold: 'service' | 'edit' | 'approved' | null;
  readonly below: number;
  readonly likes: number;
  readonly edited_at: number | null;
  /** `null`: of a reader who is not proven. */
  readonly user: string | null;
  readonly name: string;
  readonly text: string;
}

export interface NewComment {
  readonly id: string;
  readonly isOfService: boolean;
  readonly forum: string;
  readonly page: string;
  /** Id of a comment of the article. One that is not there makes no reply. */
  readonly parent: string | undefined;
  readonly at: number;
  readonly isHeld: boolean;
  readonly user: string | null;
  readonly name: string;
  readonly text: string;
}

export type CommentFile = Awaited<ReturnType<typeof openCommentFile>>;

/** One site's comments in the file at `path`. What writes runs inside `write` only. @throws {Error} for the operator */
export async function openCommentFile(path: string, site: string) {
  const file = await openSqliteFile(path, COMMENT_SCHEMA, 'The file of comments');
  return { ...createRows(file, site), file, site, [Symbol.dispose]: () => { file[Symbol.dispose](); } };
}

/** Opens the file of comments of each site; `undefined` where a site has none. @throws {Error} for the operator */
export async function openCommentFiles(configs: readonly Config[]): Promise<readonly (CommentFile | undefined)[]> {
  using opened = new DisposableStack();
  const files: (CommentFile | undefined)[] = [];
  for (const { threads, siteKey } of configs) {
    const path = sqlitePathOf(threads);
    files.push(path === undefined ? undefined : opened.use(await openCommentFile(path, siteKey)));
  }
  opened.move();
  return files;
}

function createRows(file: SqliteFile, site: string) {
  const prepare = (sql: string) => file.db.prepare(sql);
  const selectArticle = prepare('SELECT n FROM article WHERE site = ? AND forum = ? AND key = ?');
  const insertArticle = prepare('INSERT INTO article (site, forum, key) VALUES (?, ?, ?) RETURNING n');
  const selectById = prepare('SELECT * FROM comment WHERE site = ? AND id = ?');
  const selectByNumber = prepare('SELECT * FROM comment WHERE n = ?');
  const selectPlace = prepare('SELECT parent FROM comment WHERE n = ?');
  const insertComment = prepare(`INSERT INTO comment (site, id, is_of_service, article, root, parent, at, state, hold, user, name, text)
    VALUES (:site, :id, :isOfService, :article, :root, :parent, :at, 'pending', :hold, :user, :name, :text) RETURNING *`);
  const setRoot = prepare('UPDATE comment SET root = n WHERE n = ?');
  const insertConversation = prepare('INSERT INTO conversation (root, article, at) VALUES (?, ?, ?)');
  const addToArticle = prepare('UPDATE article SET shown = shown + ? WHERE n = ?');
  const addToConversation = prepare('UPDATE conversation SET shown = shown + ? WHERE root = ?');
  const addBelow = prepare('UPDATE comment SET below = below + ? WHERE n = ?');
  const nextRev = prepare('UPDATE article SET rev = rev + 1 WHERE n = ? RETURNING rev');
  const setState = prepare('UPDATE comment SET state = :state, rev = coalesce(:rev, rev) WHERE n = :n');
  const setHold = prepare('UPDATE comment SET hold = ? WHERE n = ?');
  const setText = prepare('UPDATE comment SET text = ?, edited_at = ? WHERE n = ?');
  const empty = prepare("UPDATE comment SET user = NULL, name = '', text = '', likes = 0, edited_at = NULL WHERE n = ?");
  const deleteLikes = prepare('DELETE FROM liked WHERE comment = ?');
  const insertLike = prepare('INSERT OR IGNORE INTO liked (comment, user) VALUES (?, ?)');
  const deleteLike = prepare('DELETE FROM liked WHERE comment = ? AND user = ?');
  const addLikes = prepare('UPDATE comment SET likes = likes + ? WHERE n = ?');
  const addScore = prepare('UPDATE conversation SET score = score + ? WHERE root = ?');

  const byId = (id: string) => selectById.get(site, id) as CommentRow | undefined;
  const byNumber = (n: number) => selectByNumber.get(n) as unknown as CommentRow;

  /** `n` of the article, or `undefined`. */
  function articleOf(forum: string, page: string): number | undefined {
    return selectArticle.get(site, forum, articleKey(page))?.['n'] as number | undefined;
  }

  /** Stores a comment unless its id is there, removed or not. @returns the row that is there now */
  function add(comment: NewComment): CommentRow {
    const known = byId(comment.id);
    if (known) return known;
    const row = insert(comment);
    if (!comment.isHeld) publish([row]);
    return byId(comment.id) as CommentRow;
  }

  /** Stores a comment whose id is not there, not published yet. */
  function insert({ forum, page, parent: parentId, isHeld, isOfService, ...comment }: NewComment): CommentRow {
    const article = articleOf(forum, page) ?? insertArticle.get(site, forum, articleKey(page))?.['n'] as number;
    const found = parentId === undefined ? undefined : byId(parentId);
    const parent = found?.article === article ? found : undefined;
    const row = insertComment.get({
      ...comment, site, article, isOfService: Number(isOfService), hold: isHeld ? 'service' : null,
      root: parent?.root ?? 0, parent: parent?.n ?? null,
    }) as unknown as CommentRow;
    if (parent) return row;
    setRoot.run(row.n);
    insertConversation.run(row.n, article, row.at);
    return { ...row, root: row.n };
  }

  /** Publishes comments that are not. */
  function publish(rows: readonly CommentRow[]): void {
    for (const { n, article } of rows) setState.run({ n, state: 'published', rev: nextRev.get(article)?.['rev'] as number });
    count(rows, 1);
  }

  /** Holds or removes a comment. */
  function hide(row: CommentRow, state: 'pending' | 'removed'): void {
    if (row.state === 'published') count([row], -1);
    setState.run({ n: row.n, state, rev: null });
    if (state === 'pending') return;
    deleteLikes.run(row.n);
    addScore.run(-row.likes, row.n);
    empty.run(row.n);
  }

  /** @param by 1: the comments are published from now on; -1: no longer */
  function count(rows: readonly CommentRow[], by: 1 | -1): void {
    const articles = new Map<number, number>();
    const conversations = new Map<number, number>();
    const ancestors = new Map<number, number>();
    const add = (counts: Map<number, number>, n: number) => { counts.set(n, (counts.get(n) ?? 0) + by); };
    const parents = new Map<number, number | null>(rows.map(({ n, parent }) => [n, parent]));
    const parentOf = (n: number): number | null => {
      const known = parents.get(n);
      if (known !== undefined) return known;
      const found = selectPlace.get(n)?.['parent'] as number | null;
      parents.set(n, found);
      return found;
    };
    for (const { article, root, parent } of rows) {
      add(articles, article);
      add(conversations, root);
      for (let one = parent; one !== null; one = parentOf(one)) add(ancestors, one);
    }
    for (const [n, change] of articles) addToArticle.run(change, n);
    for (const [root, change] of conversations) addToConversation.run(change, root);
    for (const [n, change] of ancestors) addBelow.run(change, n);
  }

  /** Changes the text; one that was ever held waits for approval again. */
  function edit(row: CommentRow, text: string, at: number): void {
    setText.run(text, at, row.n);
    if (row.hold === null) return;
    hide(row, 'pending');
    setHold.run('edit', row.n);
  }

  /** Publishes a comment that waits, or holds one, at the word of the service. */
  function followService(row: CommentRow, state: CommentState): void {
    if (row.state === 'removed' || row.state === state) return;
    if (state === 'removed') return hide(row, 'removed');
    if (row.hold === (state === 'published' ? 'edit' : 'approved')) return;
    if (state === 'published') return publish([row]);
    hide(row, 'pending');
    setHold.run('service', row.n);
  }

  /** @returns whether it waited for approval */
  function approve(row: CommentRow): boolean {
    if (row.state !== 'pending') return false;
    publish([row]);
    setHold.run('approved', row.n);
    return true;
  }

  function like(row: CommentRow, user: string, liked: boolean): void {
    const changes = Number((liked ? insertLike : deleteLike).run(row.n, user).changes) * (liked ? 1 : -1);
    addLikes.run(changes, row.n);
    addScore.run(changes, row.n);
  }

  return {
    byId, byNumber, articleOf, add, insert, publish, hide, edit, followService, approve, like,
    read: <T>(query: () => T): T => file.read(query),
    write: <T>(work: () => T): Promise<T> => file.write(work),
  };
}
