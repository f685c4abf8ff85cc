/**
 * Text that is not posted yet: one record in localStorage by page, forum, BFF, account and comment replied to. Every box and tab
 * writes by compare-and-set on `updatedAt`; a text that another one wrote in the meantime is kept as `other` and offered to the
 * reader. Expires after 30 days.
 *
 * `isKept` is false if the browser refused to store the text: it then lasts as long as the page.
 */

import { hintKey, read, write, type SessionHint } from './storage.ts';

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

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

export interface DraftRecord {
  readonly text: string;
  /** `Idempotency-Key` of a post whose outcome is open. */
  readonly idempotencyKey?: string | undefined;
  readonly isInFlight?: boolean;
  /** A text that lost to `text`. */
  readonly other?: string;
  /** Milliseconds since the epoch; grows with each write. */
  readonly updatedAt: number;
  /** Of a text without an account: that of the session hint at the time. */
  readonly visit?: string | undefined;
}

export class Draft {
  /** Keys of the records that this page has written. */
  static readonly written = new Set<string>();

  /** No record is stored, and the reader has not changed the text. */
  isNew!: boolean;
  text!: string;
  other!: string;
  idempotencyKey: string | undefined;
  /** The text was sent with `idempotencyKey`, and the page has not received the outcome. Ends with a change of the text. */
  isInFlight!: boolean;
  isKept = true;
  readonly key: DraftKey;
  readonly storageKey: string;
  #updatedAt!: number;

  constructor(key: DraftKey) {
    this.key = key;
    this.storageKey = draftStorageKey(key);
    this.read();
  }

  /** Takes over what is stored. */
  read(): void {
    const record = readDraft(this.storageKey);
    this.isNew = record === undefined;
    this.text = record?.text ?? '';
    this.other = record?.other ?? '';
    this.idempotencyKey = record?.idempotencyKey;
    this.isInFlight = record?.isInFlight ?? false;
    this.#updatedAt = record?.updatedAt ?? 0;
  }

  /** Stores the draft; returns whether it is kept. */
  save(): boolean {
    const stored = readDraft(this.storageKey);
    this.isNew = false;
    if (stored && stored.updatedAt !== this.#updatedAt) {
      this.offer(stored.text);
      this.offer(stored.other);
      this.idempotencyKey ??= stored.idempotencyKey;
      this.#updatedAt = stored.updatedAt;
    }
    const { text, idempotencyKey, other, key } = this;
    this.isInFlight &&= text === stored?.text;
    const visit = key.account ? undefined : read<SessionHint>(hintKey(key.bff))?.visit;
    const updatedAt = Math.max(Date.now(), this.#updatedAt + 1);
    this.isKept = write(this.storageKey, {
      text, idempotencyKey, isInFlight: this.isInFlight, other, updatedAt, visit,
    } satisfies DraftRecord);
    Draft.written.add(this.storageKey);
    if (this.isKept) this.#updatedAt = updatedAt;
    return this.isKept;
  }

  /** Moves the text to another page, forum or account, whose own text is offered beside. If storage has no room, this draft
   *  is kept as well. */
  moveTo(to: Draft): void {
    const { text, other, idempotencyKey } = this;
    const own = [to.text, to.other];
    if (text) Object.assign(to, { text, idempotencyKey });
    to.other = other;
    for (const theirs of own) to.offer(theirs);
    const isSaved = to.save();
    Object.assign(this, { text: '', other: '', idempotencyKey: undefined });
    this.save();
    // Storage may have room for the texts only once.
    if (isSaved || to.save()) return;
    Object.assign(this, { text, idempotencyKey });
    this.offer(other);
    this.save();
  }

  /** Keeps `text` beside the draft, unless the draft contains it. */
  offer(text = ''): void {
    if (![this.text, this.other].join('\n').includes(text)) this.other = [this.other, text].filter(Boolean).join('\n\n');
  }
}

/** `parseStorageKey` of `reader-records.ts` reads it. Only the forum and the ids may contain spaces: the others are URLs. */
export function draftStorageKey({ bff, account, forum, page, parent }: DraftKey): string {
  const [ofAccount, ofForum, ofParent] = [account, forum, parent].map(encodeURIComponent);
  return ['vestibule:draft', bff, ofAccount, ofForum, page, ...(ofParent ? [ofParent] : [])].join(' ');
}

/** The record, unless it has expired or is invalid. */
export function readDraft(storageKey: string): DraftRecord | undefined {
  const record = read<DraftRecord>(storageKey);
  return typeof record?.text === 'string' && Date.now() - record.updatedAt! < LIFETIME_MS ? record as DraftRecord : undefined;
}
