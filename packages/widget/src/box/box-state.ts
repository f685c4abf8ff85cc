/**
 * State of the comment box: its phase and its message, and the table of their transitions. Pure: effects are names, which
 * `box.ts` carries out.
 *
 * | phase | the box |
 * | --- | --- |
 * | `writing` | waits for the reader |
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
  | { readonly name: 'writing' | 'waiting' | 'cookie-blocked' }
  | { readonly name: 'leaving'; readonly isBlocked: boolean }
  | { readonly name: 'form'; readonly syncReturn?: SyncReturn | undefined; readonly hasFailed?: boolean }
  | { readonly name: 'confirming-sign-out'; readonly isInDoubt: boolean };

type PhaseName = Phase['name'];

/** What the last transition says, until the reader acts. */
export type Message =
  /** In the line below the text. */
  | { readonly place: 'line'; readonly text: keyof CommentsStrings['status']; readonly tone?: 'success' | 'error' }
  /** Below the box: more than a line. */
  | { readonly place: 'note'; readonly text: keyof CommentsStrings['alert'] | 'problem'; readonly problem?: WidgetProblem }
  | { readonly place: 'note'; readonly text: 'notice'; readonly notice: Notice }
  /** A text of this reader was not posted: the session is over, or another one is signed in. */
  | { readonly place: 'note'; readonly text: 'putBack'; readonly isOver: boolean; readonly name: string };

export interface BoxState {
  readonly phase: Phase;
  readonly message: Message | undefined;
}

/** What a transition depends on beside the state. */
export interface Facts {
  /** The box shows an account. */
  readonly isSignedIn: boolean;
  readonly isInline: boolean;
  /** The address of the page is short enough for a sign-in that leaves it. */
  readonly canLeave: boolean;
  /** A sign-in waits for validation. */
  readonly hasSync: boolean;
  /** The sign-in window can be shown. */
  readonly isWindowOpen: boolean;
  readonly hasText: boolean;
  /** The text was written signed out. */
  readonly isClaimed: boolean;
  /** The session is that of the sign-in which a press has begun, and the text is that of the press. */
  readonly isPressFinished: boolean;
  /** The press is that of a reply whose composer is gone: the page was left. */
  readonly isPressedElsewhere: boolean;
  /** The press is that of a text of another account than the one that is signed in: its name. */
  readonly otherWriter: string | undefined;
  /** Why the text cannot be posted. */
  readonly fault: 'empty' | 'tooLong' | undefined;
  /** The page can be left without losing the text. */
  readonly isSafe: boolean;
  /** A sign-out would delete text of the reader. */
  readonly wouldLoseText: boolean;
  /** A comment is on its way, or may be posted: what a sign-out does not undo. */
  readonly isInDoubt: boolean;
}

export type BoxEvent =
  /** `isSameText`: no other box or tab has replaced the text that the reader saw. */
  | { readonly type: 'press'; readonly isSameText: boolean }
  | { readonly type: 'sign-in' }
  /** `blocked`: the browser has opened no window. `window-found`: an earlier box of the page has. */
  | { readonly type: 'blocked' | 'window-found' }
  | { readonly type: 'edit' | 'restored' | 'article-changed' | 'removed' }
  /** Another tab has sent or deleted the text. */
  | { readonly type: 'text-gone' }
  /** Another reader, or none. `isBack`: the reader has come back from signing in in this page. */
  | { readonly type: 'session'; readonly isFirst: boolean; readonly isBack: boolean; readonly isOtherAccount: boolean }
  | { readonly type: 'notice'; readonly notice: Notice }
  /** `window-finished`: with the session that the reader has at its end. `press-failed`: its text was not taken. */
  | { readonly type: 'window-finished' | 'press-failed' }
  | { readonly type: 'window-closed' | 'sign-in-ended' | 'cookie-missing' }
  | { readonly type: 'refused'; readonly problem: WidgetProblem }
  | { readonly type: 'cancel' | 'leave' | 'stay' | 'form-closed' | 'form-failed' | 'form-wanted' | 'invalid-callback' }
  /** The address of the page has the return of a sign-in. */
  | { readonly type: 'return'; readonly syncReturn: SyncReturn }
  | { readonly type: 'sign-out-asked' | 'sign-out' | 'signed-out' | 'signed-out-elsewhere' }
  /** A text of `name` was refused and is back: the session is over, or is that of another account. */
  | { readonly type: 'put-back'; readonly isOver: boolean; readonly name: string };

/** `open-…` opens the sign-in window, in the reader's press. */
export type Effect =
  | 'post' | 'carry-out-press' | 'refresh' | 'begin-sign-in' | 'end-sign-in' | 'open-authorize' | 'open-form' | 'show-window'
  | 'close-window' | 'leave' | 'load-form' | 'sign-out' | 'hint-cookie';

export type FocusTarget = 'field' | 'panel' | 'field-on-return';

/** What changes. A new phase without a message ends the message of the one before; `null`: none. */
export interface Change {
  readonly phase?: Phase;
  readonly message?: Message | null | undefined;
  readonly focus?: FocusTarget | undefined;
  readonly effects?: readonly Effect[];
}

type EventOf<Type> = Extract<BoxEvent, { readonly type: Type }>;
type Rule<Type> = (event: EventOf<Type>, facts: Facts, state: BoxState) => Change;
type Row<Type> = { readonly [Name in PhaseName]?: Rule<Type> } & { readonly any?: Rule<Type> };

const WRITING: Phase = { name: 'writing' };

const line = (text: keyof CommentsStrings['status'], tone?: 'success' | 'error'): Message => ({ place: 'line', text, ...(tone && { tone }) });
const note = (text: keyof CommentsStrings['alert']): Change => ({ message: { place: 'note', text } });

/** Ends what the phase has in progress: the text belongs to another page, account or BFF. */
const abandon = (): Change => ({ phase: WRITING, effects: ['end-sign-in'] });
const toField: Change = { phase: WRITING, focus: 'field' };
const backToField = (): Change => toField;
const unchanged = (): Change => ({});
const atPanel = (): Change => ({ focus: 'panel' });
const signOut = (): Change => ({ phase: WRITING, effects: ['end-sign-in', 'sign-out'] });
const endWait = (message: Message | undefined): Change => ({ phase: WRITING, message, effects: ['end-sign-in'] });

/** A sign-in belongs to no article. */
const articleChanged = {
  writing: (): Change => ({ message: null }), waiting: unchanged, leaving: unchanged, form: unchanged, 'cookie-blocked': unchanged, any: abandon,
};

/** An event that has no rule in the present phase changes nothing. */
const table: { readonly [Type in BoxEvent['type']]: Row<Type> } = {
  press: {
    writing: (event, facts) => {
      if (facts.isSignedIn) return postIfSame(event, facts);
      return facts.fault === 'tooLong' ? { ...toField, message: line('tooLong', 'error') } : signIn(facts);
    },
    waiting: showWindow, any: atPanel,
  },
  'sign-in': {
    writing: (_, facts) => facts.isSignedIn ? { focus: 'field' } : signIn(facts),
    waiting: showWindow, leaving: (_, facts) => signIn(facts), 'cookie-blocked': (_, facts) => signIn(facts), any: atPanel,
  },
  blocked: {
    waiting: (_, { hasSync }) => hasSync ? showForm() : { phase: { name: 'leaving', isBlocked: true }, focus: 'panel', effects: ['end-sign-in'] },
  },
  'window-found': { writing: () => ({ phase: { name: 'waiting' } }) },
  edit: { any: () => ({ message: null }) },
  'text-gone': { any: (_, __, { message }) => message?.text === 'oneMoreStep' ? { message: null } : {} },
  'article-changed': articleChanged,
  // The next box takes the wait over.
  removed: { ...articleChanged, waiting: () => ({ phase: WRITING }) },
  restored: { leaving: abandon, waiting: abandon, form: abandon },

  session: { any: changeSession },
  notice: {
    waiting: ({ notice }) => endWait(noticeMessage(notice)),
    // The form says it.
    form: unchanged,
    any: ({ notice }, { isSignedIn }) => isSignedIn && notice.kind === 'already-granted' ? {} : { message: noticeMessage(notice) },
  },
  'window-finished': { writing: (_, facts) => facts.isPressFinished ? { message: null, effects: ['carry-out-press'] } : {} },
  'press-failed': { any: () => ({ message: line('oneMoreStep'), focus: 'field-on-return' }) },
  // Where the opener is cut, the window looks closed: the sign-in goes on.
  'window-closed': { waiting: () => ({ phase: WRITING }) },
  'sign-in-ended': { waiting: (_, __, { message }) => endWait(message) },
  'cookie-missing': { waiting: () => ({ phase: { name: 'cookie-blocked' }, focus: 'panel', effects: ['end-sign-in', 'hint-cookie'] }) },
  refused: {
    waiting: ({ problem }) => ({
      ...toField, message: { place: 'note', text: 'problem', problem }, effects: ['close-window', 'end-sign-in'],
    }),
  },
  cancel: { waiting: () => ({ ...toField, effects: ['close-window', 'end-sign-in'] }) },
  return: { writing: ({ syncReturn }) => showForm(syncReturn) },
  'invalid-callback': { writing: () => note('invalidCallback') },

  leave: { leaving: () => ({ effects: ['leave'] }) },
  stay: { leaving: backToField, 'cookie-blocked': backToField, 'confirming-sign-out': backToField },
  'form-closed': { form: () => ({ ...toField, effects: ['refresh'] }) },
  'form-failed': { form: (_, __, { phase }) => ({ phase: { ...phase, hasFailed: true } as Phase }), any: () => note('formNotLoaded') },
  'form-wanted': { form: (_, __, { phase }) => ({ phase: { ...phase, hasFailed: false } as Phase, focus: 'panel', effects: ['load-form'] }) },

  'sign-out-asked': {
    any: (_, { wouldLoseText, isInDoubt }) => (
      wouldLoseText
        ? { phase: { name: 'confirming-sign-out', isInDoubt }, focus: 'panel', effects: ['end-sign-in'] } : signOut()
    ),
  },
  'sign-out': { any: signOut },
  'signed-out': { any: () => ({ message: line('signedOut') }) },
  'signed-out-elsewhere': { any: () => ({ ...abandon(), message: line('signedOutElsewhere') }) },

  'put-back': { any: ({ isOver, name }) => ({ message: { place: 'note', text: 'putBack', isOver, name } }) },
};

/** What `event` changes, and the state after it. */
export function transition(
  state: BoxState, event: BoxEvent, facts: Facts,
): { readonly state: BoxState; readonly change: Change } {
  const row = table[event.type] as Row<BoxEvent['type']>;
  const rule = (row[state.phase.name] ?? row.any) as Rule<unknown> | undefined;
  const change = rule?.(event as never, facts, state) ?? {};
  const phase = change.phase ?? state.phase;
  const message = change.message === undefined && !change.phase ? state.message : change.message ?? undefined;
  return { state: { phase, message }, change };
}

/** In a window, in a press; or in the page. */
function signIn({ hasSync, isInline, canLeave, isSafe }: Facts): Change {
  if (isInline && hasSync) return showForm();
  if (!isInline || !canLeave) return { phase: { name: 'waiting' }, effects: ['begin-sign-in', hasSync ? 'open-form' : 'open-authorize'] };
  return isSafe ? { message: null, effects: ['leave'] } : { phase: { name: 'leaving', isBlocked: false }, focus: 'panel' };
}

/** Opens the window again if it was closed. */
function showWindow(_: unknown, { isWindowOpen, hasSync }: Facts): Change {
  return { effects: [isWindowOpen ? 'show-window' : hasSync ? 'open-form' : 'open-authorize'] };
}

function showForm(syncReturn?: SyncReturn): Change {
  return { phase: { name: 'form', syncReturn }, effects: ['end-sign-in', 'load-form'] };
}

/** Posts only what the reader saw when they pressed. */
function postIfSame({ isSameText }: EventOf<'press'>, { hasText, fault }: Facts): Change {
  if (!isSameText) return { ...toField, message: hasText ? line('oneMoreStep') : null };
  return fault ? { ...toField, message: line(fault, 'error') } : { message: null, effects: ['post'] };
}

function changeSession({ isFirst, isBack, isOtherAccount }: EventOf<'session'>, facts: Facts, { phase: { name }, message }: BoxState): Change {
  if (!facts.isSignedIn) {
    if (facts.hasSync && isFirst && name === 'writing' && (facts.isInline || isBack)) {
      return { ...showForm(), ...(isBack && { focus: 'panel' }) };
    }
    return message?.text === 'signedIn' || message?.text === 'oneMoreStep' ? { message: null } : {};
  }
  const isAwaited = name === 'waiting' || isBack;
  const isOver = ['waiting', 'leaving', 'cookie-blocked'].includes(name);
  // It was asked of another account.
  const isLost = isOtherAccount && name === 'confirming-sign-out';
  const isPosted = facts.isPressFinished;
  return {
    ...((isOver || isLost) && { phase: WRITING }),
    message: isPosted ? null : sessionMessage(facts, message, isAwaited || !isFirst || facts.isClaimed),
    // A press that posts the text of the field moves the focus itself.
    ...(isAwaited && !(isPosted && !facts.isPressedElsewhere) && { focus: 'field-on-return' }),
    effects: [
      ...(isOver ? ['end-sign-in', ...(isFirst ? ['close-window'] as const : [])] as const : []), ...(isPosted ? ['carry-out-press'] as const : []),
    ],
  };
}

/** @param isNews the reader has just signed in, or has not been told so */
function sessionMessage(
  { otherWriter, isPressedElsewhere, hasText }: Facts, message: Message | undefined, isNews: boolean,
): Message | undefined {
  if (otherWriter !== undefined) return { place: 'note', text: 'putBack', isOver: false, name: otherWriter };
  if (!isNews) return message;
  return hasText || isPressedElsewhere ? line('oneMoreStep') : line('signedIn', 'success');
}

function noticeMessage(notice: Notice): Message {
  return notice.kind === 'declined' && !notice.instance ? line('declined') : { place: 'note', text: 'notice', notice };
}
