/**
 * Follows a link to a comment. It is looked for among those that are shown; then the BFF is asked for its conversation, which
 * stands first.
 */

import type { Links } from './link-host.ts';

/** Brings the comment into sight and focuses it, or says why not. The first list has been requested. */
export async function showComment(links: Links, id: string): Promise<void> {
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
  (target ?? host.renderRoot.querySelector('.missing'))?.scrollIntoView({ block: 'center' });
  author?.focus({ preventScroll: true });
}

/** Shows the comment, or sets `outcome`. */
async function lookFor(links: Links, id: string): Promise<void> {
  const { thread } = links;
  const { state } = thread;
  // The failure of a list is told where it would stand.
  if (links.marked !== id || isShown(links, id) || state.name !== 'listed') return;
  if (state.article.conversation) await openConversation(links, id, () => links.marked === id);
  else links.outcome = state.nextCursor === undefined ? 'absent' : 'further';
}

/** The reader has not asked for the news, but for this comment. */
function isShown({ thread }: Links, id: string): boolean {
  const { state } = thread;
  if (state.name === 'listed' && state.news.posts.some((post) => post.id === id)) void thread.showNews();
  return thread.has(id);
}

/** Shows the conversation of the comment, where the BFF has conversations, or sets `outcome`.
 *  @param isWanted false: the reader wants something else meanwhile */
export async function openConversation(links: Links, id: string, isWanted: () => boolean): Promise<void> {
  const { host, thread } = links;
  if (thread.state.name !== 'listed' || !thread.state.article.conversation) return;
  try {
    const conversation = await thread.conversation(id);
    if (!conversation || !isWanted()) return;
    const { posts } = conversation;
    const root = posts.find(({ parent_id }) => parent_id === undefined) ?? posts[0];
    if (!root) links.outcome = links.marked === id ? 'absent' : undefined;
    else thread.insert(posts, !thread.isListed(root.id));
    host.requestUpdate();
  } catch (error) {
    thread.report(error);
    if (links.marked === id) links.outcome = 'failed';
  }
}
