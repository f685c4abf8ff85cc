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
 * Ages are lifetime minus rest, as the store counts them: no process's clock matters.
 */

import type { Logger } from 'pino';
import type { Notice, ProblemType, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import { ProblemError, replayedProblem } from '../http/problem.ts';
import { randomId, sha256 } from '../lib/identifiers.ts';
import { InFlight } from '../lib/in-flight.ts';
import { pause } from '../lib/time.ts';
import type { TokenGrant } from '../service/client.ts';
import { completionUrl, parseCompletionUri } from '../service/urls.ts';
import type { AcceptedUser } from '../session/session.ts';
import type { Found, Records } from '../store/records.ts';
import { ignoreUnavailableStore, StoreUnavailableError } from '../store/store.ts';

interface Grant {
  readonly accessToken: string;
  readonly user: AcceptedUser;
  readonly expiresIn: number | undefined;
}

type Result =
  /** `session`: id of the new one, after `accepted`. */
  | { readonly outcome: SyncOutcome; readonly session?: { readonly id: string; readonly user: AcceptedUser } }
  /** `request_id`: of the request that failed, for the log. */
  | { readonly problem: ProblemType; readonly detail: string; readonly request_id: string }
  /** By a sign-out or a newer sign-in. */
  | { readonly ended: true; readonly session?: { readonly id: string; readonly user: AcceptedUser } };

export type SyncRecord = {
  /** SHA-256 of the secret. */
  readonly owner: string;
  readonly forum: string;
  /** Claimed. */
  readonly user: User;
} & (
  | { readonly state: 'validating'; readonly code: string; readonly uri: string }
  /** `by`: the request that sends the code. */
  | { readonly state: 'exchanging'; readonly code: string; readonly uri: string; readonly by: string }
  /** `sessionId`: of the session that `accepted` creates, chosen here, so that a retry creates the same one. `free`: no request
   *  is at work. */
  | { readonly state: 'granted'; readonly uri: string; readonly grant: Grant; readonly sessionId: string; readonly free?: boolean }
  | { readonly state: 'done'; readonly result: Result }
);

type FoundSync = Found<SyncRecord> & { readonly id: string };
type InState<S extends SyncRecord['state']> = FoundSync & { readonly record: Extract<SyncRecord, { state: S }> };

/** The lifetime of a record that has left `validating`: longer than a service keeps a code valid. */
const DAY_MS = 86_400_000;

/** How often a request looks again while another one is at work, and how long. */
const WAIT_STEP_MS = 500;
const MAX_WAIT_MS = 12_000;

/** How long a rejection is repeated in `GET /session`. */
const NOTICE_MS = 60_000;

export interface Decision {
  readonly outcome: SyncOutcome['outcome'];
  /** Of `rejected`, for the reader. */
  readonly reason?: string;
  /** Completes `accepted`. @throws to be retried */
  readonly accept?: (accepted: { readonly grant: Grant; readonly forum: string; readonly sessionId: string }) => Promise<Undo>;
}

/** Takes back what `accept` stored, for a sign-in that was ended meanwhile. */
type Undo = () => Promise<void>;

export interface FinishRequest {
  /** Public id of the sign-in that the reader was shown. */
  readonly sync: string;
  /** The name that the reader was shown; `undefined`: it does not matter. */
  readonly username?: string;
  readonly outcomes: readonly SyncOutcome['outcome'][];
  /** Runs once a request, with the best-known user. */
  readonly decide: (user: User, forum: string) => Promise<Decision>;
  /** Of the request, for the log. */
  readonly requestId: string;
  readonly exchange: (code: string) => Promise<TokenGrant>;
}

export interface FinishedSync {
  readonly outcome: SyncOutcome;
  /** The new session, after `accepted`. */
  readonly session: { readonly id: string; readonly user: AcceptedUser } | undefined;
}

export interface SyncsDeps {
  readonly records: Records<SyncRecord>;
  readonly serviceUrl: string;
  readonly publicKey: string;
  /** Lifetime of a sign-in that waits for the reader. */
  readonly lifetimeMs: number;
  /** Longer than an exchange can be at work. */
  readonly callMs: number;
  /** Longer than the completion can be at work. */
  readonly hookMs: number;
  /** @throws {ProblemError} for a grant that signs nobody in */
  readonly accepts: (grant: TokenGrant, claimed: User) => AcceptedUser;
  readonly endSession: (user: AcceptedUser, id: string) => Promise<void>;
}

const withoutCookie = { reason: 'no cookie of a sign-in arrived', setting: 'the browser or the proxy, which must pass cookies on' };
const expired = { reason: 'the sign-in belongs to another browser, or expired', setting: 'VESTIBULE_SYNC_SECONDS' };
const interrupted = { reason: 'the BFF ended, or lost its store, while it exchanged the code', setting: 'log lines of the sign-in' };

export class Syncs {
  readonly #deps: SyncsDeps;
  readonly #inFlight = new InFlight();

  constructor(deps: SyncsDeps) {
    this.#deps = deps;
  }

  /** The cookie for the sign-in of `code`. The same one for the same browser or request: a response may have been lost.
   *  @param known the cookie of the browser @param requestKey a secret that a repeated request carries again */
  cookieFor(code: string, known: string | undefined, requestKey: string | undefined): string {
    const id = sha256(code);
    if (requestKey !== undefined) return `${id}.${sha256('sync secret', code, requestKey)}`;
    return known?.startsWith(`${id}.`) ? known : `${id}.${randomId()}`;
  }

  /** Starts a sign-in, or finds it: the first claim on a code wins. Ends the one that the browser had before.
   *  @param cookie of `cookieFor` @returns the cookie that names the sign-in
   *  @throws {ProblemError} `untrusted-completion-uri`, `code-already-used` */
  async start(
    { code, audiencesync_uri: uri, user_id, username }: SyncReturn,
    forum: string,
    cookie: string,
    known?: string,
  ): Promise<string> {
    parseCompletionUri(this.#deps.serviceUrl, uri);
    const id = sha256(code);
    const record: SyncRecord = { state: 'validating', owner: ownerOf(cookie), forum, user: { user_id, username }, code, uri };
    let name = cookie;
    if (!await this.#deps.records.create({ id }, record, this.#deps.lifetimeMs)) {
      const found = await this.#find(id);
      const own = [cookie, known].find((one) => one !== undefined && isOwner(one, found));
      if (own === undefined || found?.record.state === 'done') throw new ProblemError('code-already-used');
      name = own;
    }
    if (known !== undefined && known.split('.')[0] !== id) await this.end(known, true);
    return name;
  }

  /** The sign-in of a browser; `undefined`: expired, or another browser's. */
  async view(
    cookie: string | undefined,
  ): Promise<{ readonly id: string; readonly record: SyncRecord; readonly notice: Notice | undefined } | undefined> {
    const found = cookie === undefined ? undefined : await this.#find(cookie.split('.')[0] as string);
    if (!found || !isOwner(cookie as string, found)) return undefined;
    const { record } = found;
    const id = publicId(cookie as string);
    const result = record.state === 'done' && 'outcome' in record.result && ageOf(found) < NOTICE_MS ? record.result.outcome : undefined;
    const { outcome, reason } = result ?? {};
    return { id, record, notice: outcome === 'rejected' ? { id, kind: outcome, ...(reason !== undefined && { reason }) } : undefined };
  }

  /** Decides, exchanges the code unless it was, and completes.
   *  @throws {ProblemError} `no-sync-in-progress`, `user-changed`, those of `decide` and of the exchange */
  finish(cookie: string | undefined, request: FinishRequest): Promise<FinishedSync> {
    if (cookie === undefined) throw new ProblemError('no-sync-in-progress', { diagnosis: withoutCookie });
    if (publicId(cookie) !== request.sync) throw new ProblemError('no-sync-in-progress', { diagnosis: expired });
    return this.#inFlight.run(() => this.#finish(cookie, request));
  }

  /** Ends the sign-in of a browser, also one whose exchange is in flight, and the session that it created.
   *  @param keepsDone for a newer sign-in of the browser: one with an outcome stays */
  async end(cookie: string, keepsDone = false): Promise<void> {
    for (;;) {
      const found = await this.#find(cookie.split('.')[0] as string);
      if (!found || !isOwner(cookie, found)) return;
      const session = sessionOf(found.record);
      const isEnded = found.record.state === 'done' && 'ended' in found.record.result;
      if (keepsDone && found.record.state === 'done' && !isEnded) return;
      if (!isEnded && !await this.#move(found, { state: 'done', result: { ended: true, ...(session && { session }) } })) continue;
      if (session) await this.#deps.endSession(session.user, session.id);
      return;
    }
  }

  /** Resolves when no sign-in is being finished. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  async #finish(cookie: string, request: FinishRequest): Promise<FinishedSync> {
    const { callMs, hookMs } = this.#deps;
    const waitUntil = performance.now() + MAX_WAIT_MS;
    let decision: Decision | undefined;
    for (;;) {
      const found = await this.#find(cookie.split('.')[0] as string);
      if (!found || !isOwner(cookie, found)) throw new ProblemError('no-sync-in-progress', { diagnosis: expired });
      const { record } = found;
      switch (record.state) {
        case 'done':
          // A completion that crashed, or lost its store, may have left a session.
          if ('ended' in record.result && record.result.session) await this.#deps.endSession(record.result.session.user, record.result.session.id);
          if (ageOf(found) > this.#deps.lifetimeMs) throw new ProblemError('no-sync-in-progress', { diagnosis: expired });
          return replay(record.result, request);
        case 'validating': {
          decision ??= await request.decide(record.user, record.forum);
          const exchanging = await this.#beginExchange(found as InState<'validating'>);
          if (exchanging) return this.#complete(await this.#exchange(exchanging, request), decision, request);
          continue;
        }
        case 'exchanging':
          if (ageOf(found) > callMs) return this.#endWith(found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
          break;
        case 'granted': {
          if (!record.free && ageOf(found) <= hookMs) break;
          // Before it is taken: `hookMs` has room for the completion only.
          decision ??= await request.decide(record.grant.user, record.forum);
          const own = await this.#move(found, { ...record, free: false });
          if (own) return this.#complete(own as InState<'granted'>, decision, request);
          continue;
        }
      }
      if (performance.now() > waitUntil) {
        throw new ProblemError('service-unavailable', {
          detail: 'Your answers are being checked already. Please try again in a moment.',
          retryAfterSeconds: 2,
          diagnosis: { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS, VESTIBULE_SERVICE_TIMEOUT_MS' },
        });
      }
      await pause(WAIT_STEP_MS);
    }
  }

  /** From `validating` to `exchanging`; who moved it sends the code. `undefined`: another request was first.
   *  @throws {StoreUnavailableError} nothing was sent; goes back in the background */
  async #beginExchange(found: InState<'validating'>): Promise<InState<'exchanging'> | undefined> {
    const by = randomId();
    try {
      return await this.#move(found, { ...found.record, state: 'exchanging', by }) as InState<'exchanging'> | undefined;
    } catch (error) {
      this.#moveLater(found.id, by, found.record, this.#deps.lifetimeMs);
      throw error;
    }
  }

  /** From `exchanging` to `granted`. @throws {ProblemError} `service-unavailable` with the sign-in `validating` again; others
   *  with it `done` */
  async #exchange(found: InState<'exchanging'>, request: FinishRequest): Promise<InState<'granted'>> {
    const { record } = found;
    const { code, uri, owner, forum, user } = record;
    let granted: SyncRecord;
    try {
      const grant = await request.exchange(code);
      const { accessToken, expiresIn } = grant;
      granted = { state: 'granted', owner, forum, user, uri, sessionId: randomId(), grant: { accessToken, expiresIn, user: this.#deps.accepts(grant, user) } };
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'service-unavailable') {
        await this.#move(found, { ...record, state: 'validating' }, this.#deps.lifetimeMs).catch(ignoreUnavailableStore);
        throw error;
      }
      return this.#endWith(found, error instanceof ProblemError ? error : new ProblemError('outcome-unknown', { cause: error }), request);
    }
    const moved = await this.#move(found, granted).catch((cause: unknown) => {
      ignoreUnavailableStore(cause);
      const problem = new ProblemError('outcome-unknown', { cause });
      this.#moveLater(found.id, record.by, { state: 'done', result: resultOf(problem, request) }, DAY_MS);
      throw problem;
    });
    if (moved) return moved as InState<'granted'>;
    // The record changed after the code was sent.
    const present = await this.#find(found.id);
    if (present?.record.state === 'done') replay(present.record.result, request);
    return this.#endWith(present ?? found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request);
  }

  /** From `granted` to `done`.
   *  @throws {ProblemError} with the sign-in still `granted` and free: the identical request completes it */
  async #complete(found: InState<'granted'>, decision: Decision, request: FinishRequest): Promise<FinishedSync> {
    const { record } = found;
    const { grant, forum, sessionId, uri } = record;
    try {
      const isAccepted = decision.outcome === 'accepted';
      if (isAccepted && request.username !== grant.user.username) throw new ProblemError('user-changed', { user: grant.user });
      const session = isAccepted ? { id: sessionId, user: grant.user } : undefined;
      const completion = {
        clientId: this.#deps.publicKey,
        userId: grant.user.user_id,
        accessToken: grant.accessToken,
        success: isAccepted,
      };
      const outcome: SyncOutcome = {
        outcome: decision.outcome,
        completion_url: completionUrl(uri, completion),
        ...(decision.reason !== undefined && { reason: decision.reason }),
      };
      const undo = await decision.accept?.({ grant, forum, sessionId });
      if (await this.#move(found, { state: 'done', result: { outcome, ...(session && { session }) } })) return { outcome, session };
      return await this.#completedElsewhere(found, undo, request);
    } catch (error) {
      await this.#move(found, { ...record, free: true }).catch(() => undefined);
      if (!(error instanceof StoreUnavailableError)) throw error;
      const detail = 'Signing in could not be completed just now. Please try again.';
      throw new ProblemError('service-unavailable', { detail, cause: error, retryAfterSeconds: 2, diagnosis: { reason: 'the store did not answer', setting: 'VESTIBULE_STORE' } });
    }
  }

  /** The record changed while this request completed it: accepted only if another one completed the same sign-in. */
  async #completedElsewhere(found: InState<'granted'>, undo: Undo | undefined, request: FinishRequest): Promise<FinishedSync> {
    const record = (await this.#find(found.id))?.record;
    const isSame = record !== undefined && sessionOf(record)?.id === found.record.sessionId;
    if (isSame && record.state === 'done' && !('ended' in record.result)) return replay(record.result, request);
    if (isSame && record.state === 'granted') throw new StoreUnavailableError(new Error('Another request completes the sign-in.'));
    await undo?.();
    throw new ProblemError('no-sync-in-progress', { diagnosis: expired });
  }

  /** Ends the sign-in with `problem`, which every repeated request gets too, and throws it. */
  async #endWith(found: FoundSync, problem: ProblemError, request: FinishRequest): Promise<never> {
    const result = resultOf(problem, request);
    // Without this write the record stays `exchanging`, which ends as `outcome-unknown`.
    await this.#move(found, { state: 'done', result }).catch(() => undefined);
    throw problem;
  }

  /** Once the store is back: from the `exchanging` of `by`, whose write failed. Without it, that ends as `outcome-unknown`. */
  #moveLater(id: string, by: string, next: Partial<SyncRecord>, lifetimeMs: number): void {
    const move = async () => {
      const present = await this.#find(id);
      if (present?.record.state === 'exchanging' && present.record.by === by) await this.#move(present, next, lifetimeMs);
    };
    setTimeout(() => { move().catch(() => undefined); }, WAIT_STEP_MS).unref();
  }

  async #find(id: string): Promise<FoundSync | undefined> {
    const found = await this.#deps.records.find({ id });
    return found && { ...found, id };
  }

  /** `undefined`: another writer was first. @throws {StoreUnavailableError} it is unknown whether the move was applied */
  async #move(found: FoundSync, next: Partial<SyncRecord>, lifetimeMs = DAY_MS): Promise<FoundSync | undefined> {
    const { owner, forum, user } = found.record;
    const moved = await this.#deps.records.compareAndSet(
      { id: found.id },
      found,
      { owner, forum, user, ...next } as SyncRecord,
      lifetimeMs,
    );
    return moved && { ...moved, id: found.id };
  }
}

/** The user that a grant signs in: the proven one, or the claimed one, marked as unproven, with one warning in the log.
 *  @throws {ProblemError} */
export function acceptedUserOf(requireProvenUser: boolean, log: Pick<Logger, 'warn'>): SyncsDeps['accepts'] {
  const setting = 'VESTIBULE_REQUIRE_PROVEN_USER';
  let hasWarned = false;
  return ({ userId, username }, claimed) => {
    const { user_id } = claimed;
    // A claimed name is never kept as a proven one: without a name in the exchange the user is shown by the proven id.
    if (userId === user_id) return { user_id, username: username ?? user_id };
    if (userId !== undefined) throw new ProblemError('user-mismatch');
    if (requireProvenUser) {
      throw new ProblemError('bad-service-response', { diagnosis: { reason: 'the token exchange returned no user_id', setting } });
    }
    if (!hasWarned) log.warn({ setting }, 'the token exchange returns no user_id: users are unproven');
    hasWarned = true;
    return { user_id, username: username ?? claimed.username, proven: false };
  };
}

function resultOf({ type, detail }: ProblemError, { requestId }: FinishRequest): Result {
  return { problem: type, detail, request_id: requestId };
}

/** The public id of the sign-in that a cookie names. */
export function publicId(cookie: string): string {
  return sha256('sync id', cookie).slice(0, 22);
}

function ownerOf(cookie: string): string {
  return sha256('owner', cookie.split('.')[1] ?? '');
}

function isOwner(cookie: string, found: FoundSync | undefined): boolean {
  return found?.record.owner === ownerOf(cookie);
}

/** Of a record that has left `validating`, in ms. */
function ageOf({ restMs }: FoundSync): number {
  return DAY_MS - restMs;
}

function sessionOf(record: SyncRecord): { readonly id: string; readonly user: AcceptedUser } | undefined {
  if (record.state === 'granted') return { id: record.sessionId, user: record.grant.user };
  return record.state === 'done' && !('problem' in record.result) ? record.result.session : undefined;
}

/** @throws {ProblemError} the problem that the sign-in ended in; `no-sync-in-progress` if it ended in another way; `user-changed`
 *  if it signed in another user than the one shown */
function replay(result: Result, { outcomes, username }: FinishRequest): FinishedSync {
  if ('problem' in result) throw replayedProblem(result);
  if ('ended' in result || !outcomes.includes(result.outcome.outcome)) {
    throw new ProblemError('no-sync-in-progress', { diagnosis: { ...expired, reason: 'the sign-in ended before' } });
  }
  const { outcome, session } = result;
  if (session && username !== session.user.username) throw new ProblemError('user-changed', { user: session.user });
  return { outcome, session };
}
