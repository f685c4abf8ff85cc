/** The posts that the page has rendered itself, in the slot of the thread: each has its id in `data-post-id`. */

import type { RenderedPost } from './thread-state.ts';

export function postsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[data-post-id]')];
}

/** A reply within the post is a post of its own. */
export function toRendered(post: HTMLElement): RenderedPost {
  const own = post.cloneNode(true) as HTMLElement;
  for (const reply of postsIn(own)) reply.remove();
  return { id: post.dataset['postId']!, text: own.textContent };
}
