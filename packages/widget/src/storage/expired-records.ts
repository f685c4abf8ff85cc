/** Removes the drafts of this browser that are invalid or older than their lifetime, and what readers did with comments. */

import { readDraftRecord } from './draft.ts';
import { list, read, remove, write } from './storage.ts';

/** How long edits and removals are kept: `thread/reader-acts.ts`. */
const ACTS_MS = 7 * 24 * 60 * 60_000;

export function removeExpiredRecords(): void {
  for (const key of list()) {
    if (key.startsWith('vestibule:draft ') && !readDraftRecord(key)) remove(key);
    if (!key.startsWith('vestibule:likes ')) continue;
    const { done = {}, ...likes } = read<{ done: Record<string, { at: number }> }>(key) ?? {};
    const acts = Object.entries(done);
    const living = acts.filter(([, { at }]) => Date.now() - at < ACTS_MS);
    if (living.length < acts.length) write(key, { ...likes, done: Object.fromEntries(living) });
  }
}
