/**
 * Draft of a box from the second stage on: moves it to the account, follows other tabs, boxes and pages, hides it after an
 * explicit sign-out, and keeps the reader's own posts.
 */

import type { ReactiveController } from 'lit';
import type { SessionView } from '@vestibule/shared';
import {
  addOwnPost, hasStoredDrafts, readOwnPosts, removeExpiredRecords, signedOutAt, type OwnPost,
} from '../storage/reader-records.ts';
import { message, type PhaseMachine } from './phase-machine.ts';
import type { CommentsHost } from './second-stage.ts';
import { dropKey } from './submission.ts';

export class DraftController implements ReactiveController {
  posts: readonly OwnPost[] = [];
  readonly #host: CommentsHost;
  readonly #machine: PhaseMachine;
  readonly #onHidden: () => void;
  /** When the present reader was first seen signed in, in milliseconds since the epoch. */
  #signedInAt = 0;
  #life: AbortController | undefined;

  /** @param onHidden called after the text of an account was hidden */
  constructor(host: CommentsHost, machine: PhaseMachine, onHidden: () => void) {
    this.#host = host;
    this.#machine = machine;
    this.#onHidden = onHidden;
    removeExpiredRecords();
  }

  hostConnected(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    // A page in the back/forward cache gets no event of storage.
    const follow = (): void => this.follow();
    window.addEventListener('pageshow', follow, { signal });
    window.addEventListener('focus', follow, { signal });
    document.addEventListener('visibilitychange', follow, { signal });
    window.addEventListener('storage', ({ key }) => this.#onStorage(key), { signal });
    this.hideIfSignedOut();
    this.#host.followPage();
  }

  hostDisconnected(): void {
    this.#life?.abort();
  }

  /** Signing out deletes text of the account from this browser. */
  get wouldLoseText(): boolean {
    const { text, other, key } = this.#host.draft;
    return Boolean(text || other) || hasStoredDrafts(key.bff, key.account);
  }

  /** The page can be left without losing text. */
  get isSafe(): boolean {
    const { draft } = this.#host;
    return draft.text === '' || draft.save();
  }

  showPosts(): void {
    const { draft } = this.#host;
    this.posts = draft.key.account ? readOwnPosts(draft) : [];
  }

  addPost(post: OwnPost): void {
    this.posts = addOwnPost(this.#host.draft, this.posts, post);
  }

  /** Moves text that was written signed out to the account, and offers the account's own text. When a session expires, the text
   *  stays with its account. */
  moveTo(view: SessionView): void {
    const host = this.#host;
    const account = view.state === 'signed-in' ? view.user?.user_id ?? '' : '';
    if (account) this.#signedInAt = Date.now();
    this.follow();
    if (!account) return;
    const { draft } = host;
    if (account !== draft.key.account) {
      host.openDraft(account);
      if (draft.key.account === '' && (draft.text || draft.other)) {
        draft.moveTo(host.draft);
        host.showDraft();
      }
    }
    this.showPosts();
  }

  /** Shows the draft without an account: the reader has signed out explicitly. */
  close(): void {
    this.posts = [];
    this.#host.openDraft();
  }

  /** Hides the text of an account whose reader has signed out explicitly, here or in another tab.
   *  @param isSignedOut whether the reader has, if storage has no time of it */
  hideIfSignedOut(isSignedOut = false): void {
    const { account, bff } = this.#host.draft.key;
    const at = signedOutAt(bff);
    if (!account || (at === undefined ? !isSignedOut : at < this.#signedInAt)) return;
    this.close();
    this.#onHidden();
  }

  /** Shows the text of another tab or box. No letter is lost: this box has stored each one. If storage was emptied, stores the
   *  text again, unless a sign-out has removed it. */
  follow(): void {
    this.hideIfSignedOut();
    const { draft } = this.#host;
    if (this.#machine.is('posting') || !draft.isKept) return;
    const { text, other, idempotencyKey, key: { account, bff } } = draft;
    if (!draft.read() && (account || signedOutAt(bff) === undefined)) {
      Object.assign(draft, { text, other, idempotencyKey });
      if (text || other) draft.save();
      return;
    }
    if (draft.text === text && draft.other === other) return;
    const { phase } = this.#machine;
    if (phase.name === 'unconfirmed' && draft.text !== phase.message) this.#machine.go({ name: 'writing' });
    this.#show();
  }

  discard(): void {
    const { draft, field } = this.#host;
    const { value } = field;
    field.focus();
    // The focus takes over the text of another tab, which the reader has not seen here.
    if (field.value !== value) return;
    field.select();
    // Unlike an assignment to `value`, this can be undone with Ctrl+Z.
    if (!document.execCommand('delete')) field.value = '';
    draft.text = '';
    dropKey(draft);
    this.#machine.announce(message('discarded'));
  }

  insertOther(): void {
    const { draft } = this.#host;
    draft.text = [draft.text, draft.other].filter(Boolean).join('\n\n');
    draft.other = '';
    draft.save();
    this.#show();
    this.#machine.focus('field');
  }

  removeOther(): void {
    this.#host.draft.other = '';
    this.#host.draft.save();
    this.#show();
    this.#machine.focus('field');
  }

  #show(): void {
    this.#host.showDraft();
    this.#host.requestUpdate();
  }

  #onStorage(key: string | null): void {
    const { draft } = this.#host;
    if (key !== null && key !== draft.storageKey) return;
    this.follow();
  }
}
