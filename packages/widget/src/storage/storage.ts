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

/** Returns whether the browser has kept the record. */
export function write(key: string, record: object, area: Area = 'localStorage'): boolean {
  const text = JSON.stringify({ v: VERSION, ...record });
  unkept[area].set(key, text);
  use(area, (storage) => {
    storage().setItem(key, text);
    unkept[area].delete(key);
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

/** The hint of a session in this browser's storage. It proves nothing. */
export interface SessionHint {
  /** `user_id` of the reader who was signed in last; absent while a sign-in is in progress in another window. */
  readonly account: string;
  /** Random: marks the texts that are written before the session is known as those of `account`. */
  readonly visit: string;
  /** When a sign-in in progress ends at the latest, in milliseconds since the epoch. */
  readonly until: number;
}

/** Marks in sessionStorage the box from which the reader left the page to sign in. */
export const RETURN_MARKER = 'vestibule:return';

export function hintKey(bff: string): string {
  return `vestibule:session ${bff}`;
}

export function signOutKey(bff: string): string {
  return `vestibule:signed-out ${bff}`;
}

/** Whether a reader was signed in to `bff` from pages of this origin, or is signing in. */
export function needsSession(bff: URL): boolean {
  const hint = read<SessionHint>(hintKey(bff.href));
  if (!hint) return false;
  // The hint of an account has no end.
  return hint.until === undefined || hint.until >= Date.now();
}

/** A press that posts a text once the reader has signed in. */
export interface PressRecord {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whose text it is; absent or empty: the first who signs in. */
  readonly account?: string;
  /** It is that of the composer of a reply. */
  readonly reply?: { readonly parent: string; readonly replyTo: string } | undefined;
  /** The window that the press has opened, or the form of this page, says that the reader has signed in. */
  readonly isFinished?: boolean;
}

/** Marks the box from which the reader leaves the page to sign in. Times are milliseconds since the epoch. */
export interface ReturnMarker {
  readonly bff: string;
  readonly forum: string;
  /** Of the document. */
  readonly address: string;
  /** Identity of the article; `undefined`: the first stage does not know it. */
  readonly page?: string | undefined;
  readonly at: number;
  readonly press?: PressRecord | undefined;
}

/** Marks, for this tab, the box from which the reader leaves the page to sign in. Returns whether the browser has kept it. */
export function setReturnMarker(bff: URL, forum: string, more: Pick<ReturnMarker, 'page' | 'press'>): boolean {
  const marker: ReturnMarker = { bff: bff.href, forum, address: location.href, at: Date.now(), ...more };
  return write(RETURN_MARKER, marker, 'sessionStorage');
}

/** Whether the page is the window of a sign-in, was opened by one, or is the one that the reader left to sign in. */
export function isReturn(): boolean {
  return window.name === 'vestibule-sync' || CALLBACK.test(location.search)
    || read<ReturnMarker>(RETURN_MARKER, 'sessionStorage')?.address?.startsWith(location.origin + location.pathname) === true;
}

/** The account that was signed in last, and has not signed out. */
export function hintedAccount(bff: URL): string | undefined {
  return read<SessionHint>(hintKey(bff.href))?.account;
}

/** Whether a sign-out from `bff` has not reached it. */
export function isSignOutOpen(bff: URL): boolean {
  return read<{ isOpen: boolean }>(signOutKey(bff.href))?.isOpen === true;
}

/** Whether this browser has a comment for `bff` that is on its way. */
export function hasEntryToSend(bff: URL): boolean {
  return list().some((key) => key.startsWith(`vestibule:entry ${bff.href} `) && read<{ state: string }>(key)?.state === 'sending');
}

const CALLBACK = /[?&](?:audiencesync_uri=|error=access_denied|success=1)/;
