/**
 * The press of a box that posts: at once, or once its reader has signed in. A page has one sign-in window: it carries out the
 * last press only, whichever box that is of.
 */

import type { SessionUser } from '@vestibule/shared';
import { isFresh } from '../writing/entry.ts';
import type { PressRecord } from '../storage/return-marker.ts';

export class PendingPress {
  static #last: PendingPress | undefined;
  record: PressRecord | undefined;

  /** @param record `undefined`: it signs in only */
  begin(record: PressRecord | undefined): void {
    this.record = record;
    PendingPress.#last = this;
  }

  /** The window that it has opened, or the form of this page, says that the reader has signed in.
   *  @param account that was accepted; empty: not named */
  finish(account = ''): void {
    const { record } = this;
    if (record && PendingPress.#last === this) this.record = { ...record, account: record.account || account, isFinished: true };
  }

  drop(): void {
    this.record = undefined;
  }

  /** `user` may post it: of the sign-in that it has begun, proven, in time, and none but the account of its text. */
  mayBePostedBy(user: SessionUser | undefined): boolean {
    const { isFinished = false, at = 0, account } = this.record ?? {};
    if (!isFinished || user?.proven !== true || !isFresh({ pressedAt: at }, Date.now())) return false;
    return !account || account === user.user_id;
  }
}
