/** An entry of a list: a post as the publisher's hooks describe it, and as readers get it. */

import type * as z from 'zod';
import type { ListedPost } from '@vestibule/shared';
import { entryId, postEntry, removedEntry } from '../hooks/post-entry.ts';
import { isObject } from '../input.ts';
import { plainText } from '../lib/text.ts';

/** Entries that one line of the log names. */
const MAX_NAMED = 20;

type ParsedEntry = z.output<typeof postEntry> | z.output<typeof removedEntry>;

/** Stands for the author of an entry in public lists. */
export type KeyOfAuthor = (userId: string) => string;

/** Of the text that a post answers, in code points. */
const QUOTE_MAX_LENGTH = 200;

/** The entry as `GET /posts` sends it. @param keyOf key of the author; without it there is none */
export function listedPost(entry: ParsedEntry, keyOf?: KeyOfAuthor): ListedPost {
  const { parent_id, author: { username }, message, created_at, removed } = entry;
  const listed = { id: entry.id, ...(parent_id != null && { parent_id }), author: { username }, message, created_at };
  if (removed) return { ...listed, removed };
  const { author: { badge, user_id }, edited_at, likes, in_reply_to, pick } = entry;
  return {
    ...listed,
    author: { username, ...(badge != null && { badge }), ...(user_id != null && keyOf && { key: keyOf(user_id) }) },
    ...(edited_at != null && { edited_at }),
    ...(likes != null && { likes }),
    ...(in_reply_to != null && { in_reply_to: { ...in_reply_to, message: [...in_reply_to.message].slice(0, QUOTE_MAX_LENGTH).join('') } }),
    ...(pick && { pick }),
  };
}

/** The published entries of a list. Those that are not valid are left out.
 *  @returns `faults`: their ids, with the members at fault; `''` without any */
export function parseEntries(
  entries: readonly unknown[], keyOf: KeyOfAuthor,
): { readonly posts: readonly ListedPost[]; readonly faults: string } {
  const posts: ListedPost[] = [];
  /** Ids of entries that are shown to nobody, or without their text. */
  const hidden = new Set<string>();
  const faults: string[] = [];
  for (const [i, entry] of entries.entries()) {
    const { data, error } = (isObject(entry) && entry['removed'] === true ? removedEntry : postEntry).safeParse(entry);
    if (!data) {
      const members = new Set(error.issues.map(({ path }) => path.join('.') || 'no object'));
      faults.push(`${nameOf(entry, i)} (${[...members].join(', ')})`);
    } else {
      const isPending = 'state' in data && data.state === 'pending';
      if (isPending || data.removed) hidden.add(data.id);
      if (!isPending) posts.push(listedPost(data, keyOf));
    }
  }
  const named = faults.slice(0, MAX_NAMED).join('; ');
  return { posts: posts.map((post) => withoutQuoteOf(hidden, post)), faults: faults.length > MAX_NAMED ? `${named}; and ${faults.length - MAX_NAMED} more` : named };
}

function withoutQuoteOf(hidden: ReadonlySet<string>, { in_reply_to, ...post }: ListedPost): ListedPost {
  return in_reply_to && !hidden.has(post.parent_id ?? '') ? { ...post, in_reply_to } : post;
}

function nameOf(entry: unknown, index: number): string {
  const { success, data } = entryId.safeParse(isObject(entry) ? entry['id'] : undefined);
  return success ? `id ${plainText(data, 64)}` : `item ${index + 1}`;
}
