/**
 * Owner of a text that was written before the session was known, and is stored without an account. It belongs to the account
 * of the session hint if it is newer than the hint, and older than this page: what a reader writes in an open page belongs to
 * the account that its session shows.
 */

import { readSessionHint } from '../session/stored-session-hint.ts';
import { Draft } from './draft.ts';
import { recordTime, storedRecords } from './stored-records.ts';

/** Storage keys of the drafts without an account that were written since `since`, in milliseconds since the epoch. */
export function unownedDrafts(bff: string, since: number): string[] {
  return storedRecords()
    .filter((record) => record.kind === 'draft' && record.bff === bff && !record.account && recordTime(record.key) >= since)
    .map(({ key }) => key);
}

/** Moves the texts to the account of the hint. To be called before the hint is written or removed. */
export function claimUnownedDrafts(bff: URL): void {
  const { account, since } = readSessionHint(bff) ?? {};
  if (!account) return;
  try {
    for (const storageKey of unownedDrafts(bff.href, since!)) {
      if (recordTime(storageKey) >= performance.timeOrigin) continue;
      // `draftStorageKey`: none of the parts contains a space, that of the account is empty.
      const [, , , forum, page] = storageKey.split(' ');
      const draft = new Draft({ bff: bff.href, account: '', forum: forum!, page: page! });
      if (draft.text || draft.other) moveDraft(draft, new Draft({ ...draft.key, account }));
    }
  } catch {}
}

/** Moves the texts of `from` into `to`, whose own text is offered beside. If storage has no room, `from` is kept as well. */
export function moveDraft(from: Draft, to: Draft): void {
  const { text, other } = to;
  to.text = from.text || text;
  to.other = from.other;
  to.offer(text);
  to.offer(other);
  if (!to.save()) return;
  from.text = from.other = '';
  from.save();
}
