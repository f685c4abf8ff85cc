/** A post as the publisher's hooks describe it. */

import * as z from 'zod';

const MAX_MESSAGE_BYTES = 64 * 1024;

export const plainText = (maxLength: number) => z.string().max(maxLength).refine((text) => text.isWellFormed());

const id = plainText(256).min(1);

/** ISO 8601; without an offset it is UTC. */
const instant = z.iso.datetime({ offset: true, local: true }).transform((text) => /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);

export const postEntry = z.strictObject({
  id,
  parent_id: id.optional(),
  author: z.strictObject({ username: plainText(255), badge: plainText(64).min(1).optional() }),
  message: z.string().refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES),
  created_at: instant,
  state: z.enum(['published', 'pending']).optional(),
});

/** For the log. */
export const ENTRY = '{ id, parent_id?, author: { username, badge? }, message, created_at, state? }';
