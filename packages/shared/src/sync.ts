/** Requests and responses of a sign-in (interface, section 3, from step 3). */

import type { Answers } from './form.ts';

/** The four parameters of the return to the publisher (interface 4.3). Not trusted: the browser can
 *  alter them. */
export interface SyncReturn {
  readonly code: string;
  readonly username: string;
  readonly user_id: string;
  readonly audiencesync_uri: string;
}

/** Body of `POST /sync`. */
export interface SyncStart extends SyncReturn {
  readonly forum?: string;
}

/** Body of `POST /sync/validation`: `sync` and `username` are what the reader was shown. */
export interface SyncValidation {
  /** `id` of the offered sign-in. */
  readonly sync: string;
  readonly username: string;
  readonly answers: Answers;
}

/** Body of `POST /sync/cancel`. */
export interface SyncCancellation {
  /** `id` of the offered sign-in. */
  readonly sync: string;
}

/** The response to `POST /sync/validation` and `POST /sync/cancel`. */
export interface SyncOutcome {
  readonly outcome: 'accepted' | 'rejected' | 'cancelled';
  /** Where to navigate to complete the process (interface 4.5). Carries the access token: never log, show or keep it. */
  readonly completion_url: string;
  /** Of `rejected`: why, in words for the reader. */
  readonly reason?: string;
}

/** Where a sign-in that began at `GET /sync/authorize` is shown. */
export type SyncDisplay = 'popup' | 'page';
