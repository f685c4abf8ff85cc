/** A signed-in reader as the store keeps them. Written once at sign-in and never again: what a request under way knows of
 *  an old session cannot overwrite a new one or bring an ended one back. */

import type { User } from '@vestibule/shared';

export interface Session {
  readonly user: User;
  /** From the token exchange (interface 4.4). */
  readonly accessToken: string;
  readonly forum: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
}
