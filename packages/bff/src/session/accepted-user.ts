/** The user of a session, as hooks and the library's host get it. */

import type { User } from '@vestibule/shared';

/** A user after the token exchange. */
export interface AcceptedUser extends User {
  /** `false`: the exchange returned no `user_id`, so this is the claimed user. Otherwise absent. */
  readonly proven?: false;
}
