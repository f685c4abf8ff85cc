/** The records of drafts and own posts in localStorage. Throws where the browser refuses storage. */

import type { DraftKey } from './draft.ts';

/** Parses what `draftStorageKey` writes. Only the forum may contain spaces: the account is encoded, the others are URLs. */
const STORAGE_KEY = /^vestibule:(draft|posts) (\S+) (\S*) (.*) (\S*)$/;

export interface StoredRecord extends DraftKey {
  /** In localStorage. */
  readonly key: string;
  readonly kind: 'draft' | 'posts';
}

export function storedRecords(): StoredRecord[] {
  return Object.keys(localStorage).flatMap((key) => {
    const [, kind, bff, account, forum, page] = STORAGE_KEY.exec(key) ?? [];
    return kind === undefined ? []
      : [{ key, kind: kind as StoredRecord['kind'], bff: bff!, account: decodeURIComponent(account!), forum: forum!, page: page! }];
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
