/** All that lives under a browser's identifiers, looked up in one step of the store. */

import { findTogether, type EncryptedCollection, type Found, type RecordRef } from '../store/encrypted-collection.ts';
import type { Store } from '../store/store.ts';
import type { PendingNotice, PendingSync } from '../sync/pending-sync.ts';
import type { Session } from './session.ts';
import type { SessionManager } from './session-manager.ts';

export interface LookUpDeps {
  readonly store: Pick<Store, 'getMany'>;
  readonly sessions: SessionManager;
  readonly pending: EncryptedCollection<PendingSync>;
  readonly notices: EncryptedCollection<PendingNotice>;
}

export interface BrowserState {
  readonly session: Session | undefined;
  /** The newest one. */
  readonly sync: PendingSync | undefined;
  /** Identifiers under which there is a notice to be taken. */
  readonly noticed: readonly string[];
}

/** @param handles every identifier of the browser's, the session's among them */
export async function lookUp(sessionId: string | undefined, handles: readonly string[], deps: LookUpDeps): Promise<BrowserState> {
  const { store, sessions, pending, notices } = deps;
  const refs: RecordRef<unknown>[] = handles.flatMap((handle) => [pending.ref(handle), notices.ref(handle)]);
  if (sessionId !== undefined) refs.push(sessions.ref(sessionId));
  const found = await findTogether(store, refs);
  const session = sessionId === undefined ? undefined : found.at(-1) as Found<Session> | undefined;
  return {
    session: session && await sessions.living(sessionId as string, session),
    sync: newest(handles.map((_, i) => found[2 * i] as Found<PendingSync> | undefined)),
    noticed: handles.filter((_, i) => found[2 * i + 1] !== undefined),
  };
}

function newest(syncs: readonly (Found<PendingSync> | undefined)[]): PendingSync | undefined {
  let best: PendingSync | undefined;
  for (const sync of syncs) if (sync && (!best || sync.record.beganAt > best.beganAt)) best = sync.record;
  return best;
}
