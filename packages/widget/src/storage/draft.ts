/**
 * Text that is not posted yet: one record in localStorage by page, forum, BFF and account. Every box and tab writes by
 * compare-and-set on `updatedAt`; a text that another one wrote in the meantime is kept as `other` and offered to the reader.
 * Expires after 30 days.
 *
 * `isKept` is false if the browser refused to store the text: it then lasts as long as the page.
 */

const LIFETIME_MS = 30 * 24 * 60 * 60_000;

export interface DraftKey {
  /** Public URL of the BFF. */
  readonly bff: string;
  readonly forum: string;
  /** Identity of the page. */
  readonly page: string;
  /** `user_id`; empty while signed out. */
  readonly account: string;
  /** Id of the comment that is replied to; empty for a comment of the article. */
  readonly parent?: string;
}

interface DraftRecord {
  readonly text: string;
  /** `Idempotency-Key` of a post whose outcome is open. */
  readonly idempotencyKey?: string | undefined;
  /** A text that lost to `text`. */
  readonly other?: string;
  /** Milliseconds since the epoch; grows with each write. */
  readonly updatedAt: number;
}

export class Draft {
  text!: string;
  other!: string;
  idempotencyKey: string | undefined;
  isKept = true;
  readonly key: DraftKey;
  readonly storageKey: string;
  #updatedAt!: number;

  constructor(key: DraftKey) {
    this.key = key;
    this.storageKey = draftStorageKey(key);
    this.read();
  }

  /** Takes over what is stored; returns whether there is a record. */
  read(): boolean {
    const record = readRecord(this.storageKey);
    this.text = record?.text ?? '';
    this.other = record?.other ?? '';
    this.idempotencyKey = record?.idempotencyKey;
    this.#updatedAt = record?.updatedAt ?? 0;
    return record !== undefined;
  }

  /** Stores the draft; returns whether it is kept. */
  save(): boolean {
    const stored = readRecord(this.storageKey);
    if (stored && stored.updatedAt !== this.#updatedAt) {
      this.offer(stored.text);
      this.offer(stored.other);
      this.idempotencyKey ??= stored.idempotencyKey;
      this.#updatedAt = stored.updatedAt;
    }
    const { text, idempotencyKey, other } = this;
    const updatedAt = Math.max(Date.now(), this.#updatedAt + 1);
    try {
      localStorage.setItem(this.storageKey, JSON.stringify({ text, idempotencyKey, other, updatedAt } satisfies DraftRecord));
      this.#updatedAt = updatedAt;
      return this.isKept = true;
    } catch {
      return this.isKept = false;
    }
  }

  /** Moves the text to another page, forum or account, whose own text is offered beside. If storage has no room, this draft
   *  is kept as well. */
  moveTo(to: Draft): void {
    const { text, other, idempotencyKey } = this;
    const own = [to.text, to.other];
    Object.assign(to, { text: text || to.text, other, idempotencyKey });
    for (const theirs of own) to.offer(theirs);
    const isSaved = to.save();
    this.text = this.other = '';
    this.save();
    // Storage may have room for the texts only once.
    if (isSaved || to.save()) return;
    this.text = text;
    this.offer(other);
    this.save();
  }

  /** Keeps `text` beside the draft, unless the draft contains it. */
  offer(text = ''): void {
    if (![this.text, this.other].join('\n').includes(text)) this.other = [this.other, text].filter(Boolean).join('\n\n');
  }
}

export function draftStorageKey({ bff, forum, page, account, parent }: DraftKey): string {
  return ['vestibule:draft', bff, encodeURIComponent(account), forum, page].join(' ') + (parent ? ` ${encodeURIComponent(parent)}` : '');
}

/** The record, unless it has expired or is invalid. */
function readRecord(storageKey: string): DraftRecord | undefined {
  try {
    const record = JSON.parse(localStorage.getItem(storageKey)!) as DraftRecord;
    return typeof record.text === 'string' && Date.now() - record.updatedAt < LIFETIME_MS ? record : undefined;
  } catch {}
}
