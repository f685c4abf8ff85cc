/**
 * Versioned JSON records in the browser's storage: `{ v: 1, … }`. Nothing here throws: a browser may refuse storage or have no
 * room, and other scripts write there too. What the browser refuses to keep lasts as long as the document, and is read like the
 * rest. A record of another version counts as absent.
 */

export type Area = 'localStorage' | 'sessionStorage';

const VERSION = 1;

/** The record; `undefined` without one. Its members are not checked. */
export function read<Kept extends object>(key: string, area: Area = 'localStorage'): Partial<Kept> | undefined {
  const record = use(area, (storage) => (
    JSON.parse(unkept[area].get(key) ?? storage().getItem(key)!) as Partial<Kept> & { v?: number } | null
  ));
  return typeof record === 'object' && record && record.v === VERSION ? record : undefined;
}

/** Returns whether the browser has kept the record: scripts that guard privacy replace `setItem` by a function that does
 *  nothing. */
export function write(key: string, record: object, area: Area = 'localStorage'): boolean {
  const text = JSON.stringify({ v: VERSION, ...record });
  unkept[area].set(key, text);
  use(area, (storage) => {
    storage().setItem(key, text);
    if (storage().getItem(key) === text) unkept[area].delete(key);
  });
  return isKept(key, area);
}

/** The browser has kept the record. */
export function isKept(key: string, area: Area = 'localStorage'): boolean {
  return !unkept[area].has(key);
}

export function remove(key: string, area: Area = 'localStorage'): void {
  unkept[area].delete(key);
  use(area, (storage) => storage().removeItem(key));
}

/** Keys of the records in localStorage, those of other scripts included. */
export function list(): string[] {
  return [...new Set([...use('localStorage', (storage) => Object.keys(storage())) ?? [], ...unkept.localStorage.keys()])];
}

const unkept: Readonly<Record<Area, Map<string, string>>> = { localStorage: new Map(), sessionStorage: new Map() };

/** The result of `act`; `undefined` if the browser refuses. */
function use<Result>(area: Area, act: (storage: () => Storage) => Result): Result | undefined {
  try {
    return act(() => window[area]);
  } catch {}
}
