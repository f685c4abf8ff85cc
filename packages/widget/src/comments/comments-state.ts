/**
 * State of the comment box from its second stage on: its phase and its message, and the table of their transitions. Pure: effects
 * are names, which `comments-controller.ts` carries out.
 *
 * | phase | the box |
 * | --- | --- |
 * | `writing` | waits for the reader |
 * | `checking` | has been told to post, and requests the session first |
 * | `posting` | posts, or waits before it tries again |
 * | `unconfirmed` | may have posted: the reader decides |
 * | `waiting` | waits for the sign-in window |
 * | `leaving` | asks before the reader leaves the page to sign in |
 * | `starting` | sends a return to the BFF, while the window is open and empty |
 * | `form` | shows the validation form |
 * | `cancelling` | cancels a sign-in that waits for validation |
 * | `cookie-blocked` | has no session after a sign-in that succeeded |
 * | `confirming-sign-out` | asks before a sign-out deletes text |
 *
 * Whether the text may have been posted is the draft's to say: `unsure` and `sure` follow it.
 */

import type { Notice, SyncReturn } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { CommentsStrings } from '../locales/en-comments.ts';

export type Phase =
  | { readonly name: 'writing' }
  | { readonly name: 'checking'; readonly text: string }
  /** `isRepeated`: the reader has heard that it is not posted yet. */
  | { readonly name: 'posting'; readonly retryInSeconds?: number | undefined; readonly isRepeated?: boolean }
  /** `problem`: of the last request, unless that was another page's. */
  | { readonly name: 'unconfirmed'; readonly problem?: WidgetProblem | undefined }
  | { readonly name: 'waiting' }
  | { readonly name: 'leaving'; readonly isBlocked: boolean }
  | { readonly name: 'starting'; readonly syncReturn: SyncReturn }
  | { readonly name: 'form'; readonly syncReturn?: SyncReturn | undefined }
  | { readonly name: 'cancelling' }
  | { readonly name: 'cookie-blocked' }
  | { readonly name: 'confirming-sign-out' };

export type PhaseName = Phase['name'];

/** What the last transition says, until the reader acts. */
export type Message =
  /** In the line below the text. */
  | { readonly place: 'line'; readonly text: keyof CommentsStrings['status']; readonly tone?: 'success' | 'error' }
  /** Below the box: more than a line. */
  | { readonly place: 'note'; readonly text: keyof CommentsStrings['alert'] | 'problem'; readonly problem?: WidgetProblem }
  | { readonly place: 'note'; readonly text: 'notice'; readonly notice: Notice };

export interface BoxState {
  readonly phase: Phase;
  readonly message: Message | undefined;
}

/** What a transition depends on beside the state. */
export interface Facts {
  readonly isSignedIn: boolean;
  /** The BFF has said who is signed in. */
  readonly isKnown: boolean;
  /** This browser has a hint of a session. */
  readonly isExpected: boolean;
  readonly isInline: boolean;
  /** A granted return that waits for the reader's decision. */
  readonly callback: SyncReturn | undefined;
  /** A sign-in waits for validation. */
  readonly hasSync: boolean;
  /** The sign-in window can be shown. */
  readonly isWindowOpen: boolean;
  readonly hasText: boolean;
  /** The last press of the button posted nothing. */
  readonly isNotPosted: boolean;
  /** Why the text cannot be posted. */
  readonly fault: 'empty' | 'tooLong' | undefined;
  /** The page can be left without losing the text. */
  readonly isSafe: boolean;
  /** A sign-out would delete text. */
  readonly wouldLoseText: boolean;
}

export type BoxEvent =
  | { readonly type: 'press'; readonly text: string; readonly isSameText: boolean }
  | { readonly type: 'sign-in' }
  /** `blocked`: the browser has opened no window. `window-found`: an earlier box of the page has. */
  | { readonly type: 'blocked' | 'window-found' }
  | { readonly type: 'edit' | 'deleted' | 'online' | 'restored' | 'article-changed' | 'removed' }
  /** The draft is what another tab or an earlier request has made of it. */
  | { readonly type: 'followed' | 'unsure' | 'sure' }
  /** Another reader, or none. `isBack`: the reader has come back from signing in in this page. */
  | { readonly type: 'session'; readonly isFirst: boolean; readonly isBack: boolean; readonly isOtherAccount: boolean }
  /** No request for the session is in flight. */
  | { readonly type: 'settled'; readonly hasFailed: boolean; readonly isSameText: boolean }
  | { readonly type: 'notice'; readonly notice: Notice }
  | { readonly type: 'window-closed' | 'watch-over' | 'sign-in-ended' | 'cookie-missing' | 'sync-started' }
  | { readonly type: 'refused'; readonly problem: WidgetProblem }
  | { readonly type: 'cancel' | 'refuse' | 'leave' | 'stay' | 'form-closed' | 'form-failed' | 'invalid-callback' }
  | { readonly type: 'sync-cancelled'; readonly problem?: WidgetProblem | undefined }
  | { readonly type: 'sign-out-asked' | 'sign-out' | 'signed-out' }
  | { readonly type: 'progress'; readonly retryInSeconds: number | undefined }
  | { readonly type: 'posted'; readonly isPending: boolean }
  | { readonly type: 'not-posted'; readonly problem: WidgetProblem; readonly isOnline: boolean }
  /** `isPressed`: the reader waits for it. */
  | { readonly type: 'unconfirmed'; readonly problem: WidgetProblem; readonly isPressed: boolean }
  /** Nothing more is posted: the time of the press is over, or another tab has changed the text. */
  | { readonly type: 'over' }
  | { readonly type: 'stop' | 'confirm-posted' | 'post-again' };

/** `open-…` opens the sign-in window, in the reader's press. */
export type Effect =
  | 'post' | 'abort-post' | 'clear-posted' | 'refresh' | 'watch' | 'end-watch' | 'leave-watch'
  | 'open-authorize' | 'open-form' | 'open-empty' | 'show-window' | 'close-window' | 'show-form'
  | 'leave' | 'load-form' | 'start-sync' | 'cancel-sync' | 'drop-callback' | 'sign-out' | 'end-session' | 'hint-cookie';

export type FocusTarget = 'field' | 'panel' | 'field-on-return';

/** What changes. A new phase without a message ends the message of the one before; `null`: none. */
export interface Change {
  readonly phase?: Phase;
  readonly message?: Message | null | undefined;
  readonly focus?: FocusTarget | undefined;
  readonly effects?: readonly Effect[];
}

type EventOf<Type> = Extract<BoxEvent, { readonly type: Type }>;
type PhaseOf<Name> = Extract<Phase, { readonly name: Name }>;
type Rule<Type, Name> = (event: EventOf<Type>, facts: Facts, phase: PhaseOf<Name>, state: BoxState) => Change;
type Row<Type> = { readonly [Name in PhaseName]?: Rule<Type, Name> } & { readonly any?: Rule<Type, PhaseName> };

/** Phases in which the box waits for the BFF and takes no further action. */
export const busyPhases: readonly PhaseName[] = ['checking', 'posting', 'starting', 'cancelling'];

/** Phases of a sign-in that may end with a session. */
export const signInPhases: readonly PhaseName[] = ['waiting', 'leaving', 'starting', 'form', 'cancelling'];

const WRITING: Phase = { name: 'writing' };

const line = (text: keyof CommentsStrings['status'], tone?: 'success' | 'error'): Message => ({ place: 'line', text, ...(tone && { tone }) });
const problemNote = (problem: WidgetProblem): Message => ({ place: 'note', text: 'problem', problem });

/** Ends what the phase has in progress: the text belongs to another page, account or BFF. */
const abandon: Change = { phase: WRITING, effects: ['abort-post', 'end-watch'] };
const abandonWindow: Change = { phase: WRITING, effects: ['close-window', 'end-watch'] };
const blocked: Change = { phase: { name: 'leaving', isBlocked: true }, focus: 'panel', effects: ['end-watch'] };
const unchanged = (): Change => ({});
const toField: Change = { phase: WRITING, focus: 'field' };
const atPanel = (): Change => ({ focus: 'panel' });

const articleChanged: { readonly [Name in PhaseName]?: () => Change } & { readonly any: () => Change } = {
  writing: () => ({ message: null }),
  // A sign-in belongs to no article.
  waiting: unchanged, leaving: unchanged, form: unchanged, 'cookie-blocked': unchanged,
  starting: () => abandonWindow, any: () => abandon,
};

/** An event that has no rule in the present phase changes nothing. */
const table: { readonly [Type in BoxEvent['type']]: Row<Type> } = {
  press: {
    writing: (event, facts) => {
      if (facts.isSignedIn) return postIfSame(event, facts);
      if (facts.isKnown || !facts.isExpected) return signIn(facts);
      return { phase: { name: 'checking', text: event.text }, effects: ['refresh'] };
    },
    waiting: showWindow, unconfirmed: atPanel, leaving: atPanel, form: atPanel, 'cookie-blocked': atPanel, 'confirming-sign-out': atPanel,
  },
  'sign-in': {
    writing: (_, facts) => facts.isSignedIn && !facts.callback && !facts.hasSync ? { focus: 'field' } : signIn(facts),
    waiting: showWindow, leaving: (_, facts) => signIn(facts), 'cookie-blocked': (_, facts) => signIn(facts),
    unconfirmed: (_, facts) => facts.isSignedIn ? { focus: 'panel' } : signIn(facts),
    form: atPanel, 'confirming-sign-out': atPanel,
  },
  blocked: {
    waiting: (_, { hasSync }) => hasSync ? showForm() : blocked,
    starting: (_, __, { syncReturn }) => showForm(syncReturn),
  },
  'window-found': { writing: () => ({ phase: { name: 'waiting' }, effects: ['watch'] }) },
  edit: { any: () => ({ message: null }) },
  deleted: { any: () => ({ message: line('discarded') }) },
  online: { any: (_, __, ___, { message }) => message?.text === 'offline' ? { message: line('online') } : {} },
  followed: {},
  unsure: { writing: (_, __, ___, { message }) => ({ phase: { name: 'unconfirmed' }, message }) },
  sure: { unconfirmed: () => ({ phase: WRITING }) },
  'article-changed': articleChanged,
  // The sign-in and the post go on.
  removed: { ...articleChanged, waiting: () => ({ phase: WRITING, effects: ['leave-watch'] }), posting: unchanged },
  restored: { leaving: () => abandon, waiting: () => abandon, form: () => abandon, starting: () => abandonWindow },

  session: { any: changeSession },
  settled: {
    checking: (event, facts) => {
      if (event.hasFailed) return { phase: WRITING };
      return facts.isSignedIn ? postIfSame(event, facts) : { phase: WRITING, message: line('signInFirst') };
    },
  },
  notice: {
    waiting: ({ notice }) => ({ phase: WRITING, message: noticeMessage(notice), effects: ['end-watch'] }),
    // The form says it.
    form: unchanged,
    any: ({ notice }, { isSignedIn }) => isSignedIn && notice.kind === 'already-granted' ? {} : { message: noticeMessage(notice) },
  },
  'window-closed': { waiting: () => ({ phase: WRITING, message: line('windowClosed'), effects: ['end-watch'] }) },
  'watch-over': {
    waiting: (_, { isSignedIn }, __, { message }) => ({ phase: WRITING, message: isSignedIn ? message : line('signInTimedOut') }),
  },
  'sign-in-ended': { waiting: (_, __, ___, { message }) => ({ phase: WRITING, message, effects: ['end-watch'] }) },
  'cookie-missing': { waiting: () => ({ phase: { name: 'cookie-blocked' }, focus: 'panel', effects: ['end-watch', 'hint-cookie'] }) },
  refused: {
    waiting: ({ problem }) => ({ ...toField, message: problemNote(problem), effects: ['close-window', 'end-watch'] }),
    starting: ({ problem }, { callback }) => ({
      phase: WRITING,
      message: problemNote(problem),
      focus: callback && problem.retryable ? 'panel' : 'field',
      effects: problem.retryable ? ['close-window', 'end-watch'] : ['close-window', 'end-watch', 'drop-callback'],
    }),
  },
  'sync-started': { starting: () => ({ phase: { name: 'waiting' }, effects: ['drop-callback', 'show-form'] }) },
  'invalid-callback': { writing: () => ({ message: { place: 'note', text: 'invalidCallback' } }) },
  refuse: { any: () => ({ ...toField, effects: ['drop-callback'] }) },

  leave: { leaving: () => ({ effects: ['leave'] }) },
  stay: { leaving: () => toField, 'cookie-blocked': () => toField, 'confirming-sign-out': () => toField },
  'form-closed': { form: () => ({ ...toField, effects: ['drop-callback', 'refresh'] }) },
  'form-failed': {
    form: () => ({ ...toField, message: { place: 'note', text: 'formNotLoaded' } }),
    writing: () => ({ message: { place: 'note', text: 'formNotLoaded' } }),
  },
  cancel: { writing: cancel, waiting: cancel },
  'sync-cancelled': {
    cancelling: ({ problem }) => ({ ...toField, message: problem && problemNote(problem), effects: ['end-watch', 'refresh'] }),
  },

  'sign-out-asked': {
    any: (_, { wouldLoseText }) => (
      wouldLoseText ? { phase: { name: 'confirming-sign-out' }, focus: 'panel', effects: ['abort-post', 'end-watch'] } : signOut()
    ),
  },
  'sign-out': { any: signOut },
  'signed-out': { any: () => ({ message: line('signedOut') }) },

  // A repetition begins without a press.
  progress: { posting: showProgress, writing: showProgress },
  posted: { posting: explainPosted, writing: explainPosted },
  // The account has changed: the box has stopped posting.
  'not-posted': { posting: explainFailure, writing: explainFailure },
  unconfirmed: {
    posting: ({ problem, isPressed }) => ({ phase: { name: 'unconfirmed', problem }, ...(isPressed && { focus: 'panel' }) }),
  },
  over: { posting: (_, { hasText }) => ({ phase: WRITING, message: hasText ? line('notPostedYet') : null }) },
  stop: { posting: () => ({ ...toField, message: line('stopped'), effects: ['abort-post'] }) },
  'confirm-posted': { unconfirmed: () => ({ ...toField, message: line('posted', 'success'), effects: ['clear-posted'] }) },
  'post-again': { unconfirmed: (_, facts) => facts.isSignedIn ? { ...post(facts), focus: 'field' } : signIn(facts) },
};

/** What `event` changes, and the state after it. */
export function transition(
  state: BoxState, event: BoxEvent, facts: Facts,
): { readonly state: BoxState; readonly change: Change } {
  const row = table[event.type] as Row<BoxEvent['type']>;
  const rule = (row[state.phase.name] ?? row.any) as Rule<unknown, unknown> | undefined;
  const change = rule?.(event as never, facts, state.phase as never, state) ?? {};
  const phase = change.phase ?? state.phase;
  const message = change.message === undefined && !change.phase ? state.message : change.message ?? undefined;
  return { state: { phase, message }, change };
}

/** In a window, in a press; or in the page. */
function signIn({ callback, hasSync, isInline, isSafe }: Facts): Change {
  if (!isInline) {
    return callback
      ? { phase: { name: 'starting', syncReturn: callback }, effects: ['watch', 'open-empty', 'start-sync'] }
      : { phase: { name: 'waiting' }, effects: ['watch', hasSync ? 'open-form' : 'open-authorize'] };
  }
  if (callback || hasSync) return showForm(callback);
  return isSafe ? { message: null, effects: ['leave'] } : { phase: { name: 'leaving', isBlocked: false }, focus: 'panel' };
}

/** Opens the window again if it was closed. */
function showWindow(_: unknown, { isWindowOpen, hasSync }: Facts): Change {
  return { effects: isWindowOpen ? ['show-window'] : ['watch', hasSync ? 'open-form' : 'open-authorize'] };
}

function showForm(syncReturn?: SyncReturn): Change {
  return { phase: { name: 'form', syncReturn }, effects: ['end-watch', 'load-form'] };
}

function post({ fault }: Facts): Change {
  return fault ? { ...toField, message: line(fault, 'error') } : { phase: { name: 'posting' }, effects: ['post'] };
}

/** Posts only what the reader saw when they submitted: the text of another box or tab may have replaced it. */
function postIfSame({ isSameText }: { readonly isSameText: boolean }, facts: Facts): Change {
  return isSameText ? post(facts) : { ...toField, message: facts.hasText ? line('notPostedYet') : null };
}

function cancel(_: unknown, { hasSync }: Facts): Change {
  return hasSync ? { phase: { name: 'cancelling' }, effects: ['cancel-sync'] } : { ...toField, effects: ['close-window', 'end-watch'] };
}

function signOut(): Change {
  return { phase: WRITING, effects: ['abort-post', 'end-watch', 'sign-out'] };
}

function showProgress({ retryInSeconds }: EventOf<'progress'>, _: Facts, phase: Phase): Change {
  const isRepeated = phase.name === 'posting' && (phase.isRepeated || phase.retryInSeconds !== undefined);
  return { phase: { name: 'posting', retryInSeconds, isRepeated } };
}

function explainPosted({ isPending }: EventOf<'posted'>): Change {
  return { phase: WRITING, message: line(isPending ? 'pending' : 'posted', 'success') };
}

function changeSession({ isFirst, isBack, isOtherAccount }: EventOf<'session'>, facts: Facts, { name }: Phase, { message }: BoxState): Change {
  if (!facts.isSignedIn) {
    if (facts.hasSync && isFirst && name === 'writing' && (facts.isInline || isBack)) {
      return { ...showForm(), ...(isBack && { focus: 'panel' }) };
    }
    return message?.text === 'signedIn' || message?.text === 'notPostedYet' ? { message: null } : {};
  }
  const isAwaited = name === 'waiting' || isBack;
  const isOver = ['waiting', 'leaving', 'cookie-blocked'].includes(name);
  // The text of a post stays in the draft of the account that wrote it.
  const isLost = isOtherAccount && ['checking', 'posting', 'unconfirmed', 'confirming-sign-out'].includes(name);
  const effects: Effect[] = [];
  // A repetition may wait for another tab.
  if (isOtherAccount) effects.push('abort-post');
  if (isOver) effects.push('end-watch');
  if (isOver && isFirst) effects.push('close-window');
  return {
    ...((isOver || isLost) && { phase: WRITING }),
    message: isAwaited || !isFirst || facts.isNotPosted ? line(facts.hasText ? 'notPostedYet' : 'signedIn', 'success') : message,
    ...(isAwaited && { focus: 'field-on-return' }),
    effects,
  };
}

function explainFailure({ problem, isOnline }: EventOf<'not-posted'>): Change {
  switch (problem.type) {
    case 'urn:vestibule:not-signed-in': return { phase: WRITING, message: line('sessionEnded'), effects: ['end-session'] };
    case 'urn:vestibule:user-changed': return { phase: WRITING, message: line('notPostedYet') };
    case 'urn:vestibule:network': if (!isOnline) return { phase: WRITING, message: line('offline') };
  }
  return { phase: WRITING, message: { place: 'note', text: 'notPosted', problem } };
}

function noticeMessage(notice: Notice): Message {
  return notice.kind === 'declined' && !notice.instance ? line('declined') : { place: 'note', text: 'notice', notice };
}
