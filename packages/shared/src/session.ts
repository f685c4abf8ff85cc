/** The shape of `GET /session`: who the reader is and what is in progress. */

import type { Form } from './form.ts';

/** State of the browser: `validating` only without a live session. */
export type SessionState = 'anonymous' | 'validating' | 'signed-in';

/** A user of the service. */
export interface User {
  /** Stable, never changes (interface, section 2). */
  readonly user_id: string;
  /** Name that readers see. */
  readonly username: string;
}

/** The user who is signed in. */
export interface SessionUser extends User {
  /** Equal to `author.key` of the user's own entries in `GET /posts`. Absent for a user who is not proven. */
  readonly key?: string;
  /** `true`: the token exchange returned id and name. Otherwise absent. */
  readonly proven?: true;
}

/** How a sign-in ended outside the page. Repeated for a minute; the widget shows an id once. */
export interface Notice {
  readonly id: string;
  readonly kind: 'declined' | 'rejected' | 'already-granted';
  /** Of `rejected`: why, in words for the reader. */
  readonly reason?: string;
  /** Reference of the failure behind the notice: finds its line in the log. */
  readonly instance?: string;
}

/** A sign-in waiting for validation. It is an offer: it never replaces a live session. */
export interface SyncOffer {
  /** Names this sign-in in `POST /sync/validation` and `POST /sync/cancel`. */
  readonly id: string;
  /** The claimed user; the proven user once the code was exchanged. */
  readonly user: User;
  /** Short name of the forum. */
  readonly forum: string;
  /** The questions to ask. In a browser that this user has signed in with before, those whose answers are kept are left out. */
  readonly form: Form;
  /** The sign-in was begun with `post=1`: a text waits for it. */
  readonly post?: true;
}

/** The response to `GET /session`. */
export interface SessionView {
  /** `anonymous`, `validating` or `signed-in`; `validating` only without a live session. */
  readonly state: SessionState;
  /** Names this session in `DELETE /session`, which then ends no other; opaque, only when `signed-in`. */
  readonly session?: string;
  /** The user who is signed in; only when `signed-in`. */
  readonly user?: SessionUser;
  /** A sign-in that waits for validation. */
  readonly sync?: SyncOffer;
  /** How a sign-in ended outside the page. */
  readonly notice?: Notice;
  /** Limits of the BFF: the longest message, in code points. */
  readonly limits: {
    /** Code points. */
    readonly message_max_length: number;
  };
}
