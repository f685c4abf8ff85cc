/** The comments that a thread shows, as the reader has left them: in branches, each comment where it was drawn before. */

import { idsOf, type ShownEntry } from '../outbox/press.ts';
import { toBranches, type Branch, type Places } from './branches.ts';
import { fromEntry, fromListed, idsOfEntries, type Comment } from './comment-tree.ts';
import { FOLD_AFTER } from './drawing.ts';
import { keepPlaces } from './kept-places.ts';
import type { LinkController } from './links.ts';
import type { ReaderController } from './reader-controller.ts';
import type { ThreadController } from './thread-controller.ts';
import { NO_NEWS } from './thread-state.ts';

/** `<vestibule-thread>`, as far as the arrangement needs it. */
interface ArrangementHost {
  readonly entries: readonly ShownEntry[];
  /** Ids of comments that stand above the list. */
  readonly own: ReadonlySet<string>;
  readonly account: string;
  readonly userKey: string | undefined;
  /** Id of the comment that the reader replies to. */
  readonly replyingTo: string | undefined;
}

interface Sources {
  readonly thread: ThreadController;
  readonly links: LinkController;
  readonly reader: ReaderController;
}

export class Arrangement {
  branches: readonly Branch[] = [];
  readonly #host: ArrangementHost;
  readonly #sources: Sources;
  #arranged: readonly Comment[] = [];
  #places: Places = new Map();
  /** Of the list: another one has places of its own. */
  #load: object | undefined;
  /** Comments of which all replies are shown, by their keys. */
  readonly #unfolded = new Set<Comment['key']>();

  constructor(host: ArrangementHost, sources: Sources) {
    this.#host = host;
    this.#sources = sources;
  }

  /** Each comment, before its replies. */
  get comments(): Comment[] {
    return this.branches.flatMap(({ comment, replies }) => [comment, ...replies.map((reply) => reply.comment)]);
  }

  /** Another article is shown. */
  reset(): void {
    this.#arranged = [];
    this.#unfolded.clear();
  }

  /** Each comment is there once: the page's own, else an entry, else that of the linked conversation, else that of the list. */
  update(): void {
    const { thread: { state, rendered, readAt }, links, reader: { actions } } = this.#sources;
    const { first = [], posts = [], article, load, news = NO_NEWS } = state.name === 'listed' ? state : {};
    if (load !== this.#load) this.#places = new Map();
    this.#load = load;
    const { own, entries, userKey, account, replyingTo } = this.#host;
    const listed = [...first, ...posts];
    const ids = idsOfEntries(entries);
    const isShown = new Set(this.#arranged.map(({ key }) => key));
    const isRendered = ({ entry }: ShownEntry): boolean => rendered.some(({ id }) => idsOf(entry).includes(id));
    const comments = [
      ...entries.filter((shown) => !isRendered(shown)).map((shown) => fromEntry(shown, [...listed, ...news.posts], account)),
      ...(links.linked?.posts ?? []).filter(({ id }) => !ids.has(id)).map((post) => fromListed(post, userKey)),
      // An edit that waited for approval has been shown without the list.
      ...[...news.posts.filter(({ id }) => isShown.has(id)), ...listed].filter(({ id }) => !own.has(id))
        .map((post) => fromListed(post, userKey)),
    ];
    const isRead = (article?.readAt ?? 0) > 0;
    this.#arranged = keepPlaces(actions?.arrange(comments, isRead, readAt) ?? comments, this.#arranged, {
      isUsed: (key) => key === replyingTo || actions?.isEditing(key) === true,
      isDeleted: (key) => actions?.isDeleted(key) === true,
    });
    // What moves into the linked conversation gets a new place.
    const before = new Map([...this.#places].filter(([node]) => !links.ids.has(String(node))));
    const { branches, places } = toBranches(this.#arranged, before);
    this.branches = branches;
    this.#places = places;
  }

  isUnfolded(key: Comment['key']): boolean {
    return this.#unfolded.has(key);
  }

  /** Shows all replies to the comment that are loaded. Returns whether they are shown already. */
  unfold({ comment: { key }, replies }: Branch): boolean {
    const isWhole = this.#unfolded.has(key) || replies.length <= FOLD_AFTER;
    this.#unfolded.add(key);
    return isWhole;
  }

  /** Shows the replies among which the comment is; to be called before an update, too. */
  unfoldFor(key: Comment['key']): void {
    this.update();
    const branch = this.branches.find(({ replies }) => replies.some((reply) => reply.comment.key === key));
    if (branch) this.#unfolded.add(branch.comment.key);
  }

  /** How many replies to a comment of the list are not loaded. Those that wait as news are. */
  countMissing({ comment: { key, replyCount = 0 }, replies }: Branch): number {
    const { thread: { state }, links } = this.#sources;
    const isOffered = state.name === 'listed' && state.article.conversation && !links.ids.has(String(key));
    if (!isOffered || !links.hasRest(String(key))) return 0;
    const keys = new Set<unknown>([key, ...replies.map(({ comment }) => comment.key)]);
    const waiting = state.news.posts.filter(({ parent_id }) => keys.has(parent_id));
    return Math.max(0, replyCount - waiting.length - replies.filter(({ comment }) => !comment.isRemoved).length);
  }
}
