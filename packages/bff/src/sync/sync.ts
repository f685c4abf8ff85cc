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

import type { Logger } from 'pino';
import type { Notice, SyncOffer, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { AcceptedUser } from '../config/types.ts';
import { ProblemError, replayedProblem, storedProblem, type Diagnosis, type StoredProblem } from '../problem.ts';
import { randomId, sha256 } from '../lib/identifiers.ts';
import { warnEach } from '../log.ts';
import type { ServiceClient, TokenGrant } from '../service/client.ts';
import { completionUrl, parseCompletionUri } from '../service/urls.ts';
import { shownUser, type NewSession, type Sessions } from '../session/session.ts';
import { isYounger, type Found, type Records } from '../store/records.ts';
import { STORE_MARGIN_MS, StoreUnavailableError, writeLater } from '../store/store.ts';
import type { Acceptance, Decision, GivenAnswers } from './acceptance.ts';
import { NOTICE_MS } from './cookies.ts';

type Result =
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

interface Validating extends Open {
  readonly state: 'validating';
  readonly code: string;
}

interface Granted extends Open, Pick<TokenGrant, 'accessToken' | 'expiresIn'> {
  readonly state: 'granted';
  /** The one that `accepted` creates, chosen here, so that a retry creates the same one. */
  readonly session: NewSession;
}

type State = Validating | Granted | { readonly state: 'done'; readonly result: Result };

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

interface Begun extends SyncContext {
  /** SHA-256 of the secret. */
  readonly owner: string;
  /** Claimed. */
  readonly user: User;
}

export type Sync = State & Begun;
type InState<S extends State['state']> = Extract<Sync, { state: S }>;

/** The lifetime of a record from the moment when the code may be sent: longer than a service keeps a code valid. */
const DAY_MS = 86_400_000;

/** How often a request looks again while another one is at work. */
const WAIT_STEP_MS = 500;

interface FinishRequest {
  /** Public id of the sign-in that the reader was shown. */
  readonly sync: string;
  /** For the log. */
  readonly requestId: string;
}

export interface ValidationRequest extends FinishRequest {
  /** The name that the reader was shown. */
  readonly username: string;
  readonly given: GivenAnswers;
}

interface Finish extends FinishRequest {
  /** `undefined`: it does not matter. */
  readonly username?: string;
  readonly outcomes: readonly SyncOutcome['outcome'][];
  /** Runs once a request, with the best-known user; again if that user turns out to be unproven and the decision is repeated. */
  readonly decide: (user: AcceptedUser, sync: Pick<Begun, 'forum' | 'language'>) => Promise<Decision>;
}

/** `session`: the new one, after `accepted`. `replayed`: an earlier request finished it. */
export type FinishedSync = Extract<Result, { outcome: SyncOutcome }> & { readonly replayed?: boolean };

export interface SyncView {
  readonly sync?: Omit<SyncOffer, 'form'>;
  /** Of the sign-in. */
  readonly language?: string | undefined;
  /** Of the sign-in. */
  readonly opener?: string | undefined;
  readonly notice?: Notice;
}

export interface SyncsDeps {
  readonly records: Records<Sync>;
  readonly config: Pick<Config, 'serviceUrl' | 'publicKey' | 'requireProvenUser' | 'syncSeconds' | 'serviceTimeoutMs' | 'hookTimeoutMs'>;
  readonly acceptance: Pick<Acceptance, 'decide' | 'accept'>;
  readonly sessions: Pick<Sessions, 'endCreated'>;
  readonly service: Pick<ServiceClient, 'exchangeCode'>;
  readonly log: Pick<Logger, 'warn'>;
}

const withoutCookie = { reason: 'no cookie of a sign-in arrived', setting: 'the browser, or the proxy, which must pass cookies on' };
const withoutUser = { reason: 'the token exchange returned no user_id', setting: 'VESTIBULE_REQUIRE_PROVEN_USER' };
/** The answers of an account are nobody else's. */
const repeatedWithoutUser = {
  reason: 'the token exchange returned no user_id, which an account needs whose answers are used again',
  setting: 'VESTIBULE_CONFIG: validation.ask',
};
const outrun = { reason: 'another request took over: the completion took too long', setting: 'VESTIBULE_HOOK_TIMEOUT_MS' };
/** The record lives as long as the cookie. */
const notInStore = {
  reason: 'the store has lost it, or another installation on this host name or another process has another store',
  setting: 'VESTIBULE_STORE: the same for every process',
};
const busy = { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS' };
const NOT_STORED = 'Your sign-in could not be stored. Please sign in again.';
const lostGrantOf = (cause: unknown): Diagnosis => ({
  reason: `the store failed after the exchange: ${cause instanceof StoreUnavailableError ? cause.reason : 'err of this line'}`,
  setting: 'VESTIBULE_STORE',
});
const interrupted = { reason: 'the BFF ended, or lost its store, during the exchange', setting: 'log lines of the sign-in' };

export type Syncs = ReturnType<typeof createSyncs>;

export function createSyncs({ records, config, acceptance, sessions, service, log }: SyncsDeps) {
  const lifetimeMs = config.syncSeconds * 1000;
  /** Longer than an exchange, and than a completion, can be at work. */
  const [callMs, hookMs] = [config.serviceTimeoutMs + STORE_MARGIN_MS, config.hookTimeoutMs + STORE_MARGIN_MS];
  const warnOnce = warnEach(log);
  return { cookieFor, isFinished, start, view, validate, cancel, end };

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

  /** @throws {ProblemError} `no-sync-in-progress`, `user-changed`, `invalid-answers`, those of the hooks and of the exchange */
  function validate(cookie: string | undefined, request: ValidationRequest): Promise<FinishedSync> {
    return finish(cookie, { ...request, outcomes: ['accepted', 'rejected'], decide: (user, { forum, language }) => {
      const { given } = request;
      const languages = language === undefined ? given.languages : [language, ...given.languages];
      return acceptance.decide(user, forum, { ...given, languages });
    } });
  }

  /** The code is exchanged too: the completion needs its token. @throws {ProblemError} as `validate` */
  function cancel(cookie: string | undefined, request: FinishRequest): Promise<FinishedSync> {
    return finish(cookie, { ...request, outcomes: ['cancelled'], decide: async () => ({ outcome: 'cancelled' }) });
  }

  /** Decides, exchanges the code unless it was, and completes. */
  async function finish(cookie: string | undefined, request: Finish): Promise<FinishedSync> {
    if (cookie === undefined) throw new ProblemError('no-sync-in-progress', { diagnosis: withoutCookie });
    if (publicId(cookie) !== request.sync) throw new ProblemError('no-sync-in-progress');
    // By then the work of every other request is over. This process's own clock: that of the store may be set back.
    const waitsUntil = performance.now() + callMs + hookMs;
    let decision: Decision | undefined;
    for (;;) {
      const found = await find(cookie);
      if (!found) throw new ProblemError('no-sync-in-progress');
      const { record } = found;
      switch (record.state) {
        case 'done':
          // A completion that crashed, or lost its store, may have left a session.
          if ('ended' in record.result && record.result.session) await sessions.endCreated(record.result.session);
          if (DAY_MS - found.restMs > lifetimeMs) throw new ProblemError('no-sync-in-progress');
          return replay(record.result, request);
        case 'validating': {
          if (isAtWork(found, record, callMs)) break;
          if (record.by !== undefined) {
            throw await endWith(cookie, found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
          }
          decision ??= await request.decide(record.user, record);
          const taken = await take(cookie, found, record);
          if (taken) return complete(cookie, await exchange(cookie, taken, decision, request), decision, request);
          continue;
        }
        case 'granted': {
          if (isAtWork(found, record, hookMs)) break;
          // Another request has exchanged the code since, and proved nobody: the answers of the account are not this reader's.
          if (decision?.isRepeated && record.session.user.proven === false) decision = undefined;
          // Before it is taken: `hookMs` has room for the completion only.
          decision ??= await request.decide(record.session.user, record);
          const taken = await take(cookie, found, record);
          if (taken) return complete(cookie, taken, decision, request);
          continue;
        }
      }
      if (performance.now() > waitsUntil) throw inProgress(busy);
      await new Promise((resolve) => { setTimeout(resolve, WAIT_STEP_MS); });
    }
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
    const by = randomId();
    return move(cookie, found, { ...open, by }).catch((error: unknown) => {
      moveLater(cookie, by, open);
      throw error;
    });
  }

  /** Any request may take the sign-in from now on, or once the store is there again. */
  async function giveBack(cookie: string, found: Found<InState<'validating' | 'granted'>>): Promise<void> {
    const { by } = found.record;
    const open = { ...found.record, by: undefined };
    await move(cookie, found, open).catch(() => { moveLater(cookie, by, open); });
  }

  /** From `validating` to `granted`. @throws {ProblemError} `service-unavailable` with the sign-in given back; others with it
   *  `done` */
  async function exchange(cookie: string, found: Found<InState<'validating'>>, decision: Decision, request: Finish) {
    const { code, uri, by } = found.record;
    let next: Granted;
    try {
      const grant = await service.exchangeCode(code);
      const { accessToken, expiresIn } = grant;
      next = { state: 'granted', uri, accessToken, expiresIn, by, session: { id: randomId(), ...acceptedUserOf(grant, found.record, decision) } };
    } catch (cause) {
      const problem = cause instanceof ProblemError ? cause : new ProblemError('outcome-unknown', { cause });
      if (problem.type !== 'service-unavailable') throw await endWith(cookie, found, problem, request);
      await giveBack(cookie, found);
      throw problem;
    }
    const granted = await move(cookie, found, next).catch((cause: unknown) => {
      const problem = new ProblemError('outcome-unknown', { cause, detail: NOT_STORED, diagnosis: lostGrantOf(cause) });
      moveLater(cookie, by, { state: 'done', result: storedProblem(problem, request.requestId) });
      throw problem;
    });
    if (granted) return granted;
    // The record changed after the code was sent.
    const present = await find(cookie);
    if (present?.record.state === 'done') replay(present.record.result, request);
    throw await endWith(cookie, present ?? found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
  }

  /** From `granted` to `done`.
   *  @throws {ProblemError} with the sign-in `granted` and given back: the identical request completes it */
  async function complete(
    cookie: string, found: Found<InState<'granted'>>, decision: Decision, request: Finish,
  ): Promise<FinishedSync> {
    const { outcome, reason } = decision;
    const { session, accessToken, uri } = found.record;
    const user = shownUser(session);
    try {
      const success = outcome === 'accepted';
      if (success && request.username !== user.username) throw new ProblemError('user-changed', { user });
      const completion = {
        client_id: config.publicKey, user_id: user.user_id, access_token: accessToken, success: success ? '1' : '0',
      };
      const result: FinishedSync = {
        outcome: { outcome, completion_url: completionUrl(uri, completion), ...(reason !== undefined && { reason }) },
        session: success ? session : undefined,
      };
      const undo = success ? await acceptance.accept(found.record, decision) : undefined;
      if (await move(cookie, found, { state: 'done', result })) return result;
      // Another request completed the sign-in, completes it now, or ended it.
      const present = (await find(cookie))?.record;
      if (present?.state === 'granted') throw inProgress(outrun);
      const other = present?.state === 'done' && 'outcome' in present.result ? present.result : undefined;
      if (other && other.session?.id === result.session?.id) return replay(other, request);
      await undo?.();
      throw new ProblemError('no-sync-in-progress');
    } catch (error) {
      // The service refused the new access token, which a hook used.
      if (error instanceof ProblemError && error.type === 'not-signed-in') throw await endWith(cookie, found, error, request);
      await giveBack(cookie, found);
      throw error;
    }
  }

  /** Ends the sign-in with `problem`, which every repeated request gets too. @returns the problem */
  async function endWith(cookie: string, found: Found<Sync>, problem: ProblemError, { requestId }: FinishRequest) {
    await move(cookie, found, { state: 'done', result: storedProblem(problem, requestId) }).catch(() => undefined);
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

  /** The user that a grant signs in: the proven one, or the claimed one, marked as unproven, with one warning in the log.
   *  @throws {ProblemError} */
  function acceptedUserOf(
    { userId, username }: TokenGrant, { user: claimed, isBound }: Begun, { isRepeated }: Decision,
  ): Omit<NewSession, 'id'> {
    const { user_id } = claimed;
    // A claimed name is never kept as a proven one, and is shown only where no other party can have chosen it.
    const shownName = isBound ? claimed.username : user_id;
    if (userId === user_id) {
      return { user: { user_id, username: username ?? user_id }, ...(username === undefined && { shownName }) };
    }
    if (userId !== undefined) throw new ProblemError('user-mismatch');
    if (isRepeated) throw new ProblemError('bad-service-response', { diagnosis: repeatedWithoutUser });
    if (config.requireProvenUser) throw new ProblemError('bad-service-response', { diagnosis: withoutUser });
    warnOnce(withoutUser, 'users are unproven');
    return { user: { user_id, username: username ?? shownName, proven: false } };
  }
}

function inProgress(diagnosis: Diagnosis): ProblemError {
  const detail = 'Your answers are being checked already. Please try again in a moment.';
  return new ProblemError('service-unavailable', { detail, retryAfterSeconds: 2, diagnosis });
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
function isAtWork(found: Found<Sync>, { by }: Open, workMs: number): boolean {
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

/** @throws {ProblemError} the problem that the sign-in ended in; `no-sync-in-progress` if it ended in another way; `user-changed`
 *  if it signed in another user than the one shown */
function replay(result: Result, { outcomes, username }: Finish): FinishedSync {
  if ('problem' in result) throw replayedProblem(result);
  if ('ended' in result || !outcomes.includes(result.outcome.outcome)) throw new ProblemError('no-sync-in-progress');
  const { session } = result;
  if (session && username !== shownUser(session).username) throw new ProblemError('user-changed', { user: shownUser(session) });
  return { ...result, replayed: true };
}
