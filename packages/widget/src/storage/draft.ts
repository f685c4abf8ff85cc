/**
 * Text that is not posted yet: one record in localStorage by page, forum, BFF, account and comment replied to. Every box and tab
 * writes by compare-and-set on `updatedAt`; a text that another one wrote in the meantime is kept as `other` and offered to the
 * reader. Expires after 30 days.
 *
 * Each verb is one write: `edit`, `adopt`, `moveTo`. `follow` takes over what is stored. A text that is sent is no draft any more
 * but an entry of the outbox.
 *
 * `isKept` is false if the browser refused to store the text: it then lasts as long as the page.
 */

import { draftStorageKey, storageKeyOf, type DraftKey } from './draft-key.ts';
import { hintKey, read, remove, write, type SessionHint } from './storage.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

export interface DraftRecord {
  readonly text: string;
  /** A text that lost to `text`. */
  readonly other?: string | undefined;
  /** Milliseconds since the epoch; grows with each write. */
  readonly updatedAt: number;
  /** Of a text without an account: that of the session hint at the time. */
  readonly visit?: string | undefined;
  /** Of the document that showed the text last, without fragment. */
  readonly address?: string | undefined;
  /** Of the field there, in its own pixels: `findDrafts` of `typed.ts`. */
  readonly fieldHeight?: number | undefined;
}

export class Draft {
  /** Keys of the records that this page has written. */
  static readonly written = new Set<string>();

  /** No record is stored, and the reader has not changed the text. */
  isNew: boolean;
  isKept = true;
  readonly key: DraftKey;
  readonly storageKey: string;
  #record: DraftRecord;

  constructor(key: DraftKey) {
    this.key = key;
    this.storageKey = draftStorageKey(key);
    adoptEarlierKey(key, this.storageKey);
    const record = readDraft(this.storageKey);
    this.isNew = record === undefined;
    this.#record = record ?? { text: '', updatedAt: 0 };
  }

  get text(): string {
    return this.#record.text;
  }

  get other(): string {
    return this.#record.other ?? '';
  }

  /** Grows with each write. */
  get updatedAt(): number {
    return this.#record.updatedAt;
  }

  /** Takes over what is stored. Returns `false` if a record of this draft has gone: the draft then stays as it was. */
  follow(): boolean {
    if (!this.isKept) return true;
    const record = readDraft(this.storageKey);
    if (!record) return this.isNew;
    this.#record = record;
    this.isNew = false;
    return true;
  }

  /** The reader's text. Returns whether it is kept. */
  edit(text: string, other = this.other): boolean {
    return this.#write({ ...this.#record, text, other });
  }

  /** Takes over a text that was typed before the draft was known; its own is offered beside. Returns whether the text is kept.
   *  @param isOfThisPage otherwise it belongs to the account of the session hint */
  adopt(typed: string, isOfThisPage: boolean): boolean {
    const isKept = this.edit(typed, beside(typed, this.text, this.other));
    if (!isOfThisPage) Draft.written.delete(this.storageKey);
    return isKept;
  }

  /** Stores where the text was shown last, and the height of its field: not a change of the text. */
  keepPlace(address: string, fieldHeight: number): void {
    const stored = readDraft(this.storageKey);
    if (stored?.text && stored.updatedAt === this.#record.updatedAt) write(this.storageKey, { ...stored, address, fieldHeight });
  }

  /** Moves the text to another page, forum or account, whose own text is offered beside. If storage has no room, this draft is
   *  kept as well. */
  moveTo(to: Draft): void {
    const from = this.#record;
    const own = to.#record;
    const [first, second] = from.text ? [from, own] : [own, from];
    const moved: DraftRecord = { ...own, text: first.text, other: beside(first.text, from.other, second.text, own.other) };
    const isSaved = to.#write(moved);
    this.#write({ text: '', updatedAt: from.updatedAt });
    // Storage may have room for the texts only once.
    if (isSaved || to.#write(moved)) return;
    this.#write({ ...from, updatedAt: this.#record.updatedAt });
  }

  /** Stores the record; returns whether it is kept. What another tab has stored since is kept beside it. */
  #write(record: DraftRecord, stored = readDraft(this.storageKey)): boolean {
    const isBehind = stored !== undefined && stored.updatedAt !== record.updatedAt;
    const { key } = this;
    this.isNew = false;
    this.#record = {
      ...record,
      ...(isBehind && { other: beside(record.text, record.other, stored.text, stored.other) }),
      updatedAt: Math.max(Date.now(), record.updatedAt + 1, (stored?.updatedAt ?? 0) + 1),
      visit: key.account ? undefined : read<SessionHint>(hintKey(key.bff))?.visit,
    };
    Draft.written.add(this.storageKey);
    this.isKept = write(this.storageKey, this.#record);
    // The next write is compared with what is stored.
    if (!this.isKept) this.#record = { ...this.#record, updatedAt: record.updatedAt };
    return this.isKept;
  }
}

/** The texts that `text` does not contain, each once. */
function beside(text: string, ...others: readonly (string | undefined)[]): string {
  let other = '';
  for (const one of others) {
    if (one && ![text, other].join('\n').includes(one)) other = [other, one].filter(Boolean).join('\n\n');
  }
  return other;
}

/** Release 0.2 took the address as the page spells it. */
function adoptEarlierKey(key: DraftKey, storageKey: string): void {
  const earlier = storageKeyOf(key, key.page);
  const record = earlier === storageKey || readDraft(storageKey) ? undefined : readDraft(earlier);
  if (record && write(storageKey, record)) remove(earlier);
}

/** The record, unless it has expired or is invalid. */
export function readDraft(storageKey: string): DraftRecord | undefined {
  const record = read<DraftRecord>(storageKey);
  const isValid = typeof record?.text === 'string' && Date.now() - record.updatedAt! < LIFETIME_MS;
  return isValid ? record as DraftRecord : undefined;
}
