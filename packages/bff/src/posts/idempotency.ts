/** One intent, one post. The intent is durable before the request leaves, the outcome before the reader is answered:
 *
 *  absent ──▶ started ──▶ done (a post, or a problem that is final)
 *                └──▶ absent, where the service surely did nothing
 *
 *  A key found `started` is being worked on; one that stays so past every time limit belongs to a process that died in
 *  between, and what became of the post nobody knows: `outcome-unknown`, for good. */

import type { Post, ProblemType } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { PATIENCE_MS, SILENT_RETRY_SECONDS } from './impatience.ts';

export type IdempotencyRecord =
  | { readonly state: 'started'; readonly body: string; readonly startedAt: number }
  | { readonly state: 'done'; readonly body: string; readonly result: Result };

type Result =
  | { readonly post: Post }
  | { readonly problem: ProblemType; readonly detail: string };

/** Who wants what posted. */
export interface Intent {
  /** Unique among readers' keys. */
  readonly scope: string;
  /** Fingerprint of what is posted; the text itself is not kept. */
  readonly body: string;
}

export interface Once {
  readonly post: Post;
  /** Whether the answer was given before. */
  readonly replayed: boolean;
}

export interface IdempotencySettings {
  /** For how long the answer to a key is kept. */
  readonly lifetimeMs: number;
  /** After this a started post cannot be under way any more. */
  readonly workMs: number;
}

/** The same request again is answered alike: these say what the service decided, or that nobody knows. */
const finalProblems: readonly ProblemType[] = ['service-refused', 'bad-service-response', 'outcome-unknown'];

export class Idempotency {
  readonly #records: EncryptedCollection<IdempotencyRecord>;
  readonly #settings: IdempotencySettings;
  readonly #now: Clock;
  #underWay = 0;
  #onSettled: (() => void)[] = [];

  constructor(records: EncryptedCollection<IdempotencyRecord>, settings: IdempotencySettings, now: Clock = Date.now) {
    this.#records = records;
    this.#settings = settings;
    this.#now = now;
  }

  /** Does `work` once for the intent's key, whatever happens to this process. Where `refusal` says that it cannot be done
   *  at present, a key that is not known yet leaves no trace: an outage costs no durable writes.
   *  @throws {ProblemError} what `work` throws; `post-in-progress`, `idempotency-key-reused`, `outcome-unknown`; the refusal */
  async once({ scope, body }: Intent, work: () => Promise<Post>, refusal?: () => ProblemError | undefined): Promise<Once> {
    const refused = refusal?.();
    if (refused && !await this.#records.find(scope)) throw refused;
    const started: IdempotencyRecord = { state: 'started', body, startedAt: this.#now() };
    if (!await this.#records.putIfAbsent(scope, started, this.#settings.lifetimeMs)) return this.#replay(scope, body);
    this.#underWay += 1;
    try {
      return await this.#work(scope, body, work);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const settle of this.#onSettled.splice(0)) settle();
    }
  }

  /** Settles when no post is under way, whether its reader waits or has gone. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#underWay === 0) resolve();
      else this.#onSettled.push(resolve);
    });
  }

  async #work(scope: string, body: string, work: () => Promise<Post>): Promise<Once> {
    let post: Post;
    try {
      post = await work();
    } catch (error) {
      await this.#settle(scope, body, error);
      throw error;
    }
    try {
      await this.#records.put(scope, { state: 'done', body, result: { post } }, this.#settings.lifetimeMs);
    } catch (cause) {
      throw new ProblemError('outcome-unknown', { cause });
    }
    return { post, replayed: false };
  }

  async #replay(scope: string, body: string): Promise<Once> {
    const found = (await this.#records.find(scope))?.record;
    if (!found) throw new ProblemError('post-in-progress', { retryAfterSeconds: 1 });
    if (found.body !== body) throw new ProblemError('idempotency-key-reused');
    if (found.state === 'started') throw this.#unfinished(found.startedAt);
    if ('post' in found.result) return { post: found.result.post, replayed: true };
    throw new ProblemError(found.result.problem, { detail: found.result.detail, replayed: true });
  }

  #unfinished(startedAt: number): ProblemError {
    const ageMs = this.#now() - startedAt;
    if (ageMs > this.#settings.workMs) return new ProblemError('outcome-unknown');
    return new ProblemError('post-in-progress', { retryAfterSeconds: ageMs < PATIENCE_MS ? 1 : SILENT_RETRY_SECONDS });
  }

  /** Where the store fails here, the record stays `started`, which ends as `outcome-unknown`: never sent again. */
  async #settle(scope: string, body: string, error: unknown): Promise<void> {
    const problem = error instanceof ProblemError ? error : new ProblemError('outcome-unknown');
    const { type, detail } = problem;
    if (finalProblems.includes(type)) {
      const done: IdempotencyRecord = { state: 'done', body, result: { problem: type, detail } };
      await this.#records.put(scope, done, this.#settings.lifetimeMs).catch(() => undefined);
    } else {
      await this.#records.delete(scope).catch(() => undefined);
    }
  }
}
