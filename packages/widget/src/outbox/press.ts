/** What a box gives to the outbox at a press, and what it gets to show. */

import type { SessionUser } from '@vestibule/shared';
import type { OutboxEntry, Place } from './outbox-entry.ts';
import type { Row } from './outbox-state.ts';

export interface Press extends Place {
  readonly visit: string;
  readonly text: string;
  readonly parent?: string | undefined;
  readonly inReplyTo?: string | undefined;
  /** The page, as it is sent. */
  readonly address: string;
  readonly user: SessionUser;
  readonly session?: string | undefined;
  /** `signOutId` when the box last learned who is signed in. */
  readonly signOut: string;
  /** Names the draft and its revision. */
  readonly taken?: string | undefined;
  /** Empties the field and removes its draft, once the entry is stored. */
  readonly take: () => void;
  /** When the reader pressed: earlier if a sign-in has come between. */
  readonly at?: number | undefined;
}

/** Of a press that posts an entry again. */
export type PressAgain = Pick<Press, 'session' | 'signOut' | 'at'>;

export interface ShownEntry {
  readonly entry: OutboxEntry;
  readonly row: Row;
  /** Storage has refused it: it lasts as long as the document. */
  readonly isKept: boolean;
  /** It can be undone. */
  readonly isDeleted: boolean;
}
