/** The shape of `GET /session`: who the reader is and what is under way. */

import type { Form } from './form.ts';

export type SessionState = 'anonymous' | 'validating' | 'signed-in';

export interface User {
  /** Stable, never changes (interface, section 2). */
  readonly user_id: string;
  readonly username: string;
}

/** What a reader is told once after a sync that ended outside the page. */
export type Notice = 'declined' | 'rejected' | 'already-granted';

export interface SessionView {
  readonly state: SessionState;
  /** Who is signed in, or, while `validating`, who is about to be. */
  readonly user?: User;
  readonly forum?: string;
  /** The publisher's questions, while `validating`. */
  readonly form?: Form;
  readonly notice?: Notice;
  readonly limits: {
    /** Code points. */
    readonly message_max_length: number;
  };
}
