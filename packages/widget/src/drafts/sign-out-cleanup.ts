/**
 * An explicit sign-out removes the drafts and own posts of every account of that BFF from this browser, and stores its
 * time. A tab that missed the message (suspended, or in the back/forward cache) compares the time with that of its session,
 * and so tells a sign-out from a session that ran out.
 */

const RECORDS = /^vestibule:(?:draft|posts) (\S+) (\S*) /;

const DAY_MS = 24 * 60 * 60_000;
const LIFETIME_MS = { draft: 30 * DAY_MS, posts: DAY_MS };

/** Removes what `bff` stores for accounts. Drafts that were written signed out stay. */
export function forgetAccounts(bff: string): void {
  // First: another tab stores its text again if the record disappears without a sign-out.
  const isTimeStored = storeTime(bff);
  try {
    localStorage.removeItem(`vestibule:session ${bff}`);
    for (const [key, owner, account] of storedRecords()) {
      if (owner === bff && account) localStorage.removeItem(key);
    }
  } catch {}
  // The removal has made room in storage that was full.
  if (!isTimeStored) storeTime(bff);
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
  } catch {
    return undefined;
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

/** Removes the records that are invalid or older than their lifetime. */
export function removeExpiredRecords(): void {
  try {
    for (const [key] of storedRecords()) {
      const lifetimeMs = key.startsWith('vestibule:posts') ? LIFETIME_MS.posts : LIFETIME_MS.draft;
      if (!(Date.now() - timeOf(localStorage.getItem(key)!) < lifetimeMs)) localStorage.removeItem(key);
    }
  } catch {}
}

/** When a record was written last, in milliseconds since the epoch; `NaN` if it is invalid. */
function timeOf(text: string): number {
  try {
    const record = JSON.parse(text) as { updatedAt: unknown } | readonly { at: unknown }[];
    return Number('updatedAt' in record ? record.updatedAt : record.at(-1)?.at);
  } catch {
    return NaN;
  }
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
