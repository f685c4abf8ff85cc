/** The posts that the page has rendered itself, in the slot of the thread: each has its id in `data-post-id`. */

import type { RenderedPost } from './thread-state.ts';

export function postsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('[data-post-id]')];
}

export function toRendered({ dataset }: HTMLElement): RenderedPost {
  return { id: dataset['postId']! };
}
