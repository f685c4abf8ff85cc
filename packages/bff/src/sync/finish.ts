/** Finishes a sign-in: decides by the answers, exchanges the code, and completes. `record.ts` says what each step leaves. */

import type { Logger } from 'pino';
import type { SyncOutcome } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { AcceptedUser } from '../config/types.ts';
import { randomId } from '../lib/identifiers.ts';
import { warnEach } from '../log.ts';
import { ProblemError, replayedProblem, storedProblem, type Diagnosis } from '../problem.ts';
import type { ServiceClient, TokenGrant } from '../service/client.ts';
import { completionUrl } from './addresses.ts';
import { shownUser, type NewSession, type Sessions } from '../session/session.ts';
import type { Found } from '../store/records.ts';
import { STORE_MARGIN_MS, StoreUnavailableError } from '../store/store.ts';
import type { Acceptance, Decision, GivenAnswers } from './acceptance.ts';
import { DAY_MS, isAtWork, publicId, type Begun, type Granted, type InState, type Result, type SyncRecords } from './record.ts';

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

export interface FinishDeps {
  readonly syncs: SyncRecords;
  readonly config: Pick<Config, 'publicKey' | 'requireProvenUser' | 'serviceTimeoutMs' | 'hookTimeoutMs'>;
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
const busy = { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS' };
const NOT_STORED = 'Your sign-in could not be stored. Please sign in again.';
const lostGrantOf = (cause: unknown): Diagnosis => ({
  reason: `the store failed after the exchange: ${cause instanceof StoreUnavailableError ? cause.reason : 'err of this line'}`,
  setting: 'VESTIBULE_STORE',
});
const interrupted = { reason: 'the server ended, or lost its store, during the exchange', setting: 'log lines of the sign-in' };

export function createFinish({ syncs, config, acceptance, sessions, service, log }: FinishDeps) {
  const { lifetimeMs, find, take, giveBack, move, moveLater, endWith } = syncs;
  /** Longer than an exchange, and than a completion, can be at work. */
  const [callMs, hookMs] = [config.serviceTimeoutMs + STORE_MARGIN_MS, config.hookTimeoutMs + STORE_MARGIN_MS];
  const warnOnce = warnEach(log);
  return { validate, cancel };

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
            throw await endWith(cookie, found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request.requestId);
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
      if (problem.type !== 'service-unavailable') throw await endWith(cookie, found, problem, request.requestId);
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
    throw await endWith(cookie, present ?? found, new ProblemError('outcome-unknown', { diagnosis: interrupted }), request.requestId);
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
      if (error instanceof ProblemError && error.type === 'not-signed-in') throw await endWith(cookie, found, error, request.requestId);
      await giveBack(cookie, found);
      throw error;
    }
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

/** @throws {ProblemError} the problem that the sign-in ended in; `no-sync-in-progress` if it ended in another way; `user-changed`
 *  if it signed in another user than the one shown */
function replay(result: Result, { outcomes, username }: Finish): FinishedSync {
  if ('problem' in result) throw replayedProblem(result);
  if ('ended' in result || !outcomes.includes(result.outcome.outcome)) throw new ProblemError('no-sync-in-progress');
  const { session } = result;
  if (session && username !== shownUser(session).username) throw new ProblemError('user-changed', { user: shownUser(session) });
  return { ...result, replayed: true };
}
