/** A post as the publisher's hooks describe it. */

import * as z from 'zod';
import { MESSAGE_MAX_LENGTH } from '../config/settings.ts';
import { boundedText, commentId, nonEmptyText } from '../input.ts';

/** Databases return whole numbers as ids, as `number` or as `bigint`. */
export const entryId = z.union([commentId, z.int(), z.bigint()]).transform(String);

/** ISO 8601; without an offset it is UTC. Databases write a space for `T`, and an offset of hours alone. */
export const instant = z.string()
  .transform((text) => text.replace(' ', 'T').replace(/(:\d\d(?:\.\d+)?[+-]\d\d)$/, '$1:00'))
  .pipe(z.iso.datetime({ offset: true, local: true }))
  .transform((text) => (/(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`));

const messageText = boundedText(MESSAGE_MAX_LENGTH);

const always = {
  id: entryId, parent_id: entryId.nullish(), created_at: instant,
};

/** A post as the hooks `list`, `conversation`, `created` and `edit` describe it. A member that is `null` counts as absent;
 *  further members are ignored. */
export const postEntry = z.object({
  ...always,
  author: z.object({ username: boundedText(255), badge: nonEmptyText(64).nullish(), user_id: entryId.nullish() }),
  message: messageText,
  edited_at: instant.nullish(),
  likes: z.int().nonnegative().nullish(),
  in_reply_to: z.object({ username: boundedText(255), message: messageText }).nullish(),
  pick: z.boolean().nullish(),
  removed: z.literal(false).nullish(),
  state: z.enum(['published', 'pending']).nullish(),
});

/** Of a removed post whose replies stay, name and text are not read. */
export const removedEntry = z.object({ ...always, removed: z.literal(true) })
  .transform((entry) => ({ ...entry, author: { username: '' }, message: '' }));

/** For the log. */
export const ENTRY = '{ id, parent_id?, author: { username, badge?, user_id? }, message, created_at, edited_at?, likes?, removed?, '
  + 'in_reply_to?: { username, message }, pick?, '
  + `state? }, message at most ${MESSAGE_MAX_LENGTH} characters, instants in ISO 8601`;
