/** What a box gives to the outbox at a press, and what it gets to show. */

import type { OutboxEntry, Pressed } from './outbox-entry.ts';
import type { Row } from './outbox-state.ts';

export interface Press extends Pick<
  Pressed, 'bff' | 'account' | 'forum' | 'article' | 'text' | 'parent' | 'inReplyTo' | 'address' | 'user' | 'session' | 'signOut' | 'taken'
> {
  readonly visit: string;
  /** Empties the field and removes its draft, once the entry is stored. */
  readonly take: () => void;
  /** When the reader pressed: earlier if a sign-in has come between. */
  readonly at?: number | undefined;
}

/** Posts an entry again. */
export interface PressAgain extends Pick<Press, 'session' | 'signOut' | 'at'> {
  /** That its reader has edited. */
  readonly text?: string | undefined;
}

export interface ShownEntry {
  readonly entry: OutboxEntry;
  readonly row: Row;
  /** Storage has refused it: it lasts as long as the document. */
  readonly isKept: boolean;
  /** It can be undone. */
  readonly isDeleted: boolean;
}

/** The ids under which lists may show an entry. */
export function idsOf(entry: OutboxEntry): string[] {
  if (entry.state !== 'posted') return [];
  const { postId, listed } = entry;
  return [postId, listed && 'id' in listed ? listed.id : undefined].filter((id) => id !== undefined);
}
