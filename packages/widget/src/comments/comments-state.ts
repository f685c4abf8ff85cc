/**
 * State of the comment box: its phase and its message, and the table of their transitions. Pure: effects
 * are names, which `comments-controller.ts` carries out.
 *
 * | phase | the box |
 * | --- | --- |
 * | `writing` | waits for the reader |
 * | `expecting` | has been told to post, and requests the session first; the field is free |
 * | `waiting` | waits for the sign-in window |
 * | `leaving` | asks before the reader leaves the page to sign in |
 * | `form` | shows the validation form |
 * | `cookie-blocked` | has no session after a sign-in that succeeded |
 * | `confirming-sign-out` | asks before a sign-out deletes text |
 *
 * A text that is sent leaves the field and is an entry of the outbox: `writing/entry.ts`.
 */

import type { Notice, SyncReturn } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { CommentsStrings } from '../locales/en-comments.ts';

export type Phase =
  | { readonly name: 'writing' }
  | { readonly name: 'expecting'; readonly text: string }
  | { readonly name: 'waiting' }
  | { readonly name: 'leaving'; readonly isBlocked: boolean }
  | { readonly name: 'form'; readonly syncReturn?: SyncReturn | undefined }
  | { readonly name: 'cookie-blocked' }
  | { readonly name: 'confirming-sign-out'; readonly isInDoubt: boolean };

export type PhaseName = Phase['name'];

/** What the last transition says, until the reader acts. */
export type Message =
  /** In the line below the text. */
  | { readonly place: 'line'; readonly text: keyof CommentsStrings['status']; readonly tone?: 'success' | 'error' }
  /** Below the box: more than a line. */
  | { readonly place: 'note'; readonly text: keyof CommentsStrings['alert'] | 'problem'; readonly problem?: WidgetProblem }
  | { readonly place: 'note'; readonly text: 'notice'; readonly notice: Notice }
  /** A text was not posted: another account is signed in than its own. */
  | { readonly place: 'note'; readonly text: 'otherAccount' };

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
  /** A sign-in waits for validation. */
  readonly hasSync: boolean;
  /** The sign-in window can be shown. */
  readonly isWindowOpen: boolean;
  readonly hasText: boolean;
  /** The reader has seen in this visit under which name the text will appear. */
  readonly hasSeenName: boolean;
  /** The session is that of the sign-in which a press has begun, and the text is that of the press. */
  readonly isPressFinished: boolean;
  /** The press is that of a text which is not in the field: of an entry, or of a reply whose page was left. */
  readonly isPressedElsewhere: boolean;
  /** The press is that of a text of another account than the one that is signed in. */
  readonly isOfOther: boolean;
  /** Why the text cannot be posted. */
  readonly fault: 'empty' | 'tooLong' | undefined;
  /** The page can be left without losing the text. */
  readonly isSafe: boolean;
  /** A sign-out would delete text. */
  readonly wouldLoseText: boolean;
  /** A comment is on its way, or may be posted: what a sign-out does not undo. */
  readonly isInDoubt: boolean;
}

export type BoxEvent =
  | { readonly type: 'press'; readonly text: string; readonly isSameText: boolean }
  | { readonly type: 'sign-in' }
  /** `blocked`: the browser has opened no window. `window-found`: an earlier box of the page has. */
  | { readonly type: 'blocked' | 'window-found' }
  | { readonly type: 'edit' | 'restored' | 'article-changed' | 'removed' }
  /** The text is what another tab has made of it. `isGone`: there was one. */
  | { readonly type: 'followed'; readonly isGone: boolean }
  /** Another reader, or none. `isBack`: the reader has come back from signing in in this page. */
  | { readonly type: 'session'; readonly isFirst: boolean; readonly isBack: boolean; readonly isOtherAccount: boolean }
  /** No request for the session is in flight. */
  | { readonly type: 'settled'; readonly hasFailed: boolean; readonly isSameText: boolean }
  | { readonly type: 'notice'; readonly notice: Notice }
  /** `window-finished`: with the session that the reader has at its end. `press-failed`: its text was not taken. */
  | { readonly type: 'window-finished' | 'press-failed' }
  | { readonly type: 'window-closed' | 'watch-over' | 'sign-in-ended' | 'cookie-missing' }
  | { readonly type: 'refused'; readonly problem: WidgetProblem }
  | { readonly type: 'cancel' | 'leave' | 'stay' | 'form-closed' | 'form-failed' | 'invalid-callback' }
  /** The address of the page has the return of a sign-in. */
  | { readonly type: 'return'; readonly syncReturn: SyncReturn }
  | { readonly type: 'sign-out-asked' | 'sign-out' | 'signed-out' | 'signed-out-elsewhere' }
  /** An entry was refused, because the session is over, or is that of another account. */
  | { readonly type: 'session-over' | 'other-account' };

/** `open-…` opens the sign-in window, in the reader's press. */
export type Effect =
  | 'post' | 'carry-out-press' | 'refresh' | 'watch' | 'end-watch' | 'leave-watch'
  | 'open-authorize' | 'open-form' | 'show-window' | 'close-window'
  | 'leave' | 'load-form' | 'sign-out' | 'end-session' | 'hint-cookie';

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

const WRITING: Phase = { name: 'writing' };

const line = (text: keyof CommentsStrings['status'], tone?: 'success' | 'error'): Message => ({ place: 'line', text, ...(tone && { tone }) });
const problemNote = (problem: WidgetProblem): Message => ({ place: 'note', text: 'problem', problem });

const otherAccount: Message = { place: 'note', text: 'otherAccount' };

/** Ends what the phase has in progress: the text belongs to another page, account or BFF. */
const abandon: Change = { phase: WRITING, effects: ['end-watch'] };
const blocked: Change = { phase: { name: 'leaving', isBlocked: true }, focus: 'panel', effects: ['end-watch'] };
const unchanged = (): Change => ({});
const toField: Change = { phase: WRITING, focus: 'field' };
const atPanel = (): Change => ({ focus: 'panel' });

const articleChanged: { readonly [Name in PhaseName]?: () => Change } & { readonly any: () => Change } = {
  writing: () => ({ message: null }),
  // A sign-in belongs to no article.
  waiting: unchanged, leaving: unchanged, form: unchanged, 'cookie-blocked': unchanged,
  any: () => abandon,
};

/** An event that has no rule in the present phase changes nothing. */
const table: { readonly [Type in BoxEvent['type']]: Row<Type> } = {
  press: {
    writing: (event, facts) => {
      if (facts.isSignedIn) return postIfSame(event, facts);
      if (facts.fault === 'tooLong') return { ...toField, message: line('tooLong', 'error') };
      if (facts.isKnown || !facts.isExpected) return signIn(facts);
      return { phase: { name: 'expecting', text: event.text }, effects: ['refresh'] };
    },
    waiting: showWindow, leaving: atPanel, form: atPanel, 'cookie-blocked': atPanel, 'confirming-sign-out': atPanel,
  },
  'sign-in': {
    writing: (_, facts) => facts.isSignedIn ? { focus: 'field' } : signIn(facts),
    waiting: showWindow, leaving: (_, facts) => signIn(facts), 'cookie-blocked': (_, facts) => signIn(facts),
    form: atPanel, 'confirming-sign-out': atPanel,
  },
  blocked: { waiting: (_, { hasSync }) => hasSync ? showForm() : blocked },
  'window-found': { writing: () => ({ phase: { name: 'waiting' }, effects: ['watch'] }) },
  edit: { expecting: () => ({ phase: WRITING, message: null }), any: () => ({ message: null }) },
  followed: { any: ({ isGone }, _, __, { message }) => isGone && message?.text === 'oneMoreStep' ? { message: null } : {} },
  'article-changed': articleChanged,
  // The sign-in goes on.
  removed: { ...articleChanged, waiting: () => ({ phase: WRITING, effects: ['leave-watch'] }) },
  restored: { leaving: () => abandon, waiting: () => abandon, form: () => abandon },

  session: { any: changeSession },
  settled: {
    expecting: (event, facts) => {
      if (event.hasFailed) return { phase: WRITING };
      if (!facts.isSignedIn) return { phase: WRITING, message: line('signInFirst') };
      const { effects, ...change } = facts.hasSeenName ? postIfSame(event, facts) : { ...toField, message: line('oneMoreStep') };
      return { phase: WRITING, ...change, ...(effects && { effects: ['carry-out-press'] }) };
    },
  },
  notice: {
    waiting: ({ notice }) => ({ phase: WRITING, message: noticeMessage(notice), effects: ['end-watch'] }),
    // The form says it.
    form: unchanged,
    any: ({ notice }, { isSignedIn }) => isSignedIn && notice.kind === 'already-granted' ? {} : { message: noticeMessage(notice) },
  },
  'window-finished': { writing: (_, facts) => facts.isPressFinished ? { message: null, effects: ['carry-out-press'] } : {} },
  'press-failed': { any: () => ({ message: line('oneMoreStep'), focus: 'field-on-return' }) },
  'window-closed': { waiting: () => ({ phase: WRITING, message: line('windowClosed'), effects: ['end-watch'] }) },
  'watch-over': {
    waiting: (_, { isSignedIn }, __, { message }) => ({ phase: WRITING, message: isSignedIn ? message : line('signInTimedOut') }),
  },
  'sign-in-ended': { waiting: (_, __, ___, { message }) => ({ phase: WRITING, message, effects: ['end-watch'] }) },
  'cookie-missing': { waiting: () => ({ phase: { name: 'cookie-blocked' }, focus: 'panel', effects: ['end-watch', 'hint-cookie'] }) },
  refused: {
    waiting: ({ problem }) => ({ ...toField, message: problemNote(problem), effects: ['close-window', 'end-watch'] }),
  },
  return: { writing: ({ syncReturn }) => showForm(syncReturn) },
  'invalid-callback': { writing: () => ({ message: { place: 'note', text: 'invalidCallback' } }) },

  leave: { leaving: () => ({ effects: ['leave'] }) },
  stay: { leaving: () => toField, 'cookie-blocked': () => toField, 'confirming-sign-out': () => toField },
  'form-closed': { form: () => ({ ...toField, effects: ['refresh'] }) },
  'form-failed': {
    form: () => ({ ...toField, message: { place: 'note', text: 'formNotLoaded' } }),
    writing: () => ({ message: { place: 'note', text: 'formNotLoaded' } }),
  },
  cancel: { waiting: () => ({ ...toField, effects: ['close-window', 'end-watch'] }) },

  'sign-out-asked': {
    any: (_, { wouldLoseText, isInDoubt }) => (
      wouldLoseText || isInDoubt
        ? { phase: { name: 'confirming-sign-out', isInDoubt }, focus: 'panel', effects: ['end-watch'] } : signOut()
    ),
  },
  'sign-out': { any: signOut },
  'signed-out': { any: () => ({ message: line('signedOut') }) },
  'signed-out-elsewhere': { any: () => ({ message: line('signedOutElsewhere') }) },

  'session-over': { any: () => ({ effects: ['end-session'] }) },
  'other-account': { any: () => ({ message: otherAccount, effects: ['refresh'] }) },
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
function signIn({ hasSync, isInline, isSafe }: Facts): Change {
  if (!isInline) return { phase: { name: 'waiting' }, effects: ['watch', hasSync ? 'open-form' : 'open-authorize'] };
  if (hasSync) return showForm();
  return isSafe ? { message: null, effects: ['leave'] } : { phase: { name: 'leaving', isBlocked: false }, focus: 'panel' };
}

/** Opens the window again if it was closed. */
function showWindow(_: unknown, { isWindowOpen, hasSync }: Facts): Change {
  return { effects: isWindowOpen ? ['show-window'] : ['watch', hasSync ? 'open-form' : 'open-authorize'] };
}

function showForm(syncReturn?: SyncReturn): Change {
  return { phase: { name: 'form', syncReturn }, effects: ['end-watch', 'load-form'] };
}

/** Posts only what the reader saw when they pressed: the text of another box or tab may have replaced it. */
function postIfSame({ isSameText }: { readonly isSameText: boolean }, facts: Facts): Change {
  if (!isSameText) return { ...toField, message: facts.hasText ? line('oneMoreStep') : null };
  return facts.fault ? { ...toField, message: line(facts.fault, 'error') } : { message: null, effects: ['post'] };
}

function signOut(): Change {
  return { phase: WRITING, effects: ['end-watch', 'sign-out'] };
}

function changeSession({ isFirst, isBack, isOtherAccount }: EventOf<'session'>, facts: Facts, { name }: Phase, { message }: BoxState): Change {
  if (!facts.isSignedIn) {
    if (facts.hasSync && isFirst && name === 'writing' && (facts.isInline || isBack)) {
      return { ...showForm(), ...(isBack && { focus: 'panel' }) };
    }
    return message?.text === 'signedIn' || message?.text === 'oneMoreStep' ? { message: null } : {};
  }
  const isAwaited = name === 'waiting' || isBack;
  const isOver = ['waiting', 'leaving', 'cookie-blocked'].includes(name);
  // What was asked was asked of another account.
  const isLost = isOtherAccount && ['expecting', 'confirming-sign-out'].includes(name);
  const isPosted = facts.isPressFinished;
  const effects: Effect[] = [];
  if (isOver) effects.push('end-watch');
  if (isOver && isFirst) effects.push('close-window');
  if (isPosted) effects.push('carry-out-press');
  return {
    ...((isOver || isLost) && { phase: WRITING }),
    message: isPosted ? null : sessionMessage(facts, message, isAwaited || !isFirst),
    // A press that posts the text of the field moves the focus itself.
    ...(isAwaited && !(isPosted && !facts.isPressedElsewhere) && { focus: 'field-on-return' }),
    effects,
  };
}

/** @param isNews the reader has just signed in */
function sessionMessage(
  { isOfOther, isPressedElsewhere, hasText }: Facts, message: Message | undefined, isNews: boolean,
): Message | undefined {
  if (isOfOther) return otherAccount;
  if (!isNews || message?.text === 'otherAccount') return message;
  return hasText || isPressedElsewhere ? line('oneMoreStep') : line('signedIn', 'success');
}

function noticeMessage(notice: Notice): Message {
  return notice.kind === 'declined' && !notice.instance ? line('declined') : { place: 'note', text: 'notice', notice };
}
