/** View of the comment box: a pure function of its state. Phrases are keys of `CommentsStrings`. */

import type { SyncReturn, User } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import { busyPhases, type Announcement, type CommentsState } from './comments-state.ts';

export interface CommentsView {
  /** `undefined` until the session is known. */
  readonly account: { readonly user: User | undefined } | undefined;
  /** Main button; `undefined`: the panel has the primary action. */
  readonly primary: { readonly action: 'post' | 'signIn' | 'posting' | 'tryAgain' } | undefined;
  readonly isBusy: boolean;
  readonly status: Status | undefined;
  readonly statusAction: 'reopen' | 'stop' | undefined;
  readonly alert: Alert | undefined;
  readonly panel: Panel | undefined;
  /** A second text of the reader's for this page. */
  readonly otherDraft: string;
  /** Whether storage has the reader's text; `undefined`: there is no text. */
  readonly isTextKept: boolean | undefined;
  readonly canDiscard: boolean;
  readonly counter: { readonly left: number; readonly isNear: boolean };
  readonly isReadOnly: boolean;
  readonly isInvalid: boolean;
  readonly posts: readonly OwnPost[];
}

export type Status =
  | { readonly kind: 'status'; readonly phrase: 'oneMoment' | 'waiting' | 'offline' | 'posting' }
  | { readonly kind: 'unavailable'; readonly problem: WidgetProblem }
  | { readonly kind: 'retrying'; readonly seconds: number }
  | Extract<Announcement, { kind: 'message' | 'notice' }>;

export type Alert =
  | Exclude<Announcement, { kind: 'message' | 'notice' }>
  | { readonly kind: 'unconfirmed'; readonly problem: WidgetProblem }
  /** The browser refuses to store the text. */
  | { readonly kind: 'not-kept' };

export type Panel =
  | { readonly kind: 'unconfirmed' | 'cookie-blocked' | 'confirm-sign-out'; readonly isPrimary: true }
  | { readonly kind: 'confirm-leave'; readonly isWindowBlocked: boolean; readonly isPrimary: true }
  /** `isPrimary`: the panel has the primary action, not the main button. */
  | { readonly kind: 'callback' | 'offer'; readonly user: User; readonly isPrimary: boolean }
  | { readonly kind: 'form'; readonly syncReturn: SyncReturn | undefined; readonly isPrimary: true };

/** Messages that a session without a reader makes untrue. */
const ofSession: readonly string[] = ['signedIn', 'notPostedYet'];

export function toView(state: CommentsState): CommentsView {
  const { phase, session: { view }, draft, posts, announcement } = state;
  const isSignedIn = view?.state === 'signed-in';
  const isBusy = busyPhases.includes(phase.name);
  const panel = toPanel(state, isSignedIn);
  return {
    account: view && { user: isSignedIn ? view.user : undefined },
    primary: panel?.isPrimary ? undefined : { action: toAction(state, isSignedIn) },
    isBusy,
    status: toStatus(state, isSignedIn),
    statusAction: phase.name === 'waiting-for-window' ? 'reopen' : phase.name === 'posting' && phase.retryInSeconds ? 'stop' : undefined,
    alert: toAlert(state),
    panel,
    otherDraft: draft.other,
    isTextKept: draft.text === '' ? undefined : draft.isKept,
    canDiscard: draft.text !== '' && !isBusy,
    counter: { left: draft.left, isNear: draft.isNearLimit },
    isReadOnly: phase.name === 'posting' || phase.name === 'signing-out',
    isInvalid: announcement?.kind === 'error' && ['empty', 'too-long'].includes(announcement.error),
    posts: isSignedIn ? posts : [],
  };
}

function toPanel({ phase, callback, session: { view } }: CommentsState, isSignedIn: boolean): Panel | undefined {
  switch (phase.name) {
    case 'unconfirmed':
    case 'cookie-blocked': return { kind: phase.name, isPrimary: true };
    case 'confirming-leave': return { kind: 'confirm-leave', isWindowBlocked: phase.isWindowBlocked, isPrimary: true };
    case 'confirming-sign-out': return { kind: 'confirm-sign-out', isPrimary: true };
    case 'validating': return { kind: 'form', syncReturn: phase.syncReturn, isPrimary: true };
    case 'starting-sync': return { kind: 'callback', user: phase.syncReturn, isPrimary: true };
    case 'posting': return undefined;
  }
  if (callback) return { kind: 'callback', user: callback, isPrimary: !isSignedIn };
  return view?.sync && { kind: 'offer', user: view.sync.user, isPrimary: !isSignedIn };
}

function toAction({ phase, session: { view, failure, isExpected } }: CommentsState, isSignedIn: boolean): NonNullable<CommentsView['primary']>['action'] {
  if (phase.name === 'posting') return 'posting';
  if (isSignedIn || phase.name === 'checking-session') return 'post';
  if (view || !isExpected || phase.name === 'waiting-for-window') return 'signIn';
  return failure ? 'tryAgain' : 'post';
}

function toStatus({ phase, announcement, session, isOnline }: CommentsState, isSignedIn: boolean): Status | undefined {
  if (phase.name === 'posting') {
    return phase.retryInSeconds ? { kind: 'retrying', seconds: phase.retryInSeconds } : { kind: 'status', phrase: 'posting' };
  }
  if (busyPhases.includes(phase.name)) return { kind: 'status', phrase: 'oneMoment' };
  if (announcement?.kind === 'notice') return announcement;
  if (announcement?.kind === 'message' && (isSignedIn || !ofSession.includes(announcement.message))) return announcement;
  if (phase.name === 'waiting-for-window') return { kind: 'status', phrase: 'waiting' };
  if (!isOnline) return { kind: 'status', phrase: 'offline' };
  return session.failure && session.isRetrying && !isSignedIn ? { kind: 'unavailable', problem: session.failure } : undefined;
}

function toAlert({ phase, announcement, session, draft, isOnline }: CommentsState): Alert | undefined {
  if (phase.name === 'unconfirmed') return { kind: 'unconfirmed', problem: phase.problem };
  if (announcement && announcement.kind !== 'message' && announcement.kind !== 'notice') return announcement;
  if (session.failure && !session.isRetrying && !session.view && isOnline) return { kind: 'problem', problem: session.failure };
  return draft.text && !draft.isKept ? { kind: 'not-kept' } : undefined;
}
