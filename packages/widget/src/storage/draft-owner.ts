/**
 * Owner of a text that was written before the session was known. Such a text is stored without an account. It belongs to the
 * account of the session hint if it is newer than the hint and older than this page. A text that is newer than this page belongs
 * to the account that the session of this page shows.
 */

import { readSessionHint } from './stored-session-hint.ts';
import { Draft } from './draft.ts';
import { recordTime, storedRecords, type StoredRecord } from './stored-records.ts';

/** The drafts without an account that were written since `since`, in milliseconds since the epoch. */
export function unownedDrafts(bff: string, since: number): StoredRecord[] {
  return storedRecords().filter((record) => record.kind === 'draft' && record.bff === bff && !record.account && recordTime(record.key) >= since);
}

/** Moves the texts to the account of the hint. To be called before the hint is written or removed. */
export function claimUnownedDrafts(bff: URL): void {
  const { account, since } = readSessionHint(bff) ?? {};
  if (!account) return;
  try {
    for (const record of unownedDrafts(bff.href, since!)) {
      if (recordTime(record.key) >= performance.timeOrigin) continue;
      const { forum, page } = record;
      const draft = new Draft({ bff: bff.href, account: '', forum, page });
      if (draft.text || draft.other) draft.moveTo(new Draft({ ...draft.key, account }));
    }
  } catch {}
}
