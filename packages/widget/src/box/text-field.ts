/** The field of a box and its draft: of which account and article it is, and what other tabs make of it. */

import { countCodePoints, isBlank } from '@vestibule/shared';
import { claimDrafts, draftStorageKey, hasStoredDrafts, isDraftKept, moveDraft, readDraft, writeDraft, type DraftKey } from '../storage/draft.ts';
import { removeExpiredRecords } from '../storage/expired-records.ts';
import type { Box } from './box.ts';

export class TextField {
  /** Of the text that is shown. */
  key: DraftKey;
  /** It was written signed out, and belongs to the reader who is signed in now. */
  isClaimed = false;
  isComposing = false;
  readonly #box: Box;

  constructor(box: Box) {
    this.#box = box;
    removeExpiredRecords();
    this.key = this.#keyNow;
    this.#claim();
  }

  get element(): HTMLTextAreaElement | null {
    return this.#box.root.querySelector('textarea');
  }

  /** Before the field is drawn, that of the draft. */
  get text(): string {
    return this.element?.value ?? readDraft(this.key)?.text ?? '';
  }

  /** Name of the other account that has written it. */
  get writer(): string | undefined {
    return readDraft(this.key)?.writer;
  }

  /** Signing out deletes text of the reader from this browser. */
  get wouldLoseText(): boolean {
    return this.text !== '' || hasStoredDrafts(this.key);
  }

  /** Storage has it. */
  get isKept(): boolean {
    return this.text === '' || isDraftKept(this.key);
  }

  /** The page can be left without losing text. */
  get isSafe(): boolean {
    return this.text === '' || writeDraft(this.key, this.text);
  }

  /** Why the text is not posted. */
  get fault(): 'empty' | 'tooLong' | undefined {
    return isBlank(this.text) ? 'empty' : this.length.left < 0 ? 'tooLong' : undefined;
  }

  /** `left`: code points; below 0: the text is too long. Near the limit is the last tenth, 200 code points at most. */
  get length(): { readonly left: number; readonly isNear: boolean } {
    const { element: { maxLength }, store } = this.#box;
    const bffLimit = store.view?.limits.message_max_length ?? Infinity;
    const limit = maxLength && maxLength > 0 ? Math.min(bffLimit, maxLength) : bffLimit;
    const left = limit - countCodePoints(this.text);
    return { left, isNear: left <= Math.min(200, limit / 10) };
  }

  /** @param signal ends it */
  connect(signal: AbortSignal): void {
    // A page in the back/forward cache gets no event of storage.
    const onReturn = (): void => this.follow();
    window.addEventListener('pageshow', onReturn, { signal });
    window.addEventListener('focus', onReturn, { signal });
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('storage', ({ key }) => [null, draftStorageKey(this.key)].includes(key) && this.follow(), { signal });
    for (const type of ['compositionstart', 'compositionend']) {
      this.element!.addEventListener(type, () => {
        this.isComposing = type === 'compositionstart';
        if (!this.isComposing) this.followReader();
      }, { signal });
    }
    limitHeight(this.element!, signal);
  }

  get #keyNow(): DraftKey {
    const { element: { forum, parent }, store: { bff, owner: account }, article: { page } } = this.#box;
    return { bff, forum, page, account, parent };
  }

  /** Shows the draft; the selection stays at its letters, also where a text has come before them. */
  show(): void {
    const text = readDraft(this.key)?.text ?? '';
    const { element } = this;
    if (element && element.value !== text) {
      const { value, selectionStart, selectionEnd, selectionDirection } = element;
      const shift = text.endsWith(value) ? text.length - value.length : 0;
      element.value = text;
      if (element === this.#box.root.activeElement) {
        element.setSelectionRange(selectionStart + shift, selectionEnd + shift, selectionDirection);
      }
      this.grow();
    }
    this.#box.requestUpdate();
  }

  /** Where the browser has no `field-sizing`. */
  grow(): void {
    const { element } = this;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.blockSize = 'auto';
    element.style.blockSize = `${element.scrollHeight}px`;
  }

  /** The reader has written. */
  onInput(): void {
    writeDraft(this.key, this.text);
    this.grow();
  }

  /** Shows the text of another tab or box. No letter is lost: this box has stored each one. If storage was emptied, stores the
   *  text again. */
  follow(): void {
    this.#box.store.follow();
    // An assignment would end the composition. Its next letter counts.
    if (this.isComposing) return;
    const { text } = this;
    const draft = readDraft(this.key);
    if (!draft && text) writeDraft(this.key, text);
    else if (draft && draft.text !== text) this.show();
    if (text && !this.text) this.#box.send({ type: 'text-gone' });
  }

  /** Shows the draft of the reader. Text that was written signed out is theirs; text of a session that expired stays. */
  followReader(): void {
    const { owner } = this.#box.store;
    // A text that is being composed goes to the reader at its end, but not past a sign-out.
    if (owner === this.key.account || (this.isComposing && owner)) return this.follow();
    this.reread();
  }

  /** Shows what storage has for the reader, the article and the BFF. */
  reread(): void {
    this.key = this.#keyNow;
    this.#claim();
    this.show();
  }

  /** Shows the draft of another article or forum; the text moves along with an article that is only renamed.
   *  Returns whether it is another article. */
  followArticle(): boolean {
    const key = { ...this.#keyNow, account: this.key.account };
    if (key.bff !== this.key.bff || draftStorageKey(key) === draftStorageKey(this.key)) return false;
    const isRenamed = this.#box.article.isRenamed && key.forum === this.key.forum;
    if (isRenamed) moveDraft(this.key, key);
    this.key = key;
    this.#claim();
    this.show();
    return !isRenamed;
  }

  #claim(): void {
    if (!this.#box.account) return;
    this.isClaimed = Boolean(readDraft({ ...this.key, account: '' })?.text);
    claimDrafts(this.key);
  }
}

/** A field takes at most 40 % of what the keyboard on the screen leaves of it: `dvh` does not know the keyboard. */
function limitHeight(field: HTMLElement, signal: AbortSignal): void {
  const { visualViewport } = window;
  visualViewport?.addEventListener('resize', () => {
    field.style.maxBlockSize = visualViewport.scale === 1 ? `${visualViewport.height * 0.4}px` : '';
  }, { signal });
}
