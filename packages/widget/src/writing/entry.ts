/**
 * Entry of the outbox: a text that a press has taken out of its field, and the table of its states. Pure, except for its record.
 *
 * | state | meaning |
 * | --- | --- |
 * | `sending` | on its way: requests are allowed for ten minutes after the press |
 * | `failed` | not posted: every attempt certainly did nothing |
 * | `unknown` | nothing says of an attempt that it did nothing |
 * | `posted` | final |
 */

import { PROBLEM_TYPE_PREFIX, type PostCreated, type SessionUser } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from '../client/problem.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long after its press a text may be sent, in ms. */
export const PRESS_MS = 10 * MINUTE_MS;
/** How long the BFF remembers a key, in ms. */
const KEY_MS = DAY_MS;
/** After so long, in ms, the row says that it takes longer. */
export const TRYING_AFTER_MS = 10_000;

/** An article, as one account sees it. */
export interface Place {
  /** `user_id`. */
  readonly account: string;
  readonly forum: string;
  /** `articleKey` of the page. */
  readonly article: string;
}

/** Times are milliseconds since the epoch. */
export interface Entry extends Place {
  /** That of the draft whose text it has; names the entry through all its states. */
  readonly id: string;
  readonly text: string;
  /** Id of the comment that it replies to. */
  readonly parent?: string | undefined;
  /** Name of the reader whom it answers. */
  readonly inReplyTo?: string | undefined;
  /** Page of its requests, as the press knew it. */
  readonly address: string;
  /** Whose entry it is. */
  readonly user: SessionUser;
  /** Opaque id of the session of the press: the BFF knows the key of a reader without `user.key` within one session. Empty: that
   *  which the form in the page has begun. */
  readonly session?: string | undefined;
  /** `Idempotency-Key`. */
  readonly key: string;
  /** The BFF carries out no other request with the key: the next press takes a new one. */
  readonly isSpent?: boolean | undefined;
  /** The first request with `key`. */
  readonly firstSentAt?: number | undefined;
  /** The last press that posts: before a sign-in that came between. */
  readonly pressedAt: number;
  /** Since when it is on its way. */
  readonly startedAt: number;
  readonly state: 'sending' | 'failed' | 'unknown' | 'posted';
  /** An attempt may have been carried out: one with this key, whose next answer tells of it, or one with an earlier key. */
  readonly doubt?: 'key' | 'earlier' | undefined;
  /** Requests since the press. */
  readonly attempts: number;
  /** The next attempt. */
  readonly nextAt: number;
  /** Of the last response. */
  readonly problem?: WidgetProblem | undefined;
  readonly postedAt?: number | undefined;
  /** Of the service's record of the post. */
  readonly postId?: string | undefined;
  /** The BFF's entry of the post. */
  readonly listed?: PostCreated['listed'];
  /** A list has it. */
  readonly isListed?: boolean | undefined;
}

export type EntryEvent =
  /** A press posts it again. `key`: a new one, for where the old one is of no use. */
  | { readonly type: 'press'; readonly key: string; readonly session: string | undefined }
  /** A request leaves now. */
  | { readonly type: 'attempt'; readonly session: string | undefined }
  | { readonly type: 'created'; readonly created: PostCreated }
  /** A response, or none (`network`, status 0). `waitMs`: before the next attempt. `doubt`: that of the entry before the attempt.
   *  `key`: a new one. */
  | {
    readonly type: 'refused'; readonly problem: WidgetProblem; readonly waitMs: number; readonly doubt: Entry['doubt']; readonly key: string;
  }
  /** `online`: the network is back. */
  | { readonly type: 'stop' | 'expire' | 'listed' | 'online' };

/** The press is not older than ten minutes, nor in the future: the clock was set back. */
export function isFresh({ pressedAt }: Pick<Entry, 'pressedAt'>, now: number): boolean {
  return now >= pressedAt && now - pressedAt < PRESS_MS;
}

type EventOf<Type> = Extract<EntryEvent, { readonly type: Type }>;
type Rule<Type> = (entry: Entry, event: EventOf<Type>, now: number) => Entry;

/** An event that has no rule in the present state changes nothing. */
export const table: { readonly [Type in EntryEvent['type']]: { readonly [Name in Entry['state']]?: Rule<Type> } } = {
  press: { failed: press, unknown: press },
  attempt: { sending: (entry, { session }, now) => ({
    ...entry, session: entry.session || session, attempts: entry.attempts + 1, firstSentAt: entry.firstSentAt ?? now, doubt: entry.doubt ?? 'key',
  }) },
  created: { sending: posted, failed: posted, unknown: posted, posted },
  refused: { sending: refused, unknown: (entry, event, now) => end(refused(entry, event, now)) },
  online: { sending: (entry, _, now) => (entry.nextAt > now ? { ...entry, nextAt: now } : entry) },
  stop: { sending: end },
  expire: { sending: (entry, _, now) => (isFresh(entry, now) ? entry : end(entry)) },
  listed: { posted: (entry) => ({ ...entry, isListed: true }) },
};

export function transition(entry: Entry, event: EntryEvent, now: number, rules = table): Entry {
  const rule = rules[event.type][entry.state] as Rule<unknown> | undefined;
  return rule?.(entry, event as never, now) ?? entry;
}

function press(entry: Entry, { key, session }: EventOf<'press'>, now: number): Entry {
  const isRemembered = !entry.isSpent && now - (entry.firstSentAt ?? now) < KEY_MS;
  const next = { ...entry, state: 'sending', pressedAt: now, startedAt: now, attempts: 0, nextAt: now, problem: undefined, session } as const;
  if (isRemembered) return next;
  return { ...next, key, isSpent: undefined, firstSentAt: undefined, doubt: entry.doubt && 'earlier' };
}

/** What no other answer than 201 says: that nothing was done. */
const UNKNOWN: readonly WidgetProblemType[] = ['network', 'internal-error', 'post-in-progress', 'bad-service-response', 'outcome-unknown'];
/** Says of all requests with the key that none was carried out. */
const REFUSED: readonly WidgetProblemType[] = ['service-refused', 'post-rejected'];

export function typeOf({ type }: WidgetProblem): WidgetProblemType {
  return type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
}

function refused(entry: Entry, { problem, waitMs, doubt: before, key }: EventOf<'refused'>, now: number): Entry {
  const type = typeOf(problem);
  // The key is that of another text: this one takes another, at once. A second answer of this kind is not about the key.
  if (type === 'idempotency-key-reused') {
    return { ...entry, key, firstSentAt: undefined, doubt: before && 'earlier', nextAt: entry.attempts > 1 ? now + waitMs : now };
  }
  const isSettled = REFUSED.includes(type) && before !== 'earlier';
  const next = { ...entry, problem, doubt: UNKNOWN.includes(type) ? entry.doubt : isSettled ? undefined : before };
  if (!problem.retryable) return end({ ...next, isSpent: true });
  const nextAt = now + waitMs;
  return isFresh(entry, nextAt) ? { ...next, nextAt } : end(next);
}

function posted(entry: Entry, { created: { post, listed } }: EventOf<'created'>, now: number): Entry {
  const { id } = post;
  const postId = typeof id === 'string' || typeof id === 'number' ? String(id) : entry.postId;
  return {
    ...entry, state: 'posted', doubt: undefined, problem: undefined, postedAt: entry.postedAt ?? now, postId, listed: listed ?? entry.listed,
  };
}

function end(entry: Entry): Entry {
  return { ...entry, state: entry.doubt ? 'unknown' : 'failed' };
}

/** Only its reader sees it until it is approved. */
export function isHeld({ state, listed, isListed }: Entry): boolean {
  return state === 'posted' && !isListed && listed?.state === 'pending';
}

/** The ids under which lists may show an entry. */
export function idsOf({ state, postId, listed }: Entry): string[] {
  return state === 'posted' ? [postId, listed && 'id' in listed ? listed.id : undefined].filter((id) => id !== undefined) : [];
}

/** Names the sentence and the buttons of the contract's table. */
export type Row = 'posting' | 'trying' | 'offline' | 'not-posted' | 'unknown' | 'held' | 'posted';

export function rowOf(entry: Entry, now: number, isOnline: boolean): Row {
  switch (entry.state) {
    case 'sending': return !isOnline ? 'offline' : now - entry.startedAt < TRYING_AFTER_MS ? 'posting' : 'trying';
    case 'failed': return 'not-posted';
    case 'unknown': return 'unknown';
    case 'posted': return isHeld(entry) ? 'held' : 'posted';
  }
}

/** When an entry goes by itself, in milliseconds since the epoch: a posted one after ten minutes, a held one after 7 days, others
 *  after 30. */
export function expiryOf(entry: Entry): number {
  if (entry.state !== 'posted') return entry.pressedAt + 30 * DAY_MS;
  return entry.postedAt! + (isHeld(entry) ? 7 * DAY_MS : PRESS_MS);
}

export function isAt(entry: Place, { account, forum, article }: Place): boolean {
  return entry.account === account && entry.forum === forum && entry.article === article;
}
