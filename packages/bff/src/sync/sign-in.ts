/** Takes a reader from the return of the service to a session (interface, section 3, steps 3 to 6): validates the answers,
 *  exchanges the code, signs the proven user in. `sync-transaction.ts` has the states and the crash points. */

import type { Answers, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { ProblemError, replayedProblem } from '../http/problem-error.ts';
import type { Clock } from '../lib/time.ts';
import { InFlight } from '../lib/in-flight.ts';
import { randomId } from '../lib/identifiers.ts';
import { completionUrl, parseCompletionUri } from '../service/sign-in-urls.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { TokenGrant } from '../service/token-exchange.ts';
import { COOKIES_SETTING, readerKey } from '../session/reader.ts';
import type { SessionManager } from '../session/session-manager.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { CodeClaim, CodeClaims } from './code-claims.ts';
import { formVersion, type ProfileCollection } from './profiles.ts';
import { SignInHooks } from './sign-in-hooks.ts';
import {
  isNewer, syncIdOf, type Done, type FoundSync, type Grant, type Granted, type SyncRecord, type SyncResult, type SyncTransactions,
} from './sync-transaction.ts';
import { validateAnswers } from './form.ts';

export interface SignInDeps {
  readonly config: Config;
  readonly service: ServiceClient;
  readonly sessions: SessionManager;
  readonly transactions: SyncTransactions;
  readonly codes: CodeClaims;
  readonly profiles: ProfileCollection;
  readonly now: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** The browser behind a request, as far as a sign-in needs it. */
export interface SignInBrowser {
  /** Keys of the transactions whose cookies it sent. */
  readonly syncKeys: readonly string[];
  /** The session that a new one replaces. */
  readonly sessionId: string | undefined;
  /** Partition of the load towards the service. */
  readonly partition: string;
  /** Of the request, for the log. */
  readonly requestId: string;
}

export interface StartOptions extends Pick<SignInBrowser, 'syncKeys'> {
  /** A secret that a repeated request carries again. */
  readonly requestKey?: string | undefined;
}

export interface FinishedSync {
  readonly outcome: SyncOutcome;
  /** Of the new session, after `accepted`. */
  readonly sessionId: string | undefined;
}

interface Validation {
  readonly username: string;
  readonly answers: unknown;
  /** BCP 47 tags, best first. */
  readonly languages: readonly string[];
}

type Decision =
  | { readonly outcome: 'accepted'; readonly username: string; readonly answers: Answers }
  | { readonly outcome: 'rejected'; readonly reason: string }
  | { readonly outcome: 'cancelled' };

/** Diagnoses for the log. */
const withoutCookie = { reason: 'no cookie of a sign-in arrived', setting: COOKIES_SETTING };
const expired = { reason: 'the sign-in belongs to another browser, or expired', setting: 'nothing: the reader signs in again' };
const interrupted = { reason: 'the BFF ended, or lost its store, while it exchanged the code', setting: 'log lines of the sign-in' };

export class SignIn {
  readonly #deps: SignInDeps;
  readonly #hooks: SignInHooks;
  readonly #inFlight = new InFlight();
  #hasWarned = false;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    this.#hooks = new SignInHooks(deps.config, deps.service);
  }

  /** Starts a transaction with what the return brought. The same return from the same browser, or with the same
   *  `requestKey`, gets the same transaction: a response may have been lost. Supersedes the browser's transactions that
   *  another request is working on.
   *  @returns its key @throws {ProblemError} `untrusted-completion-uri`, `code-already-used` */
  async start(syncReturn: SyncReturn, forum: string, { syncKeys, requestKey }: StartOptions): Promise<string> {
    const { transactions, codes, config } = this.#deps;
    parseCompletionUri(config.serviceUrl, syncReturn.audiencesync_uri);
    const claimed = await codes.find(syncReturn.code);
    if (claimed) return this.#resume(claimed, { syncKeys, requestKey });
    const others = await transactions.findAll(syncKeys);
    const sequence = 1 + Math.max(0, ...others.map((other) => other.record.sequence));
    const key = await transactions.start({ ...syncReturn, forum, sequence });
    if (!await codes.claim(syncReturn.code, { owner: key, ...(requestKey !== undefined && { requestKey }) })) {
      await transactions.remove(key);
      const first = await codes.find(syncReturn.code);
      if (!first) throw new ProblemError('code-already-used');
      return this.#resume(first, { syncKeys, requestKey });
    }
    await Promise.all(others.filter(({ record }) => record.state !== 'done').map((other) => transactions.supersede(other.key)));
    return key;
  }

  async #resume({ owner, requestKey, spent }: CodeClaim, repeated: StartOptions): Promise<string> {
    const isRepeated = repeated.syncKeys.includes(owner) || (requestKey !== undefined && requestKey === repeated.requestKey);
    if (!isRepeated || spent || !await this.#deps.transactions.find(owner)) throw new ProblemError('code-already-used');
    return owner;
  }

  /** Validates the reader and completes the sign-in; completes it with `success=0` where the reader is rejected.
   *  @throws {ProblemError} `no-sync-in-progress`, `invalid-answers`, `user-changed`, `user-mismatch`,
   *  `internal-error`, those of the exchange */
  validate(sync: string, { username, answers, languages }: Validation, browser: SignInBrowser): Promise<FinishedSync> {
    const decide = async (user: User, forum: string): Promise<Decision> => {
      const checked = validateAnswers(this.#deps.config.validation.fields, answers, languages);
      if (checked.outcome === 'rejected') return checked;
      const rejection = await this.#hooks.validate({ user, answers: checked.answers, forum }, browser.partition);
      return rejection ?? { outcome: 'accepted', username, answers: checked.answers };
    };
    return this.#finish({ sync, username, browser, outcomes: ['accepted', 'rejected'], decide });
  }

  /** Completes the sign-in with `success=0`. @throws {ProblemError} `no-sync-in-progress`, those of the exchange */
  cancel(sync: string, browser: SignInBrowser): Promise<FinishedSync> {
    return this.#finish({ sync, browser, outcomes: ['cancelled'], decide: async () => ({ outcome: 'cancelled' }) });
  }

  /** Ends the browser's transactions, also one whose exchange is in flight, and the session that one has created. */
  async forget(syncKeys: readonly string[]): Promise<void> {
    const { transactions, sessions } = this.#deps;
    const removed = await Promise.all(syncKeys.map((key) => transactions.remove(key)));
    await Promise.all(removed.map(sessionIdOf).filter((id) => id !== undefined).map((id) => sessions.end(id)));
  }

  /** Resolves when no validation or cancellation is in progress. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  /** Decides, exchanges the code unless it was, and completes. `decide` runs once a request, with the best-known user. */
  #finish({ sync, username, browser, outcomes, decide }: {
    readonly sync: string;
    /** The name that the reader was shown. */
    readonly username?: string;
    readonly browser: SignInBrowser;
    readonly outcomes: readonly SyncOutcome['outcome'][];
    readonly decide: (user: User, forum: string) => Promise<Decision>;
  }): Promise<FinishedSync> {
    const key = browser.syncKeys.find((candidate) => syncIdOf(candidate) === sync);
    if (key === undefined) {
      throw new ProblemError('no-sync-in-progress', { diagnosis: browser.syncKeys.length === 0 ? withoutCookie : expired });
    }
    return this.#inFlight.run(() => this.#deps.transactions.exclusively(key, async (current) => {
      const found = await this.#recover(current);
      const { record } = found;
      switch (record.state) {
        case 'done':
          return replay(record.result, outcomes, username);
        case 'exchanging':
          return this.#end(found, record, new ProblemError('outcome-unknown', { diagnosis: interrupted }), browser);
        case 'validating': {
          const refusal = this.#deps.service.refusalOf('token-exchange', { partition: browser.partition });
          if (refusal) throw refusal;
          const decision = await decide({ user_id: record.user_id, username: record.username }, record.forum);
          return this.#complete(await this.#exchange(found, browser), decision, browser);
        }
        case 'granted': {
          const decision = await decide(record.grant.user, record.forum);
          return this.#complete(found as FoundSync<'granted'>, decision, browser);
        }
      }
    }));
  }

  /** An interrupted request left `exchanging`. If it had not spent the code, it had not sent it: the exchange can start over. */
  async #recover(found: FoundSync): Promise<FoundSync> {
    const { transactions, codes } = this.#deps;
    const { key, record } = found;
    if (record.state !== 'exchanging') return found;
    const claim = await codes.find(record.code);
    if (claim?.owner !== key || claim.spent) return found;
    const validating = await transactions.move(found, { ...record, state: 'validating' });
    if (!validating) throw new ProblemError('no-sync-in-progress');
    return validating;
  }

  /** From `validating` to `granted`. The code leaves this machine after `exchanging` is durable.
   *  @throws {ProblemError} `service-unavailable` with the transaction back in `validating`; others with it `done` */
  async #exchange(found: FoundSync, browser: SignInBrowser): Promise<FoundSync<'granted'>> {
    const { transactions, codes, service } = this.#deps;
    const validating = found.record as SyncRecord & { state: 'validating' };
    const { code } = validating;
    const exchanging = await transactions.move(found, { ...validating, state: 'exchanging' });
    if (!exchanging) throw new ProblemError('no-sync-in-progress');
    const spending = { owner: found.key, attempt: exchanging.record.revision };
    // Only a request that lost its lease can have spent the code: it may have sent it.
    if (!await codes.spend(code, spending)) {
      return this.#end(exchanging, validating, new ProblemError('outcome-unknown', { diagnosis: interrupted }), browser);
    }
    let response: TokenGrant;
    try {
      response = await service.exchangeCode(code, { partition: browser.partition });
    } catch (error) {
      if (error instanceof ProblemError && error.type === 'service-unavailable') {
        // The code certainly was not exchanged: the identical request may use it.
        await outcomeUnknownWithoutStore(codes.unspend(code, spending).then(() => transactions.move(exchanging, validating)));
        throw error;
      }
      const problem = error instanceof ProblemError ? error : new ProblemError('outcome-unknown', { cause: error });
      return this.#end(exchanging, validating, problem, browser);
    }
    const grant = this.#checkGrant(response, validating);
    if (grant instanceof ProblemError) return this.#end(exchanging, validating, grant, browser);
    const granted = await outcomeUnknownWithoutStore(transactions.move(exchanging, {
      ...validating, state: 'granted', grant, sessionId: randomId(),
    }));
    if (!granted) throw new ProblemError('no-sync-in-progress');
    return granted;
  }

  #checkGrant({ accessToken, userId, username }: TokenGrant, claimed: User): Grant | ProblemError {
    const { requireProvenUser } = this.#deps.config;
    if (userId !== undefined && userId !== claimed.user_id) return new ProblemError('user-mismatch');
    if (userId === undefined && requireProvenUser) {
      return new ProblemError('bad-service-response', {
        diagnosis: { reason: 'the token exchange returned no user_id', setting: 'VESTIBULE_REQUIRE_PROVEN_USER' },
      });
    }
    const { user_id } = claimed;
    // A claimed name is never kept as a proven one: without a name in the exchange the user is shown by the proven id.
    if (userId !== undefined) return { accessToken, user: { user_id, username: username ?? user_id } };
    this.#warnOfUnprovenUsers();
    return { accessToken, user: { user_id, username: username ?? claimed.username, proven: false } };
  }

  /** Once for a process. */
  #warnOfUnprovenUsers(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#deps.log.warn({ setting: 'VESTIBULE_REQUIRE_PROVEN_USER' }, 'the token exchange returns no user_id: users are unproven');
  }

  /** From `granted` to `done`. @throws {ProblemError} with the transaction still `granted`: the identical request completes it */
  async #complete(granted: FoundSync<'granted'>, decision: Decision, browser: SignInBrowser): Promise<FinishedSync> {
    const { transactions } = this.#deps;
    const { record } = granted;
    const session = decision.outcome === 'accepted' ? { id: record.sessionId, user: record.grant.user } : undefined;
    const result = { outcome: this.#outcome(record, decision), ...(session && { session }) };
    try {
      const undo = decision.outcome === 'accepted' ? await this.#accept(granted, decision) : undefined;
      const done = await transactions.move(granted, {
        state: 'done', sequence: record.sequence, result, ...(decision.outcome === 'rejected' && { notice: 'rejected' as const }),
      });
      if (!done && !(session && await this.#isCompleted(granted))) {
        await undo?.();
        throw new ProblemError('no-sync-in-progress');
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      const detail = 'Signing in could not be completed just now. Please try again.';
      throw new ProblemError('service-unavailable', { detail, cause: error, retryAfterSeconds: 2 });
    }
    if (decision.outcome === 'accepted') await this.#replaceEarlier(granted, browser);
    return { outcome: result.outcome, sessionId: session?.id };
  }

  /** Whether a request that worked on the sign-in at the same time, after a lost lease, has signed the reader in. */
  async #isCompleted({ key, record: { sessionId } }: FoundSync<'granted'>): Promise<boolean> {
    return sessionIdOf((await this.#deps.transactions.find(key))?.record) === sessionId;
  }

  /** @returns undoes what is stored, for a move that fails: signed out or deleted while the hook ran */
  async #accept({ record }: FoundSync<'granted'>, decision: Decision & { outcome: 'accepted' }): Promise<() => Promise<void>> {
    const { config, profiles, sessions, now } = this.#deps;
    const { grant: { accessToken, user }, forum, sessionId } = record;
    const { answers, username } = decision;
    if (username !== user.username) throw new ProblemError('user-changed', { user });
    await this.#hooks.onAccepted({ user, answers, forum });
    const accepted_at = new Date(now()).toISOString();
    const profile = { ...user, forum, answers, accepted_at, form_version: formVersion(config.validation.fields) };
    const key = readerKey(user, sessionId);
    if (config.profiles === 'keep') await profiles.save(key, profile);
    await sessions.create(sessionId, { user, accessToken });
    return async () => { await Promise.all([sessions.end(sessionId), profiles.takeBack(key, profile)]); };
  }

  /** The new session wins over earlier ones and over earlier sign-ins that another request is working on, whichever response
   *  reaches the browser last. What a failing store leaves expires. */
  async #replaceEarlier(accepted: FoundSync<'granted'>, browser: SignInBrowser): Promise<void> {
    const { transactions, sessions } = this.#deps;
    try {
      const others = await transactions.findAll(browser.syncKeys.filter((key) => key !== accepted.key));
      const earlier = others.filter((other) => isNewer(accepted, other));
      const ended = await Promise.all(earlier.map(({ key }) => transactions.supersede(key)));
      const replaced = [browser.sessionId, ...ended.map(sessionIdOf)]
        .filter((id) => id !== undefined).filter((id) => id !== accepted.record.sessionId);
      await Promise.all(replaced.map((id) => sessions.end(id)));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** Ends the transaction with `problem`, which every repeated request gets too, and throws it. */
  async #end(found: FoundSync, { sequence }: Pick<Done, 'sequence'>, problem: ProblemError, { requestId }: SignInBrowser): Promise<never> {
    const result = { problem: problem.type, detail: problem.detail, request_id: requestId };
    // Without this write the transaction stays `exchanging`, which ends as `outcome-unknown`.
    await this.#deps.transactions.move(found, { state: 'done', sequence, result }).catch(() => undefined);
    throw problem;
  }

  #outcome({ audiencesync_uri, grant: { accessToken, user } }: Granted, decision: Decision): SyncOutcome {
    const { serviceUrl, publicKey: clientId } = this.#deps.config;
    const success = decision.outcome === 'accepted';
    const completion = { clientId, userId: user.user_id, accessToken, success };
    const completion_url = completionUrl(parseCompletionUri(serviceUrl, audiencesync_uri), completion);
    const reason = decision.outcome === 'rejected' ? decision.reason : '';
    return { outcome: decision.outcome, completion_url, ...(reason !== '' && { reason }) };
  }
}

function sessionIdOf(record: SyncRecord | undefined): string | undefined {
  if (record?.state === 'granted') return record.sessionId;
  return record?.state === 'done' && 'outcome' in record.result ? record.result.session?.id : undefined;
}

/** @param username what the reader was shown
 *  @throws {ProblemError} the problem that the transaction ended in; `no-sync-in-progress` if it ended in another way;
 *  `user-changed` if it signed in another user than the one shown */
function replay(result: SyncResult, outcomes: readonly SyncOutcome['outcome'][], username: string | undefined): FinishedSync {
  if ('problem' in result) throw replayedProblem(result);
  const { outcome, session } = result;
  if (!outcomes.includes(outcome.outcome)) {
    throw new ProblemError('no-sync-in-progress', { diagnosis: { ...expired, reason: `the sign-in ended before: ${outcome.outcome}` } });
  }
  if (session && username !== session.user.username) throw new ProblemError('user-changed', { user: session.user });
  return { outcome, sessionId: session?.id };
}

/** After the code was sent, a store that fails leaves the outcome unknown. */
async function outcomeUnknownWithoutStore<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw error instanceof StoreUnavailableError ? new ProblemError('outcome-unknown', { cause: error }) : error;
  }
}
