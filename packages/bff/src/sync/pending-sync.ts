/** A sync under way as the store keeps it: what the return brought, until the reader is validated. */

import type { Notice, SyncReturn } from '@vestibule/shared';

export interface PendingSync extends SyncReturn {
  readonly forum: string;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
}

/** Told once. */
export interface PendingNotice {
  readonly notice: Notice;
  readonly at: number;
}

/** An authorization request on its way: what `GET /sync/authorize` promised the browser that began it. */
export interface Attempt {
  readonly forum: string;
  /** Where the page is that the reader comes from. */
  readonly returnTo: string;
  readonly display: 'popup' | 'page';
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
}
