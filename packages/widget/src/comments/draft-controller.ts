/**
 * Draft of a box from the second stage on: moves it to the account, follows other tabs, boxes and pages, hides it after an
 * explicit sign-out, and keeps the reader's own posts.
 */

import type { ReactiveController } from 'lit';
import type { SessionView } from '@vestibule/shared';
import { hasStoredDrafts, readOwnPosts, removeExpiredRecords, signedOutAt } from '../storage/reader-records.ts';
import { dropKey } from './posting.ts';
import type { Box, CommentsHost } from './second-stage.ts';

export class DraftController implements ReactiveController {
  readonly #host: CommentsHost;
  readonly #box: Box;
  /** When the present reader was first seen signed in, in milliseconds since the epoch. */
  #signedInAt = 0;
  /** A text that the reader has deleted, until the next change. */
  #deleted = '';
  #life: AbortController | undefined;

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
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
    window.addEventListener('storage', ({ key }) => [null, this.#host.draft.storageKey].includes(key) && follow(), { signal });
    this.hideIfSignedOut();
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

  get canUndo(): boolean {
    return this.#deleted !== '';
  }

  showPosts(): void {
    const { draft } = this.#host;
    this.#host.ownPosts = draft.key.account ? readOwnPosts(draft) : [];
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
      const own = host.draftOf(account);
      if (draft.key.account === '' && !draft.isNew) draft.moveTo(own);
      host.showDraft(own);
    }
    this.showPosts();
  }

  /** Shows the draft without an account: the reader has signed out explicitly. */
  close(): void {
    this.#host.ownPosts = [];
    this.#host.showDraft(this.#host.draftOf());
  }

  /** Hides the text of an account whose reader has signed out explicitly, here or in another tab.
   *  @param isSignedOut whether the reader has, if storage has no time of it */
  hideIfSignedOut(isSignedOut = false): void {
    const { account, bff } = this.#host.draft.key;
    const at = signedOutAt(bff);
    if (!account || (at === undefined ? !isSignedOut : at < this.#signedInAt)) return;
    this.close();
    this.#box.send({ type: 'moved' });
    // An element that is being attached subscribes to the store first.
    queueMicrotask(() => void this.#box.store.invalidate());
  }

  /** Shows the text of another tab or box. No letter is lost: this box has stored each one. If storage was emptied, stores the
   *  text again, unless a sign-out has removed it. */
  follow(): void {
    this.hideIfSignedOut();
    const { draft } = this.#host;
    if (this.#box.state.phase.name === 'posting' || !draft.isKept) return;
    const { text, other, idempotencyKey, key: { account, bff } } = draft;
    draft.read();
    if (draft.isNew && (account || signedOutAt(bff) === undefined)) {
      Object.assign(draft, { text, other, idempotencyKey });
      if (text || other) draft.save();
      return;
    }
    if (draft.text === text && draft.other === other) return;
    this.#box.send({ type: 'replaced', text: draft.text });
    this.#show();
  }

  delete(): void {
    const { draft, field } = this.#host;
    const { value } = field;
    this.follow();
    // The text of another tab, which the reader has not seen here.
    if (field.value !== value) return;
    this.#deleted = draft.text;
    draft.text = '';
    dropKey(draft);
    this.#show();
    this.#box.send({ type: 'deleted' });
    field.focus();
  }

  undo(): void {
    this.follow();
    const { draft } = this.#host;
    const { text } = draft;
    draft.text = this.#deleted;
    // What another tab has written in the meantime.
    draft.offer(text);
    draft.save();
    this.onEdit();
    this.#show();
    this.#box.send({ type: 'edit' });
    this.#host.field.focus();
  }

  onEdit(): void {
    this.#deleted = '';
  }

  insertOther(): void {
    const { draft } = this.#host;
    draft.text = [draft.text, draft.other].filter(Boolean).join('\n\n');
    this.removeOther();
  }

  removeOther(): void {
    const { draft, field } = this.#host;
    draft.other = '';
    draft.save();
    this.#show();
    field.focus();
  }

  #show(): void {
    this.#host.showDraft();
    this.#host.requestUpdate();
  }
}
