/**
 * Follows a link to a comment. It is looked for among those that are shown; then the BFF is asked for its conversation, which
 * stands above the list. A BFF without conversations is asked for more lists.
 */

import type { PostConversation } from '@vestibule/shared';
import type { LinkedConversation, Links } from './link-host.ts';
import type { ThreadController } from './thread-controller.ts';

export { linkedView } from './linked-view.ts';

/** How many lists are requested to find one comment. */
const MAX_LISTS = 10;

/** Brings the comment into sight, unless the reader returns to a place of their own, and focuses it, or says why not. The first
 *  list has been requested. */
export async function showComment(links: Links, id: string, isReturn: boolean): Promise<void> {
  const { host } = links;
  await lookFor(links, id);
  const isLatest = (): boolean => links.marked === id && host.isConnected;
  if (!isLatest()) return;
  host.unfoldFor(id);
  host.requestUpdate();
  await host.updateComplete;
  if (!isLatest()) return;
  const author = host.find(id, '.author');
  const target = author ?? links.findRendered(id);
  if (!target && links.outcome) {
    const { linkFurther, linkNotFound, failed } = host.threadStrings;
    host.say({ further: linkFurther, absent: linkNotFound, failed }[links.outcome]);
  }
  if (!isReturn) (target ?? host.renderRoot.querySelector('.missing'))?.scrollIntoView({ block: 'center' });
  author?.focus({ preventScroll: true });
}

/** Shows the comment, or sets `outcome`. */
async function lookFor(links: Links, id: string): Promise<void> {
  const { thread } = links;
  if (links.marked !== id || isShown(links, id)) return;
  await findInLists(thread, id);
  const { state } = thread;
  // The failure of a list is told where it would stand.
  if (links.marked !== id || state.name !== 'listed' || typeof state.more === 'object' || isShown(links, id)) return;
  if (state.article.conversation) await openConversation(links, id, () => links.marked === id);
  else links.outcome = state.nextCursor === undefined ? 'absent' : 'further';
}

/** Requests lists until one has the comment, where the BFF has no conversations. */
async function findInLists(thread: ThreadController, id: string): Promise<void> {
  for (let lists = 1; lists < MAX_LISTS && !thread.has(id); lists += 1) {
    const { state } = thread;
    if (state.name !== 'listed' || state.article.conversation || state.nextCursor === undefined || state.more !== 'idle') return;
    await thread.showMore();
  }
}

/** The reader has not asked for the news, but for this comment. */
function isShown({ thread, ids }: Links, id: string): boolean {
  const { state } = thread;
  if (state.name === 'listed' && state.news.posts.some((post) => post.id === id)) thread.showNews();
  return thread.has(id) || ids.has(id);
}

/** Shows the conversation of the comment, where the BFF has conversations, or sets `outcome`.
 *  @param isWanted false: the reader wants something else meanwhile */
export async function openConversation(links: Links, id: string, isWanted: () => boolean): Promise<void> {
  const { host, thread } = links;
  if (thread.state.name !== 'listed' || !thread.state.article.conversation) return;
  try {
    const conversation = await thread.conversation(id);
    if (!conversation || !isWanted()) return;
    const { posts, before, after } = conversation;
    const root = posts.find(({ parent_id }) => parent_id === undefined) ?? posts[0];
    if (!root) links.outcome = links.marked === id ? 'absent' : undefined;
    else if (thread.isListed(root.id)) thread.insert(posts);
    else links.linked = { id, posts, before, after };
    host.requestUpdate();
  } catch (error) {
    thread.report(error);
    if (links.marked === id) links.outcome = 'failed';
  }
}

export async function loadMore(links: Links, linked: LinkedConversation, which: 'before' | 'after'): Promise<void> {
  const next = await links.thread.conversation(linked.id, { [which]: linked[which] });
  if (!next || links.linked !== linked) return;
  const known = links.ids;
  const posts = next.posts.filter(({ id }) => !known.has(id));
  links.linked = { ...linked, posts: [...linked.posts, ...posts], [which]: next[which] };
}

export async function loadRest(links: Links, id: string): Promise<void> {
  const { rest, thread } = links;
  for (let isAdded = false; !isAdded && links.hasRest(id);) {
    const after = rest.get(id);
    const next: PostConversation | undefined = await thread.conversation(id, after === undefined ? {} : { after });
    if (!next) return;
    rest.set(id, next.after);
    isAdded = next.posts.some((post) => !thread.has(post.id));
    thread.insert(next.posts);
  }
}
