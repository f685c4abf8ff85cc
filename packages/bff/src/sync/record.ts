/**
 * The sign-in transaction (interface, section 3, steps 3 to 6): one encrypted record under the hash of its code, moved by
 * compare-and-set only, and owned by the browser whose cookie `<hash of the code>.<secret>` has the secret.
 *
 *     validating ──▶ granted ──▶ done
 *
 * A request takes a sign-in before it sends the code, and before it completes a grant: it writes `by`. Others wait until it
 * gives the sign-in back, or until it cannot be at work any more. What a crash leaves, and what the identical request then does:
 * - `validating`: starts over; `validate` runs again.
 * - `validating`, taken: the code may have been sent. The sign-in ends as `outcome-unknown`.
 * - `granted`, taken or not: completes without the code; `onAccepted` runs again.
 * - `done`: gets the same outcome. The record stays for a day, so that the code is never sent again.
 *
 * Ages are lifetime minus rest, as the store counts them: with Redis, no process's clock matters. With SQLite, a clock that was
 * set back ends what is at work.
 */

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Notice, SyncOffer, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { randomId, sha256 } from '../lib/identifiers.ts';
import { warnEach } from '../log.ts';
import { ProblemError, storedProblem, type StoredProblem } from '../problem.ts';
import type { TokenGrant } from '../service/client.ts';
import { parseCompletionUri } from './addresses.ts';
import { shownUser, type NewSession, type Sessions } from '../session/session.ts';
import { isYounger, type Found, type Records } from '../store/records.ts';
import { ignoreUnavailableStore, writeLater } from '../store/store.ts';
import { NOTICE_MS } from './cookies.ts';

export type Result =
  /** `session`: the new one, after `accepted`. */
  | { readonly outcome: SyncOutcome; readonly session?: NewSession | undefined }
  | StoredProblem
  /** By a sign-out or a newer sign-in. */
  | { readonly ended: true; readonly session?: NewSession | undefined };

interface Open {
  readonly uri: string;
  /** The request that has taken the sign-in. */
  readonly by?: string | undefined;
}

export interface Validating extends Open {
  readonly state: 'validating';
  readonly code: string;
}

export interface Granted extends Open, Pick<TokenGrant, 'accessToken' | 'expiresIn'> {
  readonly state: 'granted';
  /** The one that `accepted` creates, chosen here, so that a retry creates the same one. */
  readonly session: NewSession;
}

export type State = Validating | Granted | { readonly state: 'done'; readonly result: Result };

/** Where a sign-in was begun. */
export interface SyncContext {
  readonly forum: string;
  /** BCP 47 tag of the page where the reader pressed; `undefined`: that of the browser. */
  readonly language?: string | undefined;
  /** Origin of the page that has opened the window of this sign-in. */
  readonly opener?: string | undefined;
  /** A text waits for this sign-in. */
  readonly post?: true | undefined;
  /** This browser has started it, by an attempt of its own: no other party has chosen the claimed name. */
  readonly isBound?: true | undefined;
}

export interface Begun extends SyncContext {
  /** SHA-256 of the secret. */
  readonly owner: string;
  /** Claimed. */
  readonly user: User;
}

export type Sync = State & Begun;
export type InState<S extends State['state']> = Extract<Sync, { state: S }>;

/** The lifetime of a record from the moment when the code may be sent: longer than a service keeps a code valid. */
export const DAY_MS = 86_400_000;

export interface SyncView {
  readonly sync?: Omit<SyncOffer, 'form'>;
  /** Of the sign-in. */
  readonly language?: string | undefined;
  /** Of the sign-in. */
  readonly opener?: string | undefined;
  readonly notice?: Notice;
}

export interface SyncRecordsDeps {
  readonly records: Records<Sync>;
  readonly config: Pick<Config, 'serviceUrl' | 'syncSeconds'>;
  readonly sessions: Pick<Sessions, 'endCreated'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The record lives as long as the cookie. */
const notInStore = {
  reason: 'the store has lost it, or another installation on this host name or another process has another store',
  setting: 'VESTIBULE_STORE: the same for every process',
};

export type SyncRecords = ReturnType<typeof createSyncRecords>;

export function createSyncRecords({ records, config, sessions, log }: SyncRecordsDeps) {
  const lifetimeMs = config.syncSeconds * 1000;
  const warnOnce = warnEach(log);
  return { lifetimeMs, cookieFor, isFinished, start, view, find, take, giveBack, move, moveLater, endWith, end };

  /** The cookie for the sign-in of `code`. The same one for the same browser or request: a response may have been lost.
   *  @param known the cookie of the browser @param requestKey a secret that a repeated request carries again */
  function cookieFor(code: string, known: string | undefined, requestKey: string | undefined): string {
    const id = sha256(code);
    if (known?.startsWith(`${id}.`)) return known;
    return `${id}.${requestKey === undefined ? randomId() : sha256('sync secret', code, requestKey)}`;
  }

  /** Whether the sign-in of the browser's cookie is that of `code`, and has finished. */
  async function isFinished(cookie: string | undefined, code: string | null): Promise<boolean> {
    if (cookie === undefined || code === null || idOf(cookie).id !== sha256(code)) return false;
    return (await find(cookie))?.record.state === 'done';
  }

  /** Starts a sign-in, or finds it: the first claim on a code wins. Ends the one that the browser had before.
   *  @param cookie of `cookieFor` @throws {ProblemError} `untrusted-completion-uri`, `code-already-used` */
  async function start(
    returned: SyncReturn, context: SyncContext, cookie: string, known?: string,
  ): Promise<SyncView> {
    const { code, audiencesync_uri: uri, ...user } = returned;
    parseCompletionUri(config.serviceUrl, uri);
    const sync: InState<'validating'> = { state: 'validating', owner: ownerOf(cookie), ...syncContextOf(context), user, code, uri };
    const created = await records.create(idOf(cookie), sync, lifetimeMs);
    const found = created ?? await find(cookie);
    if (!found || found.record.state === 'done') throw new ProblemError('code-already-used');
    if (known !== undefined && idOf(known).id !== idOf(cookie).id) await end(known, (_, sync) => sync.state !== 'done' || isEnded(sync));
    return viewOf(cookie, found);
  }

  async function view(cookie: string | undefined): Promise<SyncView> {
    const found = cookie === undefined ? undefined : await find(cookie);
    if (cookie !== undefined && !found) warnOnce(notInStore, 'a sign-in of a browser is not in the store');
    return cookie === undefined || !found ? {} : viewOf(cookie, found);
  }

  function viewOf(cookie: string, found: Found<Sync>): SyncView {
    const id = publicId(cookie);
    const { record } = found;
    if (record.state !== 'done') {
      const session = sessionOf(record);
      const { user_id, username } = session ? shownUser(session) : record.user;
      const { forum, language, opener, post } = record;
      return { sync: { id, user: { user_id, username }, forum, ...(post && { post }) }, language, opener };
    }
    if (!('outcome' in record.result) || !isYounger(found, DAY_MS, NOTICE_MS)) return {};
    const { outcome: kind, reason } = record.result.outcome;
    return kind === 'rejected' ? { notice: { id, kind, ...(reason !== undefined && { reason }) } } : {};
  }

  /** Ends the sign-in of a browser, also one whose exchange is in flight, and the session that it created.
   *  @param isMeant otherwise it stays @returns whether it has ended */
  async function end(
    cookie: string, isMeant: (session: NewSession | undefined, sync: Sync) => boolean = () => true,
  ): Promise<boolean> {
    for (;;) {
      const found = await find(cookie);
      const session = found && sessionOf(found.record);
      if (!found || !isMeant(session, found.record)) return false;
      if (!isEnded(found.record) && !await move(cookie, found, { state: 'done', result: { ended: true, session } })) continue;
      if (session) await sessions.endCreated(session);
      return true;
    }
  }

  /** `undefined`: another request was first.
   *  @throws {StoreUnavailableError} nothing was done: the sign-in is given back once the store is there again */
  function take<S extends Validating | Granted>(cookie: string, found: Found<Sync>, open: S) {
    const by = randomUUID();
    return move(cookie, found, { ...open, by }).catch((error: unknown) => {
      moveLater(cookie, by, open);
      throw error;
    });
  }

  /** Any request may take the sign-in from now on, or once the store is there again. */
  async function giveBack(cookie: string, found: Found<InState<'validating' | 'granted'>>): Promise<void> {
    const { by } = found.record;
    const open = { ...found.record, by: undefined };
    await move(cookie, found, open).catch((error: unknown) => {
      ignoreUnavailableStore(error);
      moveLater(cookie, by, open);
    });
  }

  /** Ends the sign-in with `problem`, which every repeated request gets too. @returns the problem */
  async function endWith(cookie: string, found: Found<Sync>, problem: ProblemError, requestId: string) {
    await move(cookie, found, { state: 'done', result: storedProblem(problem, requestId) }).catch(ignoreUnavailableStore);
    return problem;
  }

  /** When the store is back: the sign-in that `by` has taken moves to `next`. One that is `granted` by then is given back. */
  function moveLater(cookie: string, by: string | undefined, next: State): void {
    writeLater(async () => {
      const present = await find(cookie);
      if (!present || present.record.state === 'done' || present.record.by !== by) return;
      await move(cookie, present, present.record.state === 'granted' ? { ...present.record, by: undefined } : next);
    });
  }

  /** The sign-in that a cookie owns; `undefined`: expired, or another browser's. */
  async function find(cookie: string): Promise<Found<Sync> | undefined> {
    const found = await records.find(idOf(cookie));
    return found?.record.owner === ownerOf(cookie) ? found : undefined;
  }

  /** `undefined`: another writer was first. @throws {StoreUnavailableError} it is unknown whether the move was applied */
  async function move<S extends State>(cookie: string, found: Found<Sync>, next: S): Promise<Found<S & Begun> | undefined> {
    const { owner, user } = found.record;
    const record = { ...next, owner, ...syncContextOf(found.record), user };
    const mayBeSent = next.state !== 'validating' || next.by !== undefined;
    const moved = await records.compareAndSet(idOf(cookie), found, record, mayBeSent ? DAY_MS : lifetimeMs);
    return moved && { ...moved, record };
  }
}

/** Without the other members of a larger object. */
function syncContextOf({ forum, language, opener, post, isBound }: SyncContext): SyncContext {
  return { forum, language, opener, post, isBound };
}

export function publicId(cookie: string): string {
  return sha256('sync id', cookie).slice(0, 22);
}

function idOf(cookie: string) {
  return { id: cookie.slice(0, cookie.indexOf('.')) };
}

function ownerOf(cookie: string): string {
  return sha256('owner', cookie.slice(cookie.indexOf('.') + 1));
}

/** Whether the request that has taken the sign-in may still work on it. @param workMs how long it does at most */
export function isAtWork(found: Found<Sync>, { by }: Open, workMs: number): boolean {
  return by !== undefined && isYounger(found, DAY_MS, workMs);
}

/** By a sign-out or a newer sign-in. */
function isEnded(sync: Sync): boolean {
  return sync.state === 'done' && 'ended' in sync.result;
}

function sessionOf(record: Sync): NewSession | undefined {
  if (record.state === 'granted') return record.session;
  return record.state === 'done' && 'session' in record.result ? record.result.session : undefined;
}
