/**
 * The table of an entry's states: what each event makes of it. Pure: effects are names, which `outbox.ts` carries out. An event
 * that has no rule in the present state changes nothing.
 *
 * A press allows requests for ten minutes. `unsureSince` is the doubt: it belongs to the entry, so whatever ends the attempts
 * leads to `unsure` with it and to `failed` without it.
 */

import type { PostCreated } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';
import { isHeld, type FailedEntry, type OutboxEntry, type OutEntry, type Pressed, type UnsureEntry, type WaitingEntry } from './outbox-entry.ts';

/** How long after its press a text may be sent, in ms. */
export const PRESS_MS = 10 * 60_000;
/** How long the BFF remembers a key, in ms. */
const KEY_MS = 24 * 60 * 60_000;

export type EntryState = OutboxEntry['state'];

/** A press that posts an entry again. `key`: a new one, for where the old one is of no use. */
export interface PressFacts extends Pick<Pressed, 'pressedAt' | 'key' | 'session' | 'signOut'> {
  /** That its reader has edited. */
  readonly text?: string | undefined;
}

/** Of the reader; none of them posts the entry. */
export type ReaderEvent =
  | { readonly type: 'edit'; readonly text: string }
  /** `confirm`: “It's there”. */
  | { readonly type: 'cancel-edit' | 'stop' | 'confirm' };

export type EntryEvent =
  | ReaderEvent
  | { readonly type: 'press-again'; readonly press: PressFacts }
  /** The lock of the entry is held, and the request leaves now. */
  | { readonly type: 'claim' }
  /** Responses to a request with `key`; 201 may also be late. */
  | { readonly type: 'created'; readonly key: string; readonly created: PostCreated }
  | {
    readonly type: 'refused';
    readonly problem: WidgetProblem;
    /** Wait before the next attempt, in ms. */
    readonly waitMs: number;
    /** The browser said so before the request left, and when it failed. */
    readonly wasOnline: boolean;
    readonly isOnline: boolean;
  }
  /** No response for 30 s. */
  | { readonly type: 'late'; readonly waitMs: number }
  /** No document that lives sends it: its lock is free. */
  | { readonly type: 'left' }
  | { readonly type: 'due' | 'online' | 'try-now' | 'expire' | 'remove' }
  /** A list has the comment, or, without an id, should have it by now. */
  | { readonly type: 'listed'; readonly id?: string | undefined };

export interface Facts {
  readonly now: number;
  /** Id of this document. */
  readonly sender: string;
  /** Opaque id of the present session; `undefined`: there is none, or it is not known. */
  readonly session: string | undefined;
}

/** `removed`: nothing is left of the entry. */
type Next = OutboxEntry | 'removed';
type EventOf<Type, Event = EntryEvent> = Event extends { readonly type: infer Own } ? Type extends Own ? Event : never : never;
type EntryOf<Name> = Extract<OutboxEntry, { readonly state: Name }>;
type Rule<Type, Name> = (entry: EntryOf<Name>, event: EventOf<Type>, facts: Facts) => Next;
export type Table = { readonly [Type in EntryEvent['type']]: { readonly [Name in EntryState]?: Rule<Type, Name> } };

/** The press is not older than ten minutes, nor in the future: the clock was set back. */
export function isFresh({ pressedAt }: Pick<OutboxEntry, 'pressedAt'>, now: number): boolean {
  return now >= pressedAt && now - pressedAt < PRESS_MS;
}

/** What a problem says of its request; others: that nothing was carried out. `refused`: no request with the key was. `spent`: it
 *  may have been, and the BFF carries out no other one with the key. */
const outcomes: { readonly [Type in WidgetProblemType]?: 'unknown' | 'spent' | 'refused' } = {
  network: 'unknown', 'internal-error': 'unknown', 'post-in-progress': 'unknown', 'bad-service-response': 'unknown',
  'outcome-unknown': 'spent', 'idempotency-key-reused': 'spent',
  'service-refused': 'refused', 'post-rejected': 'refused',
};

export const table: Table = {
  'press-again': { failed: tryAgain, unsure: postAgain },
  claim: { out: claim },
  created: { out: posted, waiting: posted, failed: posted, unsure: posted, posted },
  refused: { out: refused },
  late: { out: (entry, { waitMs }, { now }) => (
    wait({ ...entry, unsureSince: entry.unsureSince ?? entry.sentAt }, now, now + waitMs)
  ) },
  left: { out: repeat },
  due: { waiting: send },
  online: { waiting: (entry, _, facts) => (entry.until === undefined ? send(entry, _, facts) : entry) },
  'try-now': { waiting: send },
  stop: { waiting: (entry) => end(entry) },
  expire: { waiting: (entry, _, { now }) => (isFresh(entry, now) ? entry : end(entry)) },
  listed: { posted: (entry, { id }) => ({ ...entry, postId: entry.postId ?? id, isListed: true }) },
  edit: { failed: (entry, { text }) => ({ ...entry, edited: text }) },
  'cancel-edit': { failed: ({ edited: _, ...entry }) => entry },
  remove: { failed: () => 'removed', unsure: () => 'removed' },
  confirm: { unsure: () => 'removed' },
};

export function transition(entry: OutboxEntry, event: EntryEvent, facts: Facts, rules = table): Next {
  const rule = rules[event.type][entry.state] as Rule<unknown, unknown> | undefined;
  return rule?.(entry as never, event as never, facts) ?? entry;
}

function tryAgain(entry: FailedEntry, { press }: EventOf<'press-again'>, { sender }: Facts): OutEntry {
  const { problem: _, edited: __, ...rest } = entry;
  return { ...rest, ...press, state: 'out', sender, attempt: 1, text: press.text ?? entry.text, firstSentAt: undefined };
}

function postAgain(entry: UnsureEntry, { press }: EventOf<'press-again'>, { sender }: Facts): Next {
  // Another tab has sent what was edited here.
  if (press.text !== undefined) return entry;
  const { problem: _, ...rest } = entry;
  const { key, text } = entry;
  return {
    ...rest, ...press, state: 'out', sender, attempt: 1, text,
    ...(isKeyRemembered(entry, press.pressedAt) ? { key } : { firstSentAt: undefined, hasEarlierKey: true }),
  };
}

function isKeyRemembered({ key, firstSentAt }: OutboxEntry, now: number): boolean {
  return key !== '' && firstSentAt !== undefined && now - firstSentAt < KEY_MS;
}

/** A request with the old key may make a second comment: the BFF knows the key of an unproven reader within one session.
 *  @param session opaque id of the present one */
export function mayAppearTwice({ user, session: earlier }: Pick<OutboxEntry, 'user' | 'session'>, session: string | undefined): boolean {
  return user.key === undefined && earlier !== session;
}

/** Checked at every attempt: a machine may have slept, and the reader may have signed in again. */
function maySend(entry: OutEntry | WaitingEntry, { now, session }: Facts): boolean {
  const isDoubled = entry.unsureSince !== undefined && session !== undefined && mayAppearTwice(entry, session);
  return isFresh(entry, now) && !isDoubled;
}

function claim(entry: OutEntry, _: unknown, facts: Facts): Next {
  const { now, sender } = facts;
  if (entry.sender !== sender || entry.sentAt !== undefined) return entry;
  return maySend(entry, facts) ? { ...entry, sentAt: now, firstSentAt: entry.firstSentAt ?? now } : end(entry);
}

function send(entry: WaitingEntry, _: unknown, facts: Facts): Next {
  if (!maySend(entry, facts)) return end(entry);
  const { until: __, problem: ___, ...rest } = entry;
  return { ...rest, state: 'out', sender: facts.sender, attempt: entry.attempt + 1 };
}

/** A request was out when its document was left: it is repeated once. */
function repeat(entry: OutEntry, _: unknown, facts: Facts): Next {
  const { sentAt, ...left } = { ...entry, unsureSince: entry.unsureSince ?? entry.sentAt };
  return maySend(left, facts) && !entry.isRepeated ? { ...left, sender: facts.sender, isRepeated: true } : end(left);
}

function posted(entry: OutboxEntry, { key, created: { post, listed } }: EventOf<'created'>, { now }: Facts): Next {
  // Of a text that its reader has edited since.
  if (key !== entry.key && entry.state !== 'posted') return entry;
  const { id } = post;
  const postId = typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  if (entry.state === 'posted') return { ...entry, postId: postId ?? entry.postId, listed: listed ?? entry.listed };
  return { ...settled(entry), state: 'posted', postedAt: now, postId, listed };
}

function refused(entry: OutEntry, { problem, waitMs, wasOnline, isOnline }: EventOf<'refused'>, { now }: Facts): Next {
  const type = problem.type.slice('urn:vestibule:'.length) as WidgetProblemType;
  const isNetwork = type === 'network' && problem.status === 0;
  const outcome = isNetwork && !wasOnline && !isOnline ? 'nothing' : outcomes[type] ?? 'nothing';
  const isDoubt = outcome === 'unknown' || outcome === 'spent';
  const isEnd = outcome === 'refused' && !entry.hasEarlierKey;
  const next = {
    ...entry, problem,
    unsureSince: isDoubt ? entry.unsureSince ?? entry.sentAt : isEnd ? undefined : entry.unsureSince,
    ...(outcome === 'spent' && { key: '' }),
  };
  if (!problem.retryable) return end(next);
  return wait(next, now, isNetwork && !isOnline ? undefined : now + waitMs);
}

/** @param until as in the entry */
function wait({ sentAt: _, ...entry }: OutEntry, now: number, until: number | undefined): Next {
  return isFresh(entry, until ?? now) ? { ...entry, state: 'waiting', until } : end(entry);
}

function end(entry: (Omit<OutEntry, 'sentAt'> | WaitingEntry) & { readonly problem?: WidgetProblem | undefined }): FailedEntry | UnsureEntry {
  const { unsureSince, problem } = entry;
  const rest = { ...settled(entry), problem };
  return unsureSince === undefined ? { ...rest, state: 'failed' } : { ...rest, state: 'unsure', unsureSince };
}

type Settled = Omit<FailedEntry, 'state' | 'problem'>;

/** What the entry has in every state. */
function settled(entry: Settled): Settled {
  const {
    state: _, sender: __, attempt: ___, sentAt: ____, until: _____, unsureSince: ______, isRepeated: _______, problem: ________,
    ...rest
  } = entry as Settled & Partial<Record<'state' | 'sender' | 'attempt' | 'sentAt' | 'until' | 'unsureSince' | 'isRepeated' | 'problem', unknown>>;
  return rest;
}

/** Row of an entry: it names the sentence and the buttons of the contract's table. */
export type Row =
  | 'posting' | 'not-posted-yet' | 'not-confirmed-yet' | 'offline' | 'not-posted' | 'session-over' | 'unsure' | 'held' | 'posted';

export function rowOf(entry: OutboxEntry): Row {
  switch (entry.state) {
    case 'out': return 'posting';
    case 'waiting': return entry.until === undefined ? 'offline' : entry.unsureSince === undefined ? 'not-posted-yet' : 'not-confirmed-yet';
    case 'failed': return entry.problem?.type === 'urn:vestibule:not-signed-in' ? 'session-over' : 'not-posted';
    case 'unsure': return 'unsure';
    case 'posted': return isHeld(entry) ? 'held' : 'posted';
  }
}
