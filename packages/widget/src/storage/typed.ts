/**
 * What the first stage of a box stores and finds, without the identity of the article.
 *
 * A text that is typed before the second stage has loaded is stored under the address of the document. The second stage makes it
 * a draft of the article.
 */

import { bffAddress } from '../client/address.ts';
import { hintedAccount, hintKey, list, read, remove, write, type SessionHint } from './storage.ts';

/** How long it is kept. */
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** A box. */
interface TypedBox {
  readonly bff: string | null;
  readonly forum: string;
  readonly page: string | null;
  readonly parent: string;
}

/** As a record of a draft. */
interface TypedRecord {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** That of the session hint at the time. */
  readonly visit: string | undefined;
}

/** Of the document, without fragment. */
export const documentAddress = (): string => location.href.split('#', 1)[0]!;

/** Lasts while the address is replaced. `undefined` in browsers without the Navigation API. */
const entryOfHistory = (): string | undefined => (
  (globalThis as { navigation?: { currentEntry?: { key?: string } } }).navigation?.currentEntry?.key
);

export class TypedText {
  readonly #box: TypedBox;
  /** What was typed in this page, where, and where it is stored. */
  #text = '';
  #entry: string | undefined;
  #key = '';

  constructor(box: TypedBox) {
    this.#box = box;
  }

  /** Returns whether the browser has kept the text. */
  write(text: string): boolean {
    this.#text = text;
    this.#entry = entryOfHistory();
    this.#key = this.#keyHere;
    return write(this.#key, { text, updatedAt: Date.now(), visit: this.#visit } satisfies TypedRecord);
  }

  /** The text that was typed at this article, also under another address that was replaced; not that of an account whose session
   *  has ended meanwhile. */
  read(): string {
    if (this.#isHere) return this.#text;
    const { text = '', updatedAt = 0, visit } = read<TypedRecord>(this.#keyHere) ?? {};
    return Date.now() - updatedAt < LIFETIME_MS && (!visit || visit === this.#visit) ? text : '';
  }

  /** It was typed in this page, not in an earlier one. */
  get isOfThisPage(): boolean {
    return this.#isHere;
  }

  /** To be called once the text is stored as a draft. */
  remove(): void {
    remove(this.#isHere ? this.#key : this.#keyHere);
    if (this.#isHere) this.#text = this.#key = '';
  }

  get #isHere(): boolean {
    const isRenamed = !this.#box.page && this.#entry === entryOfHistory() && this.#key.startsWith(this.#prefix);
    return this.#text !== '' && (isRenamed || this.#key === this.#keyHere);
  }

  /** `parseStorageKey` of `reader-records.ts` reads it. */
  get #keyHere(): string {
    const { page, parent } = this.#box;
    // Spaces divide the key.
    return `${this.#prefix}${(page ?? documentAddress()).replaceAll(' ', '%20')} ${encodeURIComponent(parent)}`;
  }

  get #prefix(): string {
    const { bff, forum } = this.#box;
    return `vestibule:typed ${bffAddress(bff).href}  ${encodeURIComponent(forum)} `;
  }

  get #visit(): string | undefined {
    return read<SessionHint>(hintKey(bffAddress(this.#box.bff).href))?.visit;
  }
}

/** Drafts and entries of the reader, at every article. */
export function findDrafts(bff: URL): {
  /** There is a text. */
  readonly hasText: boolean;
  /** The outbox has entries: a request may have been out when its document was left. */
  readonly hasEntries: boolean;
} {
  const account = encodeURIComponent(hintedAccount(bff) ?? '');
  const owners = ['', account].map((owner) => `vestibule:draft ${bff.href} ${owner} `);
  const keys = list();
  const drafts = keys.filter((key) => owners.some((owner) => key.startsWith(owner))).map((key) => read<{ text: string }>(key));
  return {
    hasText: drafts.some((draft) => draft?.text),
    hasEntries: keys.some((key) => key.startsWith(`vestibule:entry ${bff.href} `)),
  };
}
