/** All that lives under a browser's identifiers, looked up in one step of the store. */

import { findTogether, type Found, type Records } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { PendingNotice, PendingSync } from '../sync/pending-sync.ts';
import type { Session } from './session.ts';
import type { SessionManager } from './session-manager.ts';

export interface LookUpDeps {
  readonly store: Pick<Store, 'getMany'>;
  readonly sessions: SessionManager;
  readonly pending: Records<PendingSync>;
  readonly notices: Records<PendingNotice>;
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
  const found = await findTogether(store, [
    ...handles.map((handle) => pending.at(handle)),
    ...handles.map((handle) => notices.at(handle)),
    ...(sessionId === undefined ? [] : [sessions.at(sessionId)]),
  ]);
  const session = sessionId === undefined ? undefined : found.at(-1) as Found<Session> | undefined;
  const syncs = found.slice(0, handles.length) as readonly (Found<PendingSync> | undefined)[];
  return {
    session: session && await sessions.living(sessionId as string, session),
    sync: newest(syncs.map((one) => one?.record)),
    noticed: handles.filter((_, i) => found[handles.length + i] !== undefined),
  };
}

function newest(syncs: readonly (PendingSync | undefined)[]): PendingSync | undefined {
  return syncs.reduce((best, sync) => (sync && (!best || sync.beganAt > best.beganAt) ? sync : best), undefined);
}
