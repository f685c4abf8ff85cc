/** What the reader does with the comments of the page: `actions.ts` is loaded when they act, when they have acted here before, or
 *  when the list has a comment of theirs. Where it does not load, the comment that they act on says so. */

import type { ReactiveController } from 'lit';
import { bffAddress } from '../client/address.ts';
import { networkProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { Part } from '../lib/part.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { SessionStore } from '../session/session-store.ts';
import { draftStorageKey, readDraftRecord, type DraftKey } from '../storage/draft.ts';
import { list, read } from '../storage/storage.ts';
import type { ThreadActions } from './actions.ts';
import type { Comment } from './comment-tree.ts';
import type { ThreadController } from './thread-controller.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

export interface FailedPress {
  /** Of the comment. */
  readonly id: string;
  /** Why nothing was done. */
  readonly text: string;
  readonly again: () => void;
}

export class ReaderController implements ReactiveController {
  readonly host: VestibuleThread;
  readonly thread: ThreadController;
  readonly #part: Part<ThreadActions>;
  /** BFF, forum, page and account that the actions belong to. */
  #key = '';
  /** The last press, if the actions could not be loaded. */
  failed: FailedPress | undefined;
  /** Ids of the comments to which a reply waits as a draft. */
  drafts: ReadonlySet<string> = new Set();
  /** What they were read for. */
  #draftsKey = '';

  constructor(host: VestibuleThread, thread: ThreadController) {
    this.host = host;
    this.thread = thread;
    // The page gets one event for consecutive failures.
    this.#part = new Part(async () => new (await import('./actions.ts')).ThreadActions(this), {
      onChange: () => host.requestUpdate(),
      onFailure: () => host.dispatchEvent(new VestibuleErrorEvent(networkProblem)),
    });
    host.addController(this);
  }

  get actions(): ThreadActions | undefined {
    return this.#part.module;
  }

  /** The reader may act soon. A load that fails is repeated when they do. */
  prepare(): void {
    if (!this.#part.hasFailed) void this.#load();
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
    this.failed = undefined;
    this.actions?.clear();
    this.#follow();
  }

  /** Loads the actions where the account has done something here. */
  #follow(): void {
    if (this.host.account && read(this.#key)) this.prepare();
  }

  /** Again with each composer that opens or closes, and each entry that goes: its text may be a draft again. */
  #findDrafts(): void {
    const { recordKey } = this;
    // Those of a reader whose session has ended by itself stay.
    const account = recordKey.account || SessionStore.at(new URL(recordKey.bff)).owner;
    const prefix = `${draftStorageKey({ ...recordKey, account })} `;
    const key = `${prefix}${this.host.replyingTo ?? ''} ${this.host.entries.length}`;
    if (key === this.#draftsKey) return;
    this.#draftsKey = key;
    const keys = list().filter((one) => one.startsWith(prefix) && readDraftRecord(one)?.text);
    this.drafts = new Set(keys.map((one) => decodeURIComponent(one.slice(prefix.length))));
  }

  readonly #onStorage = ({ key }: StorageEvent): void => {
    if (key === this.#key) {
      this.actions?.read();
      this.#follow();
    } else if (key?.startsWith('vestibule:draft ')) this.#draftsKey = '';
    else return;
    this.host.requestUpdate();
  };

  /** What a button of the comment does. Without a session the press signs in, and does nothing else. */
  async act(id: string, act: (actions: ThreadActions, comment: Comment) => unknown): Promise<void> {
    const { host, storageKey } = this;
    // In the reader's press: the browser blocks a window otherwise.
    if (!host.account) return void host.dispatchEvent(new Event('sign-in'));
    this.failed = undefined;
    host.requestUpdate();
    const actions = await this.#load();
    // Another reader is signed in meanwhile, or the page shows another article.
    if (this.storageKey !== storageKey) return;
    const comment = host.comments.find(({ key }) => key === id);
    if (actions && comment) return void act(actions, comment);
    if (actions) return;
    const { network: text } = host.localizer.strings('problems', problemStrings, host.strings);
    this.failed = { id, text, again: () => void this.act(id, act) };
    host.requestUpdate();
  }

  /** `undefined`: it could not be loaded. */
  #load(): Promise<ThreadActions | undefined> {
    return this.#part.load().catch(() => undefined);
  }
}
