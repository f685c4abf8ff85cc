/** What the reader does with the comments of the page: `actions.ts` is loaded when they act, when they have acted here before, or
 *  when the list has a comment of theirs. */

import type { ReactiveController } from 'lit';
import { bffAddress } from '../client/address.ts';
import type { Part } from '../lib/part.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { draftStorageKey, readDraftRecord, type DraftKey } from '../storage/draft.ts';
import { list, read } from '../storage/storage.ts';
import type { ThreadActions } from './actions.ts';
import type { Reader, ReaderHost } from './reader-host.ts';
import { threadPart } from './thread-part.ts';

/** How old a list may be, in ms: a BFF serves one of a minute while it reads a new one, and a browser keeps that for a second. */
const LIST_AGE_MS = 61_000;

export class ReaderController implements ReactiveController, Reader {
  readonly host: ReaderHost;
  readonly listAgeMs = LIST_AGE_MS;
  readonly #part: Part<ThreadActions>;
  /** BFF, forum, page and account that the actions belong to. */
  #key = '';
  /** Ids of the comments to which a reply waits as a draft. */
  drafts: ReadonlySet<string> = new Set();
  /** What they were read for. */
  #draftsKey = '';

  constructor(host: ReaderHost) {
    this.host = host;
    this.#part = threadPart(host, async () => {
      const { ThreadActions } = await import('./actions.ts');
      return new ThreadActions(this);
    });
    host.addController(this);
  }

  get actions(): ThreadActions | undefined {
    return this.#part.module;
  }

  /** Of the records of the page and the account. */
  get recordKey(): DraftKey {
    const { forum, page, account, bff } = this.host;
    return { bff: bffAddress(bff).href, forum, page, account, parent: '' };
  }

  /** Of what the account has done here. */
  get storageKey(): string {
    return draftStorageKey(this.recordKey).replace('draft', 'likes');
  }

  hostConnected(): void {
    addEventListener('storage', this.#onStorage);
  }

  hostDisconnected(): void {
    removeEventListener('storage', this.#onStorage);
  }

  hostUpdate(): void {
    this.#findDrafts();
    const key = this.storageKey;
    if (key === this.#key) return;
    this.#key = key;
    this.actions?.clear();
    this.#follow();
  }

  /** Without a session the press signs in, and likes nothing. @param wants the opposite of what the button shows */
  like(id: string, wants: boolean): void {
    if (this.host.account) return void this.#like(id, wants);
    // In the reader's press: the browser blocks a window otherwise.
    this.host.dispatchEvent(new Event('sign-in'));
  }

  /** What the account has done here, in another tab too. */
  #follow(): void {
    if (this.host.account && read(this.#key)) void this.load().then(() => this.host.requestUpdate());
  }

  /** Again with each composer that opens or closes. */
  #findDrafts(): void {
    const prefix = `${draftStorageKey(this.recordKey)} `;
    const key = `${prefix}${this.host.replyingTo ?? ''}`;
    if (key === this.#draftsKey) return;
    this.#draftsKey = key;
    const keys = list().filter((one) => one.startsWith(prefix) && readDraftRecord(one)?.text);
    this.drafts = new Set(keys.map((one) => decodeURIComponent(one.slice(prefix.length))));
  }

  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key === this.#key) this.#follow();
    if (!key?.startsWith('vestibule:draft ')) return;
    this.#draftsKey = '';
    this.host.requestUpdate();
  };

  /** `undefined`: it could not be loaded. @param isWanted as of `Part` */
  async load(isWanted = false): Promise<ThreadActions | undefined> {
    return this.#part.load(isWanted).catch(() => undefined);
  }

  async #like(id: string, wants: boolean): Promise<void> {
    const { storageKey } = this;
    const actions = await this.load(true);
    // Another reader is signed in meanwhile, or the page shows another article.
    if (this.storageKey !== storageKey) return;
    const comment = this.host.comments.find(({ key }) => key === id);
    const { localizer, strings } = this.host;
    if (!actions) this.host.say(localizer.strings('problems', problemStrings, strings).network);
    else if (comment) await actions.like(comment, wants);
  }
}
