/** The records of drafts and own posts in localStorage. Throws where the browser refuses storage. */

const RECORDS = /^vestibule:(draft|posts) (\S+) (\S*) /;

export interface StoredRecord {
  readonly key: string;
  readonly kind: 'draft' | 'posts';
  /** Public URL of the BFF. */
  readonly bff: string;
  /** Empty: written signed out, or before the session was known. */
  readonly account: string;
}

export function storedRecords(): StoredRecord[] {
  return Object.keys(localStorage).flatMap((key) => {
    const [, kind, bff, account] = RECORDS.exec(key) ?? [];
    return kind === undefined ? [] : [{ key, kind: kind as StoredRecord['kind'], bff: bff!, account: decodeURIComponent(account!) }];
  });
}

/** When a record was written last, in milliseconds since the epoch; `NaN` if it is invalid. */
export function recordTime(key: string): number {
  try {
    const record = JSON.parse(localStorage.getItem(key)!) as { updatedAt: unknown } | readonly { at: unknown }[];
    return Number('updatedAt' in record ? record.updatedAt : record.at(-1)!.at);
  } catch {
    return NaN;
  }
}
