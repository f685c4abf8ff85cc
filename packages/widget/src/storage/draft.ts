/**
 * Text that is not posted yet: one record in localStorage by page, forum, BFF, account and comment replied to. The last letter
 * that is written in any tab counts. Where two texts come together, one stands below the other. Expires after 30 days.
 *
 * Each verb is one write: `edit`, `moveTo`. `follow` takes over what is stored. A text that is sent is no draft any more
 * but an entry of the outbox.
 *
 * `isKept` is false if the browser refused to store the text: it then lasts as long as the page.
 */

import { randomKey } from '../lib/random-key.ts';
import { draftStorageKey, type DraftKey } from './draft-key.ts';
import { hintKey, isKept, read, write, type SessionHint } from './storage.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

export interface DraftRecord {
  readonly text: string;
  /** Random, from the first letter on: the `Idempotency-Key` of its post. Two tabs that press one text make one comment. */
  readonly id?: string | undefined;
  /** Milliseconds since the epoch; grows with each write. */
  readonly updatedAt: number;
  /** Of a text without an account: that of the session hint at the time. */
  readonly visit?: string | undefined;
}

export class Draft {
  /** Keys of the records that this page has written. */
  static readonly written = new Set<string>();

  /** No record is stored, and the reader has not changed the text. */
  isNew: boolean;
  readonly key: DraftKey;
  readonly storageKey: string;
  #record: DraftRecord;

  constructor(key: DraftKey) {
    this.key = key;
    this.storageKey = draftStorageKey(key);
    const record = readDraft(this.storageKey);
    this.isNew = record === undefined;
    this.#record = record ?? { text: '', updatedAt: 0 };
  }

  get isKept(): boolean {
    return isKept(this.storageKey);
  }

  get text(): string {
    return this.#record.text;
  }

  get id(): string {
    return this.#record.id ?? '';
  }

  /** Takes over what is stored. Returns `false` if a record of this draft has gone: the draft then stays as it was. */
  follow(): boolean {
    const record = readDraft(this.storageKey);
    if (!record) return this.isNew;
    this.#record = record;
    this.isNew = false;
    return true;
  }

  /** The reader's text. Returns whether it is kept.
   *  @param id of a text that comes back; by default a first letter has a new one */
  edit(text: string, id = this.text ? this.#record.id : randomKey()): boolean {
    return this.#write({ ...this.#record, text, id });
  }

  /** Moves the text to another page, forum or account, whose own text stands below it. If storage has no room, this draft is
   *  kept as well. */
  moveTo(to: Draft): void {
    const from = this.#record;
    const own = to.#record;
    const moved: DraftRecord = { ...own, text: together(from.text, own.text), id: from.text ? from.id : own.id };
    const isSaved = to.#write(moved);
    this.#write({ text: '', updatedAt: from.updatedAt });
    // Storage may have room for the texts only once.
    if (isSaved || to.#write(moved)) return;
    this.#write({ ...from, updatedAt: this.#record.updatedAt });
  }

  /** Stores the record; returns whether it is kept. */
  #write(record: DraftRecord): boolean {
    const { key } = this;
    this.isNew = false;
    this.#record = {
      ...record,
      updatedAt: Math.max(Date.now(), record.updatedAt + 1),
      visit: key.account ? undefined : read<SessionHint>(hintKey(key.bff))?.visit,
    };
    Draft.written.add(this.storageKey);
    return write(this.storageKey, this.#record);
  }
}

/** Both texts, unless one has the other. */
export function together(first: string, second: string): string {
  if (first.includes(second)) return first;
  return second.includes(first) ? second : `${first}\n\n${second}`;
}

/** The record, unless it has expired or is invalid. */
export function readDraft(storageKey: string): DraftRecord | undefined {
  const record = read<DraftRecord>(storageKey);
  const isValid = typeof record?.text === 'string' && Date.now() - record.updatedAt! < LIFETIME_MS;
  return isValid ? record as DraftRecord : undefined;
}
