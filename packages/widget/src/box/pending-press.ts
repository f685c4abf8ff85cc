/**
 * The press of a box that posts: at once, or once its reader has signed in. A page has one sign-in window: it carries out the
 * last press only, whichever box that is of.
 */

import { isBlank, type User } from '@vestibule/shared';
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
    const { text: { key: { account } }, element: { parent, replyTo } } = this.#box;
    this.replace(isBlank(text) ? undefined : { text, at: Date.now(), account, reply: parent ? { parent, replyTo } : undefined });
  }

  /** @param record of a press before the page was left; `undefined`: it signs in only */
  replace(record: PressRecord | undefined): void {
    this.record = record;
    this.#accepted = undefined;
    PendingPress.#last = this;
  }

  /** The window that it has opened, or the form in the box, says who was accepted. */
  accept(account: string | undefined): void {
    if (this.record && PendingPress.#last === this) this.#accepted = account;
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

  /** Its text, or the sign-in, is that of another account than the one that is signed in. */
  get isOfOther(): boolean {
    const account = this.record?.account || this.#accepted;
    return !!account && account !== this.#box.account;
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
    return this.isAccepted && this.#accepted === this.#box.account && !this.isOfOther && this.isCurrent;
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
