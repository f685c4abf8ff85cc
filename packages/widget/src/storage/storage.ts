/**
 * Versioned JSON records in the browser's storage: `{ v: 1, … }`. Nothing here throws: a browser may refuse storage or have no
 * room, and other scripts write there too. A record of another version counts as absent. One without a version is of release 0.1.
 */

export type Area = 'localStorage' | 'sessionStorage';

const VERSION = 1;

/** The record; `undefined` without one. Its members are not checked. */
export function read<Kept extends object>(key: string, area?: Area): Partial<Kept> | undefined {
  const record = use(area, (storage) => JSON.parse(storage.getItem(key)!) as Partial<Kept> & { v?: number } | null);
  return typeof record === 'object' && record && (record.v ?? VERSION) === VERSION ? record : undefined;
}

/** Returns whether the browser has kept the record. */
export function write(key: string, record: object, area?: Area): boolean {
  return use(area, (storage) => (storage.setItem(key, JSON.stringify({ v: VERSION, ...record })), true)) ?? false;
}

export function remove(key: string, area?: Area): void {
  use(area, (storage) => storage.removeItem(key));
}

/** Keys of the records in localStorage, those of other scripts included. */
export function list(): string[] {
  return use('localStorage', (storage) => Object.keys(storage)) ?? [];
}

function use<Result>(area: Area = 'localStorage', act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(window[area]);
  } catch {}
}
