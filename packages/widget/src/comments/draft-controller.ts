/**
 * Draft of a box: moves it to the account, follows other tabs, boxes and pages, hides it after an
 * explicit sign-out.
 */

import type { ReactiveController } from 'lit';
import { countCodePoints, isBlank, type SessionView } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { limitHeight } from '../lib/limit-height.ts';
import { hasStoredDrafts, removeExpiredRecords, signedOutAt } from '../storage/reader-records.ts';
import { hintedAccount } from '../storage/storage.ts';
import { draftStorageKey, type DraftKey } from '../storage/draft-key.ts';
import { Draft } from '../storage/draft.ts';
import { Article } from './article.ts';
import type { Box, CommentsHost } from './box-host.ts';

export class DraftController implements ReactiveController {
  readonly #host: CommentsHost;
  readonly #box: Box;
  readonly #article: Article;
  /** The last sign-out of this browser that was known when the text came to the screen: `signedOutAt`. */
  #signOut: number | undefined;
  #life: AbortController | undefined;

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
    this.#article = Article.of(host);
    this.#article.onChange = () => this.#followArticle();
    removeExpiredRecords();
    const draft = this.of();
    this.#signOut = signedOutAt(draft.key.bff);
    this.show(draft);
    const account = hintedAccount(bffAddress(host.bff));
    if (account) host.reserve(this.of(account).text);
  }

  hostConnected(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    // A page in the back/forward cache gets no event of storage.
    const onReturn = (): void => this.follow();
    window.addEventListener('pageshow', onReturn, { signal });
    window.addEventListener('focus', onReturn, { signal });
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('storage', ({ key }) => [null, this.#host.draft.storageKey].includes(key) && this.follow(), { signal });
    limitHeight(this.#host.field, signal);
    // Another box may have written while this one was out of the page.
    this.follow();
  }

  hostDisconnected(): void {
    this.#life?.abort();
  }

  /** The forum may have changed. */
  hostUpdate(): void {
    this.#followArticle();
  }

  /** Shows the draft of another article or forum. A text that is being written moves along with an article that is renamed. The
   *  controller of the box changes the BFF. */
  #followArticle(): void {
    const host = this.#host;
    const { draft } = host;
    const key = this.#keyOf(draft.key.account);
    if (key.bff !== draft.key.bff || draftStorageKey(key) === draft.storageKey) return;
    const next = new Draft(key);
    const isRenamed = this.#article.isRenamed && key.forum === draft.key.forum;
    if (isRenamed && host.isWriting && draft.text) {
      draft.moveTo(next);
      this.show(next);
    } else {
      host.isWriting = false;
      this.show(next);
    }
    this.#box.onArticleChange({ isRenamed });
  }

  /** The draft of `account` for the article, forum and BFF of the box. */
  of(account = ''): Draft {
    return new Draft(this.#keyOf(account));
  }

  #keyOf(account: string): DraftKey {
    const { bff, forum, parent } = this.#host;
    return { bff: bffAddress(bff).href, forum, page: this.#article.page, account, parent };
  }

  show(draft: Draft = this.#host.draft): void {
    this.#host.draft = draft;
    this.#host.show(draft.text);
    this.#host.requestUpdate();
  }

  /** Signing out deletes text from this browser. */
  get wouldLoseText(): boolean {
    const { text, key } = this.#host.draft;
    return text !== '' || hasStoredDrafts(key.bff);
  }

  /** The page can be left without losing text. */
  get isSafe(): boolean {
    const { draft } = this.#host;
    return draft.text === '' || draft.edit(draft.text);
  }

  /** Why the text of the field is not posted. */
  get fault(): 'empty' | 'tooLong' | undefined {
    return isBlank(this.#host.field.value) ? 'empty' : this.length.left < 0 ? 'tooLong' : undefined;
  }

  /** `left`: code points; below 0: the text is too long. Near the limit is the last tenth, 200 code points at most. */
  get length(): { readonly left: number; readonly isNear: boolean } {
    const { field, maxLength } = this.#host;
    const bffLimit = this.#box.store.view?.limits.message_max_length ?? Infinity;
    const limit = maxLength && maxLength > 0 ? Math.min(bffLimit, maxLength) : bffLimit;
    const left = limit - countCodePoints(field.value);
    return { left, isNear: left <= Math.min(200, limit / 10) };
  }

  /** Moves text that was written signed out to the account, and offers the account's own text. When a session expires, the text
   *  stays with its account. */
  moveTo(view: SessionView): void {
    const host = this.#host;
    const account = view.state === 'signed-in' ? view.user?.user_id ?? '' : '';
    if (account) this.#signOut = signedOutAt(host.draft.key.bff);
    const { draft } = host;
    if (!account || account === draft.key.account) this.follow();
    else {
      // The store has moved what is stored. The field shows the text all the time.
      this.hideIfSignedOut();
      const isRemoved = !draft.follow() && this.#isRemoved(draft);
      const own = this.of(account);
      if (draft.key.account === '' && !draft.isNew && !isRemoved) draft.moveTo(own);
      this.show(own);
    }
    host.field.style.minBlockSize = '';
  }

  /** Shows the draft without an account: the reader has signed out explicitly. */
  close(): void {
    this.show(this.of());
    this.#signOut = signedOutAt(this.#host.draft.key.bff);
  }

  /** Hides the text of an account whose reader has signed out explicitly, here or in another tab.
   *  @param isSignedOut whether the reader has, if storage has no time of it */
  hideIfSignedOut(isSignedOut = false): void {
    const { account, bff } = this.#host.draft.key;
    const at = signedOutAt(bff);
    if (!account || (at === undefined ? !isSignedOut : at === this.#signOut)) return;
    this.close();
    this.#box.send({ type: 'article-changed' });
    // A box of this page says that itself, once the BFF has ended the session.
    if (!this.#box.store.isSigningOut) this.#box.send({ type: 'signed-out-elsewhere' });
    // An element that is being attached subscribes to the store first.
    queueMicrotask(() => this.#box.store.invalidate());
  }

  /** Shows the text of another tab or box. No letter is lost: this box has stored each one. If storage was emptied, stores the
   *  text again, unless a sign-out has removed it. */
  follow(): void {
    this.hideIfSignedOut();
    const { draft } = this.#host;
    const { text } = draft;
    if (!draft.follow()) {
      if (this.#isRemoved(draft)) this.show(this.of());
      else if (text) draft.edit(text);
    } else if (draft.text !== text) this.show();
    this.#box.send({ type: 'followed', isGone: text !== '' && this.#host.draft.text === '' });
  }

  /** Of a draft that is not stored any more: a sign-out has removed it. */
  #isRemoved({ key: { account, bff } }: Draft): boolean {
    return !account && signedOutAt(bff) !== this.#signOut;
  }

  onEdit(): void {
    const { draft, field } = this.#host;
    draft.edit(field.value);
  }
}
