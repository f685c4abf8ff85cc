/**
 * Draft of a box from the second stage on: moves it to the account, follows other tabs, boxes and pages, hides it after an
 * explicit sign-out, and keeps the reader's own posts.
 */

import type { ReactiveController } from 'lit';
import type { SessionView } from '@vestibule/shared';
import { hasStoredDrafts, readOwnPosts, removeExpiredRecords, signedOutAt } from '../storage/reader-records.ts';
import type { Draft } from '../storage/draft.ts';
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
    const onReturn = (): void => {
      this.follow();
      if (!document.hidden) this.#box.resumePost();
    };
    window.addEventListener('pageshow', onReturn, { signal });
    window.addEventListener('focus', onReturn, { signal });
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('storage', ({ key }) => [null, this.#host.draft.storageKey].includes(key) && this.follow(), { signal });
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
    return draft.text === '' || draft.edit(draft.text);
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
    const { draft } = host;
    if (!account || account === draft.key.account) this.follow();
    else {
      // The store has moved what is stored. The field shows the text all the time.
      this.hideIfSignedOut();
      const isRemoved = !draft.follow() && this.#isRemoved(draft);
      const own = host.draftOf(account);
      if (draft.key.account === '' && !draft.isNew && !isRemoved) draft.moveTo(own);
      host.showDraft(own);
    }
    if (account) this.showPosts();
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
    queueMicrotask(() => this.#box.store.invalidate());
  }

  /** Shows the text of another tab or box. No letter is lost: this box has stored each one. If storage was emptied, stores the
   *  text again, unless a sign-out has removed it. */
  follow(): void {
    this.hideIfSignedOut();
    const { draft } = this.#host;
    if (this.#box.state.phase.name === 'posting') return;
    const { text, other } = draft;
    if (!draft.follow()) {
      if (this.#isRemoved(draft)) this.#show(this.#host.draftOf());
      else if (text || other) draft.edit(text);
    } else if (draft.text !== text || draft.other !== other) this.#show();
    this.#box.send({ type: 'followed' });
  }

  /** Of a draft that is not stored any more: a sign-out has removed it. */
  #isRemoved({ key: { account, bff } }: Draft): boolean {
    return !account && signedOutAt(bff) !== undefined;
  }

  delete(): void {
    const { draft, field } = this.#host;
    const { value } = field;
    this.follow();
    // The text of another tab, which the reader has not seen here.
    if (field.value !== value) return;
    this.#deleted = draft.text;
    draft.edit('');
    this.#show();
    this.#box.send({ type: 'deleted' });
    field.focus();
  }

  undo(): void {
    this.follow();
    const { draft } = this.#host;
    // What another tab has written in the meantime is offered.
    draft.edit(this.#deleted, [draft.text, draft.other].filter(Boolean).join('\n\n'));
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
    this.removeOther([draft.text, draft.other].filter(Boolean).join('\n\n'));
  }

  removeOther(text = this.#host.draft.text): void {
    const { draft, field } = this.#host;
    draft.edit(text, '');
    this.#show();
    field.focus();
  }

  #show(draft?: Draft): void {
    this.#host.showDraft(draft);
    this.#host.requestUpdate();
  }
}
