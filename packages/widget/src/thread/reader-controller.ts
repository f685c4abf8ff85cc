/** What the reader does with the comments of the page: `actions.ts` is loaded when they act, when they have acted here before, or
 *  when the list has a comment of theirs. */

import type { ReactiveController } from 'lit';
import { withShared } from '../chunks.ts';
import { bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { draftStorageKey, type DraftKey } from '../storage/draft.ts';
import { read } from '../storage/storage.ts';
import type { ThreadActions } from './actions.ts';
import type { Reader, ReaderHost } from './reader-host.ts';
import { REFRESH_AFTER_MS } from './thread-state.ts';

/** How long a press may have its effect, in ms: the reader signs in meanwhile. */
const PRESS_MS = 10 * 60_000;

export class ReaderController implements ReactiveController, Reader {
  readonly host: ReaderHost;
  /** How old a list may be, in ms. Here, because a chunk that imports from the thread's makes a third one. */
  readonly listAgeMs = REFRESH_AFTER_MS;
  actions: ThreadActions | undefined;
  #loading: Promise<ThreadActions> | undefined;
  /** BFF, forum, page and account that the actions belong to. */
  #key = '';
  /** A comment that the reader likes once they have signed in, and when they pressed, in milliseconds since the epoch. */
  #wanted: { readonly id: string; readonly page: string; readonly at: number } | undefined;

  constructor(host: ReaderHost) {
    this.host = host;
    host.addController(this);
  }

  /** Of the records of the page and the account. */
  get recordKey(): DraftKey {
    const { forum, page, account, bff } = this.host;
    return { bff: bffAddress(bff).href, forum, page, account, parent: '' };
  }

  /** Of what the account has done here. `parseStorageKey` of `reader-records.ts` reads it. */
  get storageKey(): string {
    return draftStorageKey(this.recordKey).replace('draft', 'likes');
  }

  hostUpdate(): void {
    const key = this.storageKey;
    if (key === this.#key) return;
    this.#key = key;
    this.actions?.clear();
    if (this.host.account && read(key)) void this.load();
  }

  hostUpdated(): void {
    const { id, page, at = 0 } = this.#wanted ?? {};
    if (!this.host.account || id === undefined) return;
    this.#wanted = undefined;
    if (page === this.host.page && Date.now() - at < PRESS_MS) void this.#like(id, true);
  }

  /** @param wants the opposite of what the button shows */
  like(id: string, wants: boolean): void {
    if (this.host.account) return void this.#like(id, wants);
    this.#wanted = { id, page: this.host.page, at: Date.now() };
    // In the reader's press: the browser blocks a window otherwise.
    this.host.dispatchEvent(new Event('sign-in'));
  }

  /** `undefined`: it could not be loaded. The next call tries again. */
  async load(): Promise<ThreadActions | undefined> {
    this.#loading ??= withShared(import('./actions.ts')).then(({ ThreadActions }) => {
      this.host.requestUpdate();
      return this.actions = new ThreadActions(this);
    });
    try {
      return await this.#loading;
    } catch {
      this.#loading = undefined;
    }
  }

  async #like(id: string, wants: boolean): Promise<void> {
    const actions = await this.load();
    const comment = this.host.comments.find(({ key }) => key === id);
    if (!actions) this.host.dispatchEvent(new VestibuleErrorEvent(networkProblem));
    else if (comment && this.host.account) await actions.like(comment, wants);
  }
}
