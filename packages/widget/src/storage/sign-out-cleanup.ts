/**
 * An explicit sign-out removes the drafts and own posts of the account from this browser, with the texts that were written before
 * its session was known, and stores its time. Texts of other accounts stay: a box shows them to their own account only.
 *
 * A tab may miss the message of a sign-out: it was suspended, or is in the back/forward cache. It then compares the stored time
 * with the start of its session, and hides the text. It does not hide the text after an expired session.
 */

import { readSessionHint } from './stored-session-hint.ts';
import { hintKey } from './session-hint.ts';
import { unownedDrafts } from './draft-owner.ts';
import { recordTime, storedRecords } from './stored-records.ts';

const DAY_MS = 24 * 60 * 60_000;
const LIFETIME_MS = { draft: 30 * DAY_MS, posts: DAY_MS };

/** Removes what `bff` stores for `account`.
 *  @param account empty: that of the session hint; without a hint, every account, because any of them may have signed out */
export function forgetAccount(bff: URL, account: string): void {
  const hint = readSessionHint(bff);
  const owner = account || hint?.account;
  // First: another tab stores its text again if the record disappears without a sign-out.
  const isTimeStored = storeTime(bff.href);
  try {
    localStorage.removeItem(hintKey(bff));
    const own = storedRecords()
      .filter((record) => record.bff === bff.href && (owner ? record.account === owner : record.account));
    const unowned = hint && hint.account === owner ? unownedDrafts(bff.href, hint.since) : [];
    for (const { key } of [...own, ...unowned]) localStorage.removeItem(key);
  } catch {}
  // The removal has made room in storage that was full.
  if (!isTimeStored) storeTime(bff.href);
}

function storeTime(bff: string): boolean {
  try {
    localStorage.setItem(timeKey(bff), String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

/** When a reader last signed out explicitly, in milliseconds since the epoch; `undefined`: never, or storage cannot be read. */
export function signedOutAt(bff: string): number | undefined {
  try {
    return Number(localStorage.getItem(timeKey(bff))) || undefined;
  } catch {}
}

/** Whether drafts of `account` with a text are stored. */
export function hasStoredDrafts(bff: string, account: string): boolean {
  try {
    return storedRecords().some((record) => (
      record.kind === 'draft' && record.bff === bff && record.account === account && /"(?:text|other)":"[^"]/.test(localStorage.getItem(record.key)!)
    ));
  } catch {
    return false;
  }
}

/** Removes the records that are invalid or older than their lifetime. */
export function removeExpiredRecords(): void {
  try {
    for (const record of storedRecords()) {
      if (!(Date.now() - recordTime(record.key) < LIFETIME_MS[record.kind])) localStorage.removeItem(record.key);
    }
  } catch {}
}

function timeKey(bff: string): string {
  return `vestibule:signed-out ${bff}`;
}
