/**
 * Text that is not posted yet: one record by BFF, account, forum, article and comment replied to, for 30 days. The last letter
 * that any tab has written counts.
 */

import { articleKey } from '@vestibule/shared';
import { randomKey } from '../lib/random-key.ts';
import { writeRecord } from './readers.ts';
import { isKept, list, read } from './storage.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** What names a draft, and other records of a reader at an article. */
export interface DraftKey {
  /** Public URL of the BFF. */
  readonly bff: string;
  readonly forum: string;
  /** Identity of the page. */
  readonly page: string;
  /** `user_id`; empty while signed out. */
  readonly account: string;
  /** Id of the comment that the text replies to; empty: the text is about the article. */
  readonly parent: string;
}

export interface Draft {
  readonly text: string;
  /** Random, from the first letter on: the `Idempotency-Key` of its post. Two tabs that press one text make one comment. */
  readonly id: string;
  /** Name of the account that has written it, where it has come back to another one: until it is changed. */
  readonly writer?: string | undefined;
}

interface DraftRecord extends Draft {
  /** Of the last letter, in milliseconds since the epoch. */
  readonly at: number;
}

/** Only the forum and the ids may contain spaces: the others are URLs. */
export function draftStorageKey({ bff, account, forum, page, parent }: DraftKey): string {
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(encodeURIComponent);
  return ['vestibule:draft', bff, ofAccount, ofForum, articleKey(page), ...(ofParent ? [ofParent] : [])].join(' ');
}

/** `undefined`: nothing was written, or it has expired. A text that was sent or taken away leaves an empty one. */
export function readDraft(key: DraftKey): Draft | undefined {
  return readDraftRecord(draftStorageKey(key));
}

export function readDraftRecord(storageKey: string): Draft | undefined {
  const record = read<DraftRecord>(storageKey);
  const isValid = typeof record?.text === 'string' && Date.now() - record.at! < LIFETIME_MS;
  return isValid ? record as DraftRecord : undefined;
}

/** Returns whether the browser has kept the text. @param id of a text that comes back; by default a first letter has a new one */
export function writeDraft(key: DraftKey, text: string, id?: string, writer?: string): boolean {
  const before = readDraft(key);
  const kept = before?.text === text ? before.writer : undefined;
  return writeRecord(draftStorageKey(key), {
    text, id: id ?? (before?.text ? before.id : randomKey()), at: Date.now(), writer: writer ?? kept,
  } satisfies DraftRecord);
}

export function isDraftKept(key: DraftKey): boolean {
  return isKept(draftStorageKey(key));
}

/** Moves the text to another page or account, whose own text stands below it. If storage has no room, it stays as well. */
export function moveDraft(from: DraftKey, to: DraftKey): void {
  const moved = readDraft(from);
  if (!moved?.text) return;
  const take = (): boolean => writeDraft(to, together(moved.text, readDraft(to)?.text ?? ''), moved.id);
  const isMoved = take();
  writeDraft(from, '');
  // Storage may have room for the text only once.
  if (!isMoved && !take()) writeDraft(from, moved.text, moved.id);
}

/** Takes what was written signed out at the article, replies too, for the account of `key`. */
export function claimDrafts(key: DraftKey): void {
  const unowned = draftStorageKey({ ...key, account: '', parent: '' });
  for (const storageKey of list().filter((one) => `${one} `.startsWith(`${unowned} `))) {
    const parent = decodeURIComponent(storageKey.slice(unowned.length + 1));
    moveDraft({ ...key, account: '', parent }, { ...key, parent });
  }
}

/** Both texts, unless one has the other as whole paragraphs. */
export function together(first: string, second: string): string {
  const has = (text: string, part: string): boolean => part === '' || `\n\n${text}\n\n`.includes(`\n\n${part}\n\n`);
  if (has(first, second)) return first;
  return has(second, first) ? second : `${first}\n\n${second}`;
}

/** Whether texts of the account are stored, or texts that were written signed out. */
export function hasStoredDrafts({ bff, account }: Pick<DraftKey, 'bff' | 'account'>): boolean {
  const prefixes = [account, ''].map((one) => `vestibule:draft ${bff} ${encodeURIComponent(one)} `);
  return list().some((key) => prefixes.some((prefix) => key.startsWith(prefix)) && Boolean(readDraftRecord(key)?.text));
}
