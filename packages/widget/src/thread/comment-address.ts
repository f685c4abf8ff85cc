/** Addresses of single comments: that of the article, with a fragment. */

import type { Comment } from './comment-tree.ts';

const PREFIX = 'vestibule-comment-';

/** Id of the element of a comment. */
export const elementId = (key: Comment['key']): string => `${PREFIX}${key}`;

export const fragmentOf = (id: string): string => `#${PREFIX}${encodeURIComponent(id)}`;

/** Id of the comment that the page's address names. */
export function linkedId(): string | undefined {
  if (!location.hash.startsWith(`#${PREFIX}`)) return undefined;
  try {
    return decodeURIComponent(location.hash.slice(PREFIX.length + 1));
  } catch {
    return undefined;
  }
}
