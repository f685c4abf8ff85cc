/** The publisher-sync from user validation on (interface, section 3, steps 3 to 6) as a state machine.
 *
 *  pending ──answers──▶ claimed ──hooks──▶ taken ──exchange──▶ accepted | rejected | cancelled
 *
 *  `claimed` keeps the hooks from running twice side by side; it ends by itself. `taken` is the point of no return: the
 *  code leaves the store before it leaves the machine, so no crash and no race can exchange it twice. Only where the
 *  service surely was not reached is it put back. */

import type { SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { Clock } from '../lib/clock.ts';
import { completionUrl, parseCompletionUri } from '../service/completion-url.ts';
import type { ServiceClient } from '../service/service-client.ts';
import type { TokenGrant } from '../service/token-exchange.ts';
import type { SessionManager } from '../session/session-manager.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { checkAnswers, type AnswersCheck } from './parse-answers.ts';
import type { PendingNotice, PendingSync } from './pending-sync.ts';
import { formVersion, type Profiles } from './profiles.ts';
import { runHook } from './run-hook.ts';

export interface SyncFlowDeps {
  readonly config: Config;
  readonly service: ServiceClient;
  readonly sessions: SessionManager;
  readonly pending: EncryptedCollection<PendingSync>;
  readonly notices: EncryptedCollection<PendingNotice>;
  /** Codes that were handed in, and claims on a pending sync. */
  readonly usedCodes: EncryptedCollection<true>;
  readonly claims: EncryptedCollection<true>;
  readonly profiles: Profiles;
  readonly now: Clock;
}

/** What a finished sync leaves: the answer, and the id of the new session where the reader is signed in now. */
export interface FinishedSync {
  readonly outcome: SyncOutcome;
  readonly sessionId: string | undefined;
  /** What the sync was kept under. */
  readonly handle: string;
}

/** The pending sync of a browser and the identifier it is kept under. */
export interface FoundSync {
  readonly handle: string;
  readonly sync: PendingSync;
}

/** A code is remembered longer than any service keeps it good. */
const USED_CODE_MS = 7 * 86_400_000;

export class SyncFlow {
  readonly #deps: SyncFlowDeps;
  readonly #lifetimeMs: number;

  constructor(deps: SyncFlowDeps) {
    this.#deps = deps;
    this.#lifetimeMs = deps.config.syncSeconds * 1000;
  }

  /** Keeps what the return brought under `handle`.
   *  @throws {ProblemError} `untrusted-completion-uri`, `code-already-used` */
  async begin(handle: string, syncReturn: SyncReturn, forum: string): Promise<void> {
    const { pending, usedCodes, config, now } = this.#deps;
    parseCompletionUri(config.serviceUrl, syncReturn.audiencesync_uri);
    if (!await usedCodes.putIfAbsent(syncReturn.code, true, USED_CODE_MS)) throw new ProblemError('code-already-used');
    await pending.put(handle, { ...syncReturn, forum, beganAt: now() }, this.#lifetimeMs);
  }

  /** The newest pending sync among a browser's handles. */
  async find(handles: readonly string[]): Promise<FoundSync | undefined> {
    const found = await Promise.all(handles.map(async (handle) => {
      const sync = (await this.#deps.pending.find(handle))?.record;
      return sync && { handle, sync };
    }));
    return found.filter((one) => one !== undefined).sort((a, b) => b.sync.beganAt - a.sync.beganAt)[0];
  }

  /** Validates the reader and finishes the sync.
   *  @throws {ProblemError} `no-sync-in-progress`, `invalid-answers`, `user-mismatch`, `internal-error`, those of the exchange */
  async validate(handles: readonly string[], answers: unknown, languages: readonly string[]): Promise<FinishedSync> {
    const found = await this.#require(handles);
    const check = checkAnswers(this.#deps.config.validation.fields, answers, languages);
    return this.#claimed(found.handle, async () => {
      const verdict = check.outcome === 'valid' ? await this.#ask(found.sync, check) : check;
      return verdict.outcome === 'valid' ? this.#accept(found, verdict, handles) : this.#reject(found, verdict.reason);
    });
  }

  /** Ends the sync at the reader's wish. @throws {ProblemError} `no-sync-in-progress`, those of the exchange */
  async cancel(handles: readonly string[]): Promise<FinishedSync> {
    const found = await this.#require(handles);
    return this.#claimed(found.handle, async () => {
      const grant = await this.#exchange(found);
      return { outcome: { outcome: 'cancelled', ...this.#completion(found.sync, grant, false) }, sessionId: undefined, handle: found.handle };
    });
  }

  /** Drops what is pending under `handle`; its code is not exchanged. */
  async forget(handle: string): Promise<void> {
    await this.#deps.pending.delete(handle);
  }

  async #require(handles: readonly string[]): Promise<FoundSync> {
    const found = await this.find(handles);
    if (!found) throw new ProblemError('no-sync-in-progress');
    return found;
  }

  /** While the service does not answer, no hook is run and nothing is written. */
  async #claimed<T>(handle: string, work: () => Promise<T>): Promise<T> {
    const { claims, config, service } = this.#deps;
    const refusal = service.refusalOf('token-exchange');
    if (refusal) throw refusal;
    const lifetimeMs = 2 * config.hookTimeoutMs + config.serviceTimeoutMs + 5_000;
    if (!await claims.putIfAbsent(handle, true, lifetimeMs)) {
      throw new ProblemError('no-sync-in-progress', { detail: 'Your answers are being checked already.' });
    }
    try {
      return await work();
    } finally {
      await claims.delete(handle);
    }
  }

  async #ask(sync: PendingSync, check: AnswersCheck & { outcome: 'valid' }): Promise<AnswersCheck> {
    const { config: { validation, hookTimeoutMs }, service } = this.#deps;
    const context = { user: userOf(sync), answers: check.answers, forum: sync.forum, service };
    const verdict = validation.validate
      ? await runHook('validate', validation.validate, context, hookTimeoutMs)
      : { ok: true } as const;
    if (!verdict.ok) {
      if (verdict.retry) throw new ProblemError('invalid-answers', { fields: verdict.fields });
      return { outcome: 'reject', reason: verdict.reason ?? '' };
    }
    if (validation.onAccepted) await runHook('onAccepted', validation.onAccepted, context, hookTimeoutMs);
    return check;
  }

  /** Signs the reader in under a new id; every session that the browser had is over. */
  async #accept(
    found: FoundSync,
    { answers }: AnswersCheck & { outcome: 'valid' },
    handles: readonly string[],
  ): Promise<FinishedSync> {
    const { config, sessions, profiles, now } = this.#deps;
    const { sync } = found;
    const grant = await this.#exchange(found);
    const user = { user_id: grant.userId, username: grant.username ?? sync.username };
    if (config.profiles === 'keep') {
      const accepted_at = new Date(now()).toISOString();
      const form_version = formVersion(config.validation.fields);
      await profiles.save({ ...user, forum: sync.forum, answers, accepted_at, form_version });
    }
    const sessionId = await sessions.create({ user, accessToken: grant.accessToken, forum: sync.forum });
    await Promise.all(handles.map((handle) => sessions.end(handle)));
    return { outcome: { outcome: 'accepted', ...this.#completion(sync, grant, true) }, sessionId, handle: found.handle };
  }

  async #reject(found: FoundSync, reason: string): Promise<FinishedSync> {
    const grant = await this.#exchange(found);
    await this.#deps.notices.put(found.handle, { notice: 'rejected', at: this.#deps.now() }, this.#lifetimeMs);
    const completion = this.#completion(found.sync, grant, false);
    return { outcome: { outcome: 'rejected', ...completion, ...(reason !== '' && { reason }) }, sessionId: undefined, handle: found.handle };
  }

  /** Takes the sync out of the store and exchanges its code. */
  async #exchange({ handle }: FoundSync): Promise<TokenGrant> {
    const { pending, service, now } = this.#deps;
    const sync = await pending.take(handle);
    if (!sync) throw new ProblemError('no-sync-in-progress');
    const grant = await service.exchangeCode(sync.code).catch(async (error: unknown) => {
      const left = sync.beganAt + this.#lifetimeMs - now();
      if (error instanceof ProblemError && error.type === 'service-unavailable' && left > 0) {
        await pending.putIfAbsent(handle, sync, left);
      }
      throw error;
    });
    if (grant.userId !== sync.user_id) throw new ProblemError('user-mismatch');
    return grant;
  }

  #completion(sync: PendingSync, grant: TokenGrant, success: boolean): { completion_url: string } {
    const { serviceUrl, publicKey: clientId } = this.#deps.config;
    const uri = parseCompletionUri(serviceUrl, sync.audiencesync_uri);
    return { completion_url: completionUrl(uri, { clientId, userId: grant.userId, accessToken: grant.accessToken, success }) };
  }
}

function userOf({ user_id, username }: PendingSync): User {
  return { user_id, username };
}
