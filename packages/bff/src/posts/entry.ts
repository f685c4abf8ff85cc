/** An entry of a list: a post as the publisher's hooks describe it, and as readers get it. */

import * as z from 'zod';
import type { ListedPost, PostAction } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { PostHooks } from '../config/types.ts';
import { createUserKeys } from '../lib/identifiers.ts';
import { textUpTo } from '../lib/input.ts';
import { isObject } from '../lib/json.ts';
import { plainText } from '../lib/text.ts';

const MAX_MESSAGE_BYTES = 64 * 1024;

/** Entries that one line of the log names. */
const MAX_NAMED = 20;

/** Databases return whole numbers as ids, as `number` or as `bigint`. */
const id = z.union([textUpTo(256).min(1), z.int(), z.bigint()]).transform(String);

/** ISO 8601; without an offset it is UTC. Databases write a space for `T`, and an offset of hours alone. */
const instant = z.string()
  .transform((text) => text.replace(' ', 'T').replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00'))
  .pipe(z.iso.datetime({ offset: true, local: true }))
  .transform((text) => (/(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`));

const always = { id, parent_id: id.nullish(), created_at: instant };

/** A post as the hooks `list`, `created` and `edit` describe it. A member that is `null` counts as absent; further members are
 *  ignored. */
export const postEntry = z.object({
  ...always,
  author: z.object({ username: textUpTo(255), badge: textUpTo(64).min(1).nullish(), user_id: id.nullish() }),
  message: z.string().refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES),
  edited_at: instant.nullish(),
  likes: z.int().nonnegative().nullish(),
  removed: z.literal(false).nullish(),
  state: z.enum(['published', 'pending']).nullish(),
});

/** Of a removed post whose replies stay, name and text are not read. */
const removedEntry = z.object({ ...always, removed: z.literal(true) })
  .transform((entry) => ({ ...entry, author: { username: '' }, message: '' }));

/** For the log. */
export const ENTRY = '{ id, parent_id?, author: { username, badge?, user_id? }, message, created_at, edited_at?, likes?, removed?, '
  + 'state? }, message at most 64 KiB, instants in ISO 8601';

type ParsedEntry = z.output<typeof postEntry> | z.output<typeof removedEntry>;

/** Stands for the author of an entry in public lists. */
export type KeyOfAuthor = (userId: string) => string;

/** What readers may do: the hooks that the publisher has. */
export function actionsOf({ edit, remove, like }: Pick<PostHooks, PostAction>): readonly PostAction[] {
  const hooks = { edit, remove, like };
  return (['edit', 'remove', 'like'] as const).filter((action) => hooks[action] !== undefined);
}

/** @returns the keys of authors for lists; `undefined` where readers can do nothing: then no entry has one */
export function authorKeys(config: Pick<Config, 'posts' | 'cookieSecrets' | 'siteKey'>) {
  return actionsOf(config.posts).length > 0 ? createUserKeys(config).keyOf : undefined;
}

/** The entry as `GET /posts` sends it. @param keyOf key of the author; by default there is none */
export function listedPost(entry: ParsedEntry, keyOf?: KeyOfAuthor): ListedPost {
  const { parent_id, author: { username }, message, created_at, removed } = entry;
  const listed = { id: entry.id, ...(parent_id != null && { parent_id }), author: { username }, message, created_at };
  if (removed) return { ...listed, removed };
  const { author: { badge, user_id }, edited_at, likes } = entry;
  return {
    ...listed,
    author: { username, ...(badge != null && { badge }), ...(user_id != null && keyOf && { key: keyOf(user_id) }) },
    ...(edited_at != null && { edited_at }),
    ...(likes != null && { likes }),
  };
}

/** The published entries of a list. Those that are not valid are left out.
 *  @returns `faults`: their ids, with the members at fault; `''` without any */
export function parseEntries(
  entries: readonly unknown[], keyOf?: KeyOfAuthor,
): { readonly posts: readonly ListedPost[]; readonly faults: string } {
  const posts: ListedPost[] = [];
  const faults: string[] = [];
  for (const [i, entry] of entries.entries()) {
    const { data, error } = (isObject(entry) && entry['removed'] === true ? removedEntry : postEntry).safeParse(entry);
    if (!data) {
      const members = new Set(error.issues.map(({ path }) => path.join('.') || 'no object'));
      faults.push(`${nameOf(entry, i)} (${[...members].join(', ')})`);
    } else if (!('state' in data && data.state === 'pending')) {
      posts.push(listedPost(data, keyOf));
    }
  }
  const named = faults.slice(0, MAX_NAMED).join('; ');
  return { posts, faults: faults.length > MAX_NAMED ? `${named}; and ${faults.length - MAX_NAMED} more` : named };
}

function nameOf(entry: unknown, index: number): string {
  const { success, data } = id.safeParse(isObject(entry) ? entry['id'] : undefined);
  return success ? `id ${plainText(data, 64)}` : `item ${index + 1}`;
}
