/**
 * An explicit sign-out removes the drafts and own posts of every account of that BFF from this browser, and stores its
 * time. A tab that missed the message (suspended, or in the back/forward cache) compares the time with that of its session,
 * and so tells a sign-out from a session that ran out.
 */

const RECORDS = /^vestibule:(?:draft|posts) (\S+) (\S*) /;

const EXPIRED_AFTER_MS = 30 * 24 * 60 * 60_000;

/** Removes what `bff` stores for accounts. Drafts that were written signed out stay. */
export function forgetAccounts(bff: string): void {
  try {
    localStorage.setItem(timeKey(bff), String(Date.now()));
    localStorage.removeItem(`vestibule:session ${bff}`);
    for (const [key, owner, account] of storedRecords()) {
      if (owner === bff && account) localStorage.removeItem(key);
    }
  } catch {}
}

/** Whether a reader signed out explicitly after `since`, in milliseconds since the epoch. */
export function signedOutAfter(bff: string, since: number): boolean {
  try {
    return Number(localStorage.getItem(timeKey(bff))) >= since;
  } catch {
    return false;
  }
}

/** Whether drafts of `account` with a text are stored. */
export function hasStoredDrafts(bff: string, account: string): boolean {
  try {
    return storedRecords().some(([key, owner, id]) => (
      key.startsWith('vestibule:draft') && owner === bff && id === encodeURIComponent(account) && /"(?:text|other)":"[^"]/.test(localStorage.getItem(key)!)
    ));
  } catch {
    return false;
  }
}

/** Removes the records that nobody reads any more. */
export function removeExpiredRecords(): void {
  try {
    for (const [key] of storedRecords()) {
      const record = JSON.parse(localStorage.getItem(key)!) as { updatedAt?: number } | readonly { at?: number }[];
      const at = 'updatedAt' in record ? record.updatedAt : (record as readonly { at?: number }[]).at(-1)?.at;
      if (!at || Date.now() - at > EXPIRED_AFTER_MS) localStorage.removeItem(key);
    }
  } catch {}
}

function storedRecords(): (readonly [key: string, bff: string, account: string])[] {
  return Object.keys(localStorage).flatMap((key) => {
    const [, bff, account] = RECORDS.exec(key) ?? [];
    return bff === undefined ? [] : [[key, bff, account ?? ''] as const];
  });
}

function timeKey(bff: string): string {
  return `vestibule:signed-out ${bff}`;
}
