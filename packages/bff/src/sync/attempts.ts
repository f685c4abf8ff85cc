/** Attempts of the standard variant: each bound by a one-time transaction cookie to the browser that began it, several
 *  side by side. The return names no attempt (the protocol has no `state`), so it belongs to the newest one. */

import type { Request, Response } from 'express';
import type { Clock } from '../lib/clock.ts';
import type { ReaderCookies } from '../session/reader.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import type { Attempt, PendingNotice } from './pending-sync.ts';

export interface AttemptsDeps {
  readonly cookies: ReaderCookies;
  readonly attempts: EncryptedCollection<Attempt>;
  readonly notices: EncryptedCollection<PendingNotice>;
  /** How long an attempt lives. */
  readonly lifetimeMs: number;
  readonly now: Clock;
}

/** Side by side in one browser; the oldest makes room. */
const MAX_ATTEMPTS = 5;

export type TakenAttempt = Attempt & { readonly id: string };

export class Attempts {
  readonly #deps: AttemptsDeps;

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  async begin(req: Request, res: Response, attempt: Omit<Attempt, 'beganAt'>): Promise<void> {
    const { cookies, attempts, lifetimeMs, now } = this.#deps;
    const suffixes = [...cookies.attempts(req).keys()];
    for (const suffix of suffixes.slice(0, Math.max(suffixes.length - MAX_ATTEMPTS + 1, 0))) cookies.clearAttempt(res, suffix);
    await attempts.put(cookies.addAttempt(res), { ...attempt, beganAt: now() }, lifetimeMs);
  }

  /** Whether this browser holds a transaction cookie. */
  began(req: Request): boolean {
    return this.#deps.cookies.attempts(req).size > 0;
  }

  /** Consumes the newest attempt of this browser. */
  async take(req: Request): Promise<TakenAttempt | undefined> {
    const { cookies, attempts } = this.#deps;
    const found = await Promise.all([...cookies.attempts(req)].map(async ([suffix, id]) => (
      { suffix, id, attempt: (await attempts.find(id))?.record }
    )));
    const [newest] = found.filter(({ attempt }) => attempt !== undefined)
      .sort((a, b) => (b.attempt?.beganAt ?? 0) - (a.attempt?.beganAt ?? 0));
    if (!newest) return undefined;
    const taken = await attempts.take(newest.id);
    return taken && { ...taken, id: newest.id };
  }

  /** What `GET /session` will tell once. */
  async leaveNotice(attempt: TakenAttempt, notice: 'declined' | 'already-granted'): Promise<void> {
    const { notices, lifetimeMs, now } = this.#deps;
    await notices.put(attempt.id, { notice, at: now() }, lifetimeMs);
  }
}
