/** What readers see of the file of comments: pages in four orders, the conversation around a comment, numbers. */

import type { ConversationContext, HookTools, PostEntry } from '../config/types.ts';
import { ignoreUnavailableStore } from '../store/store.ts';
import type { CommentFile, CommentRow } from './comment-file.ts';

const CONVERSATIONS = 20;
const FIRST_REPLIES = 20;
const LATEST = 50;

/** Entries of one response, and JSON of their texts in bytes: less than a response may have, whatever readers write. */
const MAX_ENTRIES = 100;
const MAX_TEXT_BYTES = 640 * 1024;

/** How long the ranks of `top` stay as they are. Those of a list that was begun before the last change stay, too. */
const RANKS_MS = 10 * 60_000;

const SHOWN = "(state = 'published' OR below > 0)";

type Rank = 'rank_a' | 'rank_b';

interface Article {
  readonly n: number;
  readonly shown: number;
  readonly rank: Rank;
  readonly ranked_at: number;
}

interface Page {
  readonly posts: readonly PostEntry[];
  readonly nextCursor?: string | undefined;
}

export function createConversations({ file, articleOf, byId, byNumber }: CommentFile, now: () => number) {
  const prepare = (sql: string) => file.db.prepare(sql);
  const selectArticle = prepare('SELECT n, shown, rank, ranked_at FROM article WHERE n = ?');
  const after = prepare(`SELECT * FROM comment WHERE root = ? AND n > ? AND ${SHOWN} ORDER BY n LIMIT ?`);
  const before = prepare(`SELECT * FROM comment WHERE root = ? AND n < ? AND n > root AND ${SHOWN} ORDER BY n DESC LIMIT ?`);
  const latest = prepare(`SELECT * FROM comment WHERE article = ? AND state = 'published' AND (rev, n) < (?, ?) ORDER BY rev DESC, n DESC LIMIT ?`);
  const pageOf = (key: string, compare: string, direction: string) => prepare(`SELECT ${key} AS key, root FROM conversation
    WHERE article = ? AND shown > 0 AND (${key}, root) ${compare} (?, ?) ORDER BY ${key} ${direction}, root ${direction} LIMIT ${CONVERSATIONS + 1}`);
  const pages = {
    newest: pageOf('at', '<', 'DESC'), oldest: pageOf('at', '>', 'ASC'), rank_a: pageOf('rank_a', '<', 'DESC'), rank_b: pageOf('rank_b', '<', 'DESC'),
  };
  const setRanks = { rank_a: setRank('rank_a'), rank_b: setRank('rank_b') };
  const useRank = prepare('UPDATE article SET rank = ?, ranked_at = ? WHERE n = ?');

  function setRank(rank: Rank) {
    return prepare(`UPDATE conversation SET ${rank} = score WHERE article = ? AND shown > 0 AND ${rank} <> score`);
  }

  const findArticle = (n: number) => selectArticle.get(n) as unknown as Article;

  /** A page of an article. @param order `latest`: flat, the last published first @throws {StoreUnavailableError} */
  async function list(forum: string, page: string, order: string, cursor?: string): Promise<Page & { total: number }> {
    const n = file.read(() => articleOf(forum, page));
    if (n === undefined) return { posts: [], total: 0 };
    if (order === 'top' && cursor === undefined) await refreshRanks(n);
    return file.read(() => {
      const article = findArticle(n);
      return { ...order === 'latest' ? latestOf(n, cursor) : conversationsOf(article, order, cursor), total: article.shown };
    });
  }

  function conversationsOf({ n: article, rank }: Article, order: string, cursor?: string): Page {
    const [from = order === 'top' ? rank : order, key = order === 'oldest' ? -Infinity : Infinity, root = 0] = cursor?.split(' ') ?? [];
    const keys = pages[from as keyof typeof pages].all(article, ...keysOf(key, root));
    const found = keys as unknown as readonly { readonly key: number; readonly root: number }[];
    const take = createBudget();
    const rows: CommentRow[] = [];
    for (const [i, one] of found.entries()) {
      const first = byNumber(one.root);
      const own = [first, ...(first.below > 0 ? repliesOf(first.n) : [])];
      const fits = own.filter(take);
      // The first conversation has room: the rest of its replies comes with the conversation itself.
      if (i === CONVERSATIONS || (i > 0 && fits.length < own.length)) {
        const last = found[i - 1] as { key: number; root: number };
        return { posts: toEntries(rows), nextCursor: `${from} ${last.key} ${last.root}` };
      }
      rows.push(...fits);
    }
    return { posts: toEntries(rows) };
  }

  function repliesOf(root: number): CommentRow[] {
    return after.all(root, root, FIRST_REPLIES) as unknown as CommentRow[];
  }

  function latestOf(article: number, cursor?: string): Page {
    const [rev = Infinity, n = 0] = cursor?.split(' ') ?? [];
    const rows = latest.all(article, ...keysOf(rev, n), LATEST + 1) as unknown as (CommentRow & { rev: number })[];
    const take = createBudget();
    const fits = rows.slice(0, LATEST).filter(take);
    const last = fits.at(-1);
    return { posts: toEntries(fits), ...(last && fits.length < rows.length && { nextCursor: `${last.rev} ${last.n}` }) };
  }

  /** The conversation of a comment of the article: its root, replies around the comment or beside a cursor, the comment itself.
   *  `undefined`: there is no such comment that readers see. @throws {StoreUnavailableError} */
  function conversation({ forum, page, id, ...cursors }: Omit<ConversationContext, keyof HookTools>) {
    return file.read(() => {
      const row = byId(id);
      if (!row || row.article !== articleOf(forum, page) || !isShown(row)) return undefined;
      const { root } = row;
      const take = createBudget();
      const fixed = new Map([byNumber(root), row].map((one) => [one.n, one]));
      for (const one of fixed.values()) take(one);
      const [from, to] = [Number(cursors.before ?? row.n), Number(cursors.after ?? row.n)];
      const limit = MAX_ENTRIES - fixed.size;
      const half = cursors.before === undefined && cursors.after === undefined ? limit / 2 : limit;
      const earlier = cursors.after === undefined ? before.all(root, from, limit + 1) as unknown as CommentRow[] : [];
      const later = cursors.before === undefined ? after.all(root, to, limit + 1) as unknown as CommentRow[] : [];
      // Around a comment: half of the room for each side, or what the other one leaves.
      const room = (other: readonly CommentRow[]) => Math.floor(Math.max(half, limit - other.length));
      const [left, right] = [earlier.slice(0, room(later)).filter(take), later.slice(0, room(earlier)).filter(take)];
      const shown = new Map([...fixed.values(), ...left, ...right].map((one) => [one.n, one]));
      const [first, last] = [left.at(-1) ?? row, right.at(-1) ?? row];
      return {
        posts: toEntries([...shown.values()].sort((one, other) => one.n - other.n)),
        ...(left.length < earlier.length && { before: String(first.n) }),
        ...(right.length < later.length && { after: String(last.n) }),
      };
    });
  }

  /** Published comments of each article. @throws {StoreUnavailableError} */
  function counts(forum: string, addresses: readonly string[]): number[] {
    return file.read(() => addresses.map((page) => {
      const n = articleOf(forum, page);
      return n === undefined ? 0 : findArticle(n).shown;
    }));
  }

  /** Writes the likes of now as the other rank, where the one in use is old. A list that was begun keeps its own. */
  async function refreshRanks(n: number): Promise<void> {
    const isOld = () => Math.abs(now() - findArticle(n).ranked_at) > RANKS_MS;
    if (!file.read(isOld)) return;
    await file.write(() => {
      if (!isOld()) return;
      const next = findArticle(n).rank === 'rank_a' ? 'rank_b' : 'rank_a';
      setRanks[next].run(n);
      useRank.run(next, now(), n);
    }).catch(ignoreUnavailableStore);
  }

  /** As readers see them: only the place of a comment that is held or removed. Where the parent of a reply is not among the rows,
   *  it is quoted. */
  function toEntries(rows: readonly CommentRow[]): PostEntry[] {
    const known = new Map(rows.map((row) => [row.n, row]));
    return rows.map((row) => {
      const { n, root, parent, state, below } = row;
      const found = parent === null ? undefined : known.get(parent) ?? byNumber(parent);
      const place = { ...placeOf(row, found), ...(n === root && { reply_count: below }) };
      if (state !== 'published') return { ...place, author: { username: '' }, message: '', removed: true };
      const isQuoted = found?.state === 'published' && !known.has(found.n);
      return { ...place, ...textOf(row), ...(isQuoted && { in_reply_to: { username: found.name, message: found.text } }) };
    });
  }

  /** As its author sees it, also while it waits for approval. */
  function ownEntry(row: CommentRow): PostEntry {
    return { ...placeOf(row, row.parent === null ? undefined : byNumber(row.parent)), ...textOf(row), state: row.state === 'pending' ? 'pending' : 'published' };
  }

  return { list, conversation, counts, ownEntry };
}

function isShown({ state, below }: CommentRow): boolean {
  return state === 'published' || below > 0;
}

/** SQLite compares with a real number, too. */
function keysOf(key: string | number, n: string | number): [number, number] {
  return [Number(key), Number(n)];
}

/** @returns whether a row still has room in the response; it then counts */
function createBudget(): (row: CommentRow) => boolean {
  let [entries, bytes] = [0, 0];
  return ({ text }) => {
    entries += 1;
    bytes += Buffer.byteLength(JSON.stringify(text));
    return entries <= MAX_ENTRIES && bytes <= MAX_TEXT_BYTES;
  };
}

function placeOf({ id, at }: CommentRow, parent: CommentRow | undefined) {
  return { id, ...(parent && { parent_id: parent.id }), created_at: new Date(at).toISOString() };
}

function textOf({ user, name, text, edited_at, likes }: CommentRow) {
  return {
    author: { username: name, user_id: user }, message: text, likes,
    ...(edited_at !== null && { edited_at: new Date(edited_at).toISOString() }),
  };
}
