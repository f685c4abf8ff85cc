/**
 * The press of a box that posts: at once, or once its reader has signed in. A page has one sign-in window: it carries out the
 * last press only, whichever box that is of.
 */

import { isBlank, type User } from '@vestibule/shared';
import { draftStorageKey } from '../storage/draft.ts';
import { isFresh } from '../writing/entry.ts';
import type { PressRecord } from '../storage/return-marker.ts';
import type { Box } from './box.ts';
import { focusOn } from './focus.ts';

export class PendingPress {
  static #last: PendingPress | undefined;
  readonly #box: Box;
  /** `undefined`: none, or one that signs in only. */
  record: PressRecord | undefined;
  /** `user_id` of the reader who was accepted by the sign-in that it has begun. */
  #accepted: string | undefined;

  constructor(box: Box) {
    this.#box = box;
  }

  /** The main button, or its key. @param text as the reader saw it */
  begin(text: string): void {
    const { text: { key: { account } }, element: { parent, replyTo }, store: { ownerName: name } } = this.#box;
    const reply = parent ? { parent, replyTo } : undefined;
    this.replace(isBlank(text) ? undefined : { text, at: Date.now(), account, name, reply });
  }

  /** @param record of a press before the page was left; `undefined`: it signs in only */
  replace(record: PressRecord | undefined): void {
    this.record = record;
    this.#accepted = undefined;
    PendingPress.#last = this;
  }

  /** The window that it has opened, or the form in the box, says who was accepted. */
  accept(account: string | undefined): void {
    const last = PendingPress.#last;
    if (last && last.#isLeftTo(this.#box)) this.replace(last.record);
    if (this.record && PendingPress.#last === this) this.#accepted = account;
  }

  /** For the box of its article: a reply whose composer is closed. */
  #isLeftTo({ text }: Box): boolean {
    const { element, text: { key } } = this.#box;
    const isOfArticle = draftStorageKey({ ...text.key, account: '' }) === draftStorageKey({ ...key, account: '', parent: '' });
    return this.record?.reply !== undefined && !element.isConnected && isOfArticle;
  }

  drop(): void {
    this.record = this.#accepted = undefined;
  }

  get isAccepted(): boolean {
    return this.#accepted !== undefined;
  }

  /** It is that of a reply whose composer is gone: the page was left. */
  get isElsewhere(): boolean {
    return this.record?.reply !== undefined && !this.#box.element.parent;
  }

  /** Its text is that of another account than the one that is signed in: the name of that one. */
  get otherWriter(): string | undefined {
    const { account, name } = this.record ?? {};
    return account && account !== this.#box.account ? name : undefined;
  }

  /** It is less than ten minutes old, and its text is still there and may be posted. */
  get isCurrent(): boolean {
    const { record } = this;
    const { text, entries, isClosed } = this.#box;
    if (!record || isClosed || !isFresh({ pressedAt: record.at }, Date.now())) return false;
    if (this.isElsewhere) return record.text === entries.replyDraft(record.reply!)?.text;
    return record.text === text.text && text.fault === undefined;
  }

  /** The reader who was accepted is signed in: it posts. */
  get isFinished(): boolean {
    return this.isAccepted && this.#accepted === this.#box.account && this.otherWriter === undefined && this.isCurrent;
  }

  /** For the form in the box: `undefined` where there is nothing to post in the name that it shows. */
  get onAccepted(): ((user: User) => Promise<unknown>) | undefined {
    const { state: { phase }, store: { view } } = this.#box;
    const shown = phase.name === 'form' ? phase.syncReturn ?? view?.sync?.user : undefined;
    return this.isCurrent && [shown?.user_id, ''].includes(this.record!.account ?? '') ? this.#onAccepted : undefined;
  }

  /** Makes the entry, and resolves when its request has left. */
  readonly #onAccepted = (user: User): Promise<unknown> => {
    this.accept(user.user_id);
    this.#box.store.accept(user);
    return this.#box.entries.requested;
  };

  /** Takes the text out of the field. Returns `false` where it stays: the reader has changed it, or the page has canceled the
   *  event. */
  post(): boolean {
    const box = this.#box;
    const { at, reply } = this.record!;
    const { isElsewhere } = this;
    this.drop();
    const posted = box.entries.press(at, isElsewhere ? reply : undefined);
    if (!posted) return false;
    if (isElsewhere) return true;
    if (box.element.parent) box.element.dispatchEvent(new CustomEvent('close', { detail: posted }));
    else if (matchMedia('(pointer: coarse)').matches) box.entries.focusEntry(posted);
    else focusOn(box, 'field');
    // After the focus, which opens it.
    box.isOpen = false;
    box.requestUpdate();
    return true;
  }
}
