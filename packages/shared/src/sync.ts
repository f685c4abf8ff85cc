/** Requests and responses of a sign-in (interface, section 3, from step 3). */

import type { Answers } from './form.ts';

/** The four parameters of the return to the publisher (interface 4.3). Not trusted: the browser can
 *  alter them. */
export interface SyncReturn {
  /** The one-time code of the service. */
  readonly code: string;
  /** Name of the claimed user. */
  readonly username: string;
  /** Id of the claimed user. */
  readonly user_id: string;
  /** The service's completion endpoint. */
  readonly audiencesync_uri: string;
}

/** Body of `POST /sync`. */
export interface SyncStart extends SyncReturn {
  /** Short name of the forum. Default: the first one of the BFF. */
  readonly forum?: string;
}

/** Body of `POST /sync/validation`: `sync` and `username` are what the reader was shown. */
export interface SyncValidation {
  /** `id` of the offered sign-in. */
  readonly sync: string;
  /** The name that the reader was shown. */
  readonly username: string;
  /** An object with the answers by field name: a text, a number, a date as `YYYY-MM-DD`, an option's value, or whether a box is
   *  checked. `""`: the reader has left the question open. A question without a member keeps the answer of an earlier sign-in,
   *  if it was not asked because of that answer, and is open otherwise. */
  readonly answers: Answers;
}

/** Body of `POST /sync/cancel`. */
export interface SyncCancellation {
  /** `id` of the offered sign-in. */
  readonly sync: string;
}

/** The response to `POST /sync/validation` and `POST /sync/cancel`. */
export interface SyncOutcome {
  /** How the sign-in ended. */
  readonly outcome: 'accepted' | 'rejected' | 'cancelled';
  /** Where to navigate to complete the process (interface 4.5). Carries the access token: never log, show or keep it. */
  readonly completion_url: string;
  /** Of `rejected`: why, in words for the reader. */
  readonly reason?: string;
}

/** Where a sign-in that began at `GET /sync/authorize` is shown. */
export type SyncDisplay = 'popup' | 'page';
