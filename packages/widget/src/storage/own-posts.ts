/** The reader's own posts of the last day on a page, kept per account until the thread lists them. */

import type { PostCreated, User } from '@vestibule/shared';
import type { Draft } from './draft.ts';

const LIFETIME_MS = 24 * 60 * 60_000;

export interface OwnPost {
  /** Of the service's record of the post, if it has one. */
  readonly id?: string | undefined;
  readonly user: User;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the post that it replies to. */
  readonly parent?: string | undefined;
  /** What the list has, or will have once it is approved. */
  readonly listed?: PostCreated['listed'];
}

/** Their record has the page, forum, BFF and account of a draft. */
const storageKeyBeside = (draft: Draft): string => draft.storageKey.replace('vestibule:draft', 'vestibule:posts');

/** Oldest first. */
export function readOwnPosts(draft: Draft): readonly OwnPost[] {
  try {
    const posts = JSON.parse(localStorage.getItem(storageKeyBeside(draft))!) as readonly OwnPost[];
    return posts.filter(({ message, at, user }) => typeof message === 'string' && user.username && Date.now() - at < LIFETIME_MS);
  } catch {
    return [];
  }
}

/** Adds a post and returns all of the page; without storage it is only in the returned list. */
export function addOwnPost(draft: Draft, posts: readonly OwnPost[], post: OwnPost): readonly OwnPost[] {
  const stored = readOwnPosts(draft);
  const all = [...(stored.length > 0 ? stored : posts), post];
  try {
    localStorage.setItem(storageKeyBeside(draft), JSON.stringify(all));
  } catch {}
  return all;
}
