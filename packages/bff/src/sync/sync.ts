/**
 * The sign-in transaction (interface, section 3, steps 3 to 6): one encrypted record under the hash of its code, moved by
 * compare-and-set only, and owned by the browser whose cookie `<hash of the code>.<secret>` has the secret.
 *
 *     validating ──▶ exchanging ──▶ granted ──▶ done
 *         ▲              │
 *         └─ not sent ───┘
 *
 * What a crash leaves, and what the identical request then does:
 * - `validating`: starts over; `validate` runs again.
 * - `exchanging`: the code may have been sent. Once no request can be at work, the sign-in ends as `outcome-unknown`.
 * - `granted`: completes without the code; `onAccepted` runs again.
 * - `done`: gets the same outcome. The record stays for a day, so that the code is never sent again.
 *
 * Ages are lifetime minus rest, as the store counts them: with Redis, no process's clock matters.
 */

import type { Logger } from 'pino';
import type { Notice, ProblemType, SyncOffer, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { ProblemError, replayedProblem, type Diagnosis } from '../problem.ts';
import { randomId, sha256 } from '../lib/identifiers.ts';
import type { ServiceClient, TokenGrant } from '../service/client.ts';
import { completionUrl, parseCompletionUri } from '../service/urls.ts';
import { shownUser, type NewSession } from '../session/session.ts';
import type { Found, Records } from '../store/records.ts';
import { STORE_MARGIN_MS, writeLater } from '../store/store.ts';
import type { Acceptance, Decision, GivenAnswers } from './acceptance.ts';
import { NOTICE_MS } from './cookies.ts';

type Result =
  /** `session`: the new one, after `accepted`. */
  | { readonly outcome: SyncOutcome; readonly session?: NewSession | undefined }
  /** `request_id`: of the request that failed, for the log. */
  | { readonly problem: ProblemType; readonly detail: string; readonly request_id: string }
  /** By a sign-out or a newer sign-in. */
  | { readonly ended: true; readonly session?: NewSession | undefined };

interface Granted extends Pick<TokenGrant, 'accessToken' | 'expiresIn'> {
  readonly state: 'granted';
  readonly uri: string;
  /** The one that `accepted` creates, chosen here, so that a retry creates the same one. */
  readonly session: NewSession;
  /** No request is at work. */
  readonly free?: boolean;
}

type State =
  | { readonly state: 'validating'; readonly code: string; readonly uri: string }
  /** `by`: the request that sends the code. */
  | { readonly state: 'exchanging'; readonly code: string; readonly uri: string; readonly by: string }
  | Granted
  | { readonly state: 'done'; readonly result: Result };

export type SyncRecord = State & {
  /** SHA-256 of the secret. */
  readonly owner: string;
  readonly forum: string;
  /** BCP 47 tag of the page where the reader pressed; `undefined`: that of the browser. */
  readonly language?: string | undefined;
  /** Origin of the page that has opened the window of this sign-in. */
  readonly opener?: string | undefined;
  /** Claimed. */
  readonly user: User;
};

type InState<S extends State['state']> = Extract<SyncRecord, { state: S }>;

/** The lifetime of a record that has left `validating`: longer than a service keeps a code valid. */
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
  /** Runs once a request, with the best-known user. */
  readonly decide: (user: User, sync: Pick<SyncRecord, 'forum' | 'language'>) => Promise<Decision>;
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
  readonly records: Records<SyncRecord>;
  readonly config: Pick<Config, 'serviceUrl' | 'publicKey' | 'requireProvenUser' | 'syncSeconds' | 'serviceTimeoutMs' | 'hookTimeoutMs'>;
  readonly acceptance: Acceptance;
  readonly service: Pick<ServiceClient, 'exchangeCode'>;
  readonly log: Pick<Logger, 'warn'>;
}

const withoutCookie = { reason: 'no cookie of a sign-in arrived', setting: 'the browser, or the proxy, which must pass cookies on' };
const withoutUser = { reason: 'the token exchange returned no user_id', setting: 'VESTIBULE_REQUIRE_PROVEN_USER' };
const outrun = { reason: 'another request took over: the completion took too long', setting: 'VESTIBULE_HOOK_TIMEOUT_MS' };
/** The record lives as long as the cookie. */
const notInStore = {
  reason: 'the store has lost it, or another process has another store', setting: 'VESTIBULE_STORE: the same for every process',
};
const busy = { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS' };
const interrupted = { reason: 'the BFF ended, or lost its store, during the exchange', setting: 'log lines of the sign-in' };

export type Syncs = ReturnType<typeof createSyncs>;

export function createSyncs({ records, config, acceptance, service, log }: SyncsDeps) {
  const { endSession } = acceptance;
  const lifetimeMs = config.syncSeconds * 1000;
  /** Longer than an exchange, and than a completion, can be at work. */
  const [callMs, hookMs] = [config.serviceTimeoutMs + STORE_MARGIN_MS, config.hookTimeoutMs + STORE_MARGIN_MS];
  const warned = new Set<string>();
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
    returned: SyncReturn, { forum, language, opener }: Pick<SyncRecord, 'forum' | 'language' | 'opener'>, cookie: string, known?: string,
  ): Promise<SyncView> {
    const { code, audiencesync_uri: uri, ...user } = returned;
    parseCompletionUri(config.serviceUrl, uri);
    const record: SyncRecord = { state: 'validating', owner: ownerOf(cookie), forum, language, opener, user, code, uri };
    const found = await records.create(idOf(cookie), record, lifetimeMs) ?? await find(cookie);
    if (!found || found.record.state === 'done') throw new ProblemError('code-already-used');
    if (known !== undefined && idOf(known).id !== idOf(cookie).id) await end(known, true);
    return viewOf(cookie, found);
  }

  async function view(cookie: string | undefined): Promise<SyncView> {
    const found = cookie === undefined ? undefined : await find(cookie);
    if (cookie !== undefined && !found) warnOnce(notInStore, 'a sign-in of a browser is not in the store');
    return cookie === undefined || !found ? {} : viewOf(cookie, found);
  }

  function viewOf(cookie: string, found: Found<SyncRecord>): SyncView {
    const id = publicId(cookie);
    const { record } = found;
    if (record.state !== 'done') {
      const session = sessionOf(record);
      const { user_id, username } = session ? shownUser(session) : record.user;
      const { forum, language, opener } = record;
      return { sync: { id, user: { user_id, username }, forum }, language, opener };
    }
    if (!('outcome' in record.result) || ageOf(found) >= NOTICE_MS) return {};
    const { outcome: kind, reason } = record.result.outcome;
    return kind === 'rejected' ? { notice: { id, kind, ...(reason !== undefined && { reason }) } } : {};
  }

  /** @throws {ProblemError} `no-sync-in-progress`, `user-changed`, `invalid-answers`, those of the hooks and of the exchange */
  function validate(cookie: string | undefined, request: ValidationRequest): Promise<FinishedSync> {
    return finish(cookie, { ...request, outcomes: ['accepted', 'rejected'], decide: (user, { forum, language }) => {
      const { answers, languages } = request.given;
      const preferred = language === undefined ? languages : [language, ...languages];
      return acceptance.decide(user, forum, { answers, languages: preferred });
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
          if ('ended' in record.result && record.result.session) await endSession(record.result.session);
          if (ageOf(found) > lifetimeMs) throw new ProblemError('no-sync-in-progress');
          return replay(record.result, request);
        case 'validating': {
          decision ??= await request.decide(record.user, record);
          const exchanging = await beginExchange(cookie, found, record);
          if (exchanging) return complete(cookie, await exchange(cookie, exchanging, request), decision, request);
          continue;
        }
        case 'exchanging':
          if (ageOf(found) <= callMs) break;
          throw await endWith(cookie, found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
        case 'granted': {
          if (!record.free && ageOf(found) <= hookMs) break;
          // Before it is taken: `hookMs` has room for the completion only.
          decision ??= await request.decide(record.session.user, record);
          const granted = await move(cookie, found, { ...record, free: false });
          if (granted) return complete(cookie, granted, decision, request);
          continue;
        }
      }
      if (performance.now() > waitsUntil) throw inProgress(busy);
      await new Promise((resolve) => { setTimeout(resolve, WAIT_STEP_MS); });
    }
  }

  /** Ends the sign-in of a browser, also one whose exchange is in flight, and the session that it created.
   *  @param keepsDone for a newer sign-in of the browser: one with an outcome stays */
  async function end(cookie: string, keepsDone = false): Promise<void> {
    for (;;) {
      const found = await find(cookie);
      if (!found) return;
      const session = sessionOf(found.record);
      const isEnded = found.record.state === 'done' && 'ended' in found.record.result;
      if (keepsDone && found.record.state === 'done' && !isEnded) return;
      if (!isEnded && !await move(cookie, found, { state: 'done', result: { ended: true, session } })) continue;
      if (session) await endSession(session);
      return;
    }
  }

  /** From `validating` to `exchanging`; who moved it sends the code. `undefined`: another request was first.
   *  @throws {StoreUnavailableError} nothing was sent: the sign-in goes back once the store is there again */
  function beginExchange(cookie: string, found: Found<SyncRecord>, validating: InState<'validating'>) {
    const by = randomId();
    return move(cookie, found, { ...validating, state: 'exchanging', by }).catch((error: unknown) => {
      moveLater(cookie, by, validating, lifetimeMs);
      throw error;
    });
  }

  /** From `exchanging` to `granted`. @throws {ProblemError} `service-unavailable` with the sign-in `validating` again; others
   *  with it `done` */
  async function exchange(cookie: string, found: Found<InState<'exchanging'>>, request: Finish) {
    const { code, uri, user, by } = found.record;
    let next: Granted;
    try {
      const grant = await service.exchangeCode(code);
      const { accessToken, expiresIn } = grant;
      next = { state: 'granted', uri, accessToken, expiresIn, session: { id: randomId(), ...acceptedUserOf(grant, user) } };
    } catch (cause) {
      const problem = cause instanceof ProblemError ? cause : new ProblemError('outcome-unknown', { cause });
      if (problem.type !== 'service-unavailable') throw await endWith(cookie, found, problem, request);
      const validating = { state: 'validating', code, uri } as const;
      await move(cookie, found, validating, lifetimeMs).catch(() => { moveLater(cookie, by, validating, lifetimeMs); });
      throw problem;
    }
    const granted = await move(cookie, found, next).catch((cause: unknown) => {
      const problem = new ProblemError('outcome-unknown', { cause });
      moveLater(cookie, by, { state: 'done', result: resultOf(problem, request) });
      throw problem;
    });
    if (granted) return granted;
    // The record changed after the code was sent.
    const present = await find(cookie);
    if (present?.record.state === 'done') replay(present.record.result, request);
    throw await endWith(cookie, present ?? found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
  }

  /** From `granted` to `done`.
   *  @throws {ProblemError} with the sign-in still `granted` and free: the identical request completes it */
  async function complete(
    cookie: string, found: Found<InState<'granted'>>, { outcome, reason, answers = {} }: Decision, request: Finish,
  ): Promise<FinishedSync> {
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
      const undo = success ? await acceptance.accept(found.record, answers) : undefined;
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
      await move(cookie, found, { ...found.record, free: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Ends the sign-in with `problem`, which every repeated request gets too. @returns the problem */
  async function endWith(cookie: string, found: Found<SyncRecord>, problem: ProblemError, request: FinishRequest) {
    await move(cookie, found, { state: 'done', result: resultOf(problem, request) }).catch(() => undefined);
    return problem;
  }

  /** Once, when the store may be back: from the `exchanging` of `by`, whose write failed, to `next`. */
  function moveLater(cookie: string, by: string, next: State, restMs = DAY_MS): void {
    writeLater(async () => {
      const present = await find(cookie);
      if (present?.record.state === 'exchanging' && present.record.by === by) await move(cookie, present, next, restMs);
    });
  }

  /** The sign-in that a cookie owns; `undefined`: expired, or another browser's. */
  async function find(cookie: string): Promise<Found<SyncRecord> | undefined> {
    const found = await records.find(idOf(cookie));
    return found?.record.owner === ownerOf(cookie) ? found : undefined;
  }

  /** `undefined`: another writer was first. @throws {StoreUnavailableError} it is unknown whether the move was applied */
  function move<S extends State>(cookie: string, found: Found<SyncRecord>, next: S, lifetimeMs = DAY_MS) {
    const { owner, forum, language, opener, user } = found.record;
    const moved = records.compareAndSet(idOf(cookie), found, { ...next, owner, forum, language, opener, user }, lifetimeMs);
    return moved as Promise<Found<InState<S['state']>> | undefined>;
  }

  /** The user that a grant signs in: the proven one, or the claimed one, marked as unproven, with one warning in the log.
   *  @throws {ProblemError} */
  function acceptedUserOf({ userId, username }: TokenGrant, { user_id, username: claimed }: User): Omit<NewSession, 'id'> {
    // A claimed name is never kept as a proven one: without a name in the exchange the id is the name of the proven user.
    if (userId === user_id) {
      return { user: { user_id, username: username ?? user_id }, ...(username === undefined && { shownName: claimed }) };
    }
    if (userId !== undefined) throw new ProblemError('user-mismatch');
    if (config.requireProvenUser) throw new ProblemError('bad-service-response', { diagnosis: withoutUser });
    warnOnce(withoutUser, 'users are unproven');
    return { user: { user_id, username: username ?? claimed, proven: false } };
  }

  function warnOnce(fields: Diagnosis, message: string): void {
    if (!warned.has(message)) log.warn(fields, message);
    warned.add(message);
  }
}

function inProgress(diagnosis: Diagnosis): ProblemError {
  const detail = 'Your answers are being checked already. Please try again in a moment.';
  return new ProblemError('service-unavailable', { detail, retryAfterSeconds: 2, diagnosis });
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

/** Of a record that has left `validating`, in ms. */
function ageOf({ restMs }: Found<SyncRecord>): number {
  return DAY_MS - restMs;
}

function sessionOf(record: SyncRecord): NewSession | undefined {
  if (record.state === 'granted') return record.session;
  return record.state === 'done' && 'session' in record.result ? record.result.session : undefined;
}

function resultOf({ type, detail }: ProblemError, { requestId }: FinishRequest): Result {
  return { problem: type, detail, request_id: requestId };
}

/** @throws {ProblemError} the problem that the sign-in ended in; `no-sync-in-progress` if it ended in another way; `user-changed`
 *  if it signed in another user than the one shown */
function replay(result: Result, { outcomes, username }: Finish): FinishedSync {
  if ('problem' in result) throw replayedProblem(result.problem, result.detail, result.request_id);
  if ('ended' in result || !outcomes.includes(result.outcome.outcome)) throw new ProblemError('no-sync-in-progress');
  const { session } = result;
  if (session && username !== shownUser(session).username) throw new ProblemError('user-changed', { user: shownUser(session) });
  return { ...result, replayed: true };
}
