/** The comments that a thread shows, as the reader has left them: in branches, each comment where it was drawn before. */

import { idsOf } from '../writing/entry.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import { toBranches, type Branch } from './branches.ts';
import { fromEntry, fromListed, type Comment } from './comment-tree.ts';
import type { LinkController } from './links.ts';
import type { ReaderController } from './reader-controller.ts';
import type { ThreadController } from './thread-controller.ts';
import { NO_NEWS } from './thread-state.ts';

/** `<vestibule-thread>`, as far as the arrangement needs it. */
interface ArrangementHost {
  readonly entries: readonly ShownEntry[];
  /** Ids of comments that stand above the list. */
  readonly own: ReadonlySet<string>;
  /** Posts that the page has rendered itself and that stand in the place of the list, by their ids. */
  readonly rendered: ReadonlyMap<string, HTMLElement>;
  readonly account: string;
  readonly userKey: string | undefined;
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
    this.#unfolded.clear();
  }

  /** Each comment is there once: the page's own, else an entry, else that of the list. */
  update(): void {
    const { thread: { state, readAt }, reader: { actions } } = this.#sources;
    const { posts = [], roots = new Map<string, string>(), article, news = NO_NEWS } = state.name === 'listed' ? state : {};
    const { own, entries, userKey, account, rendered } = this.#host;
    const isRendered = ({ entry }: ShownEntry): boolean => idsOf(entry).some((id) => rendered.has(id));
    const comments = [
      ...entries.filter((shown) => !isRendered(shown)).map((shown) => fromEntry(shown, [...posts, ...news.posts], account)),
      ...posts.filter(({ id }) => !own.has(id)).map((post) => fromListed(post, userKey)),
    ];
    const isRead = (article?.readAt ?? 0) > 0;
    this.branches = toBranches(actions?.arrange(comments, isRead, readAt) ?? comments, roots);
  }

  isUnfolded(key: Comment['key']): boolean {
    return this.#unfolded.has(key);
  }

  /** Shows all replies to the comment. */
  unfold({ comment: { key } }: Branch): void {
    this.#unfolded.add(key);
  }

  /** Shows the replies among which the comment is; to be called before an update, too. */
  unfoldFor(key: Comment['key']): void {
    this.update();
    const branch = this.branches.find(({ replies }) => replies.some((reply) => reply.comment.key === key));
    if (branch) this.#unfolded.add(branch.comment.key);
  }
}
