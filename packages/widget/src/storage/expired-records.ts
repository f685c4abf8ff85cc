/** Removes the drafts and likes of this browser that are invalid or older than their lifetime. */

import { readDraftRecord } from './draft.ts';
import { list, read, remove, write } from './storage.ts';

const DAY_MS = 24 * 60 * 60_000;
/** What the reader did with comments: `thread/reader-acts.ts`. */
const LIKES_MS = 180 * DAY_MS;
/** The reader's own texts that were sent. */
const OWN_MS = 7 * DAY_MS;

export function removeExpiredRecords(): void {
  for (const key of list()) {
    if (key.startsWith('vestibule:draft ') && !readDraftRecord(key)) remove(key);
    if (!key.startsWith('vestibule:likes ')) continue;
    const acts = read<{ at: number; done: object }>(key);
    const age = Date.now() - (acts?.at ?? 0);
    if (!(age < LIKES_MS)) remove(key);
    // Edited texts are among them.
    else if (age > OWN_MS) write(key, { ...acts, done: {} });
  }
}
