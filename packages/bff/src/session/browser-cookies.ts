/** The identifiers that a browser holds, each in a signed cookie: its session, its sign-ins, its authorization attempts. */

import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { Cookies } from '../http/cookies.ts';
import { syncIdOf } from '../sync/sync-transaction.ts';

const SESSION = 'vestibule';

/** Followed by a part of the identifier that tells the cookies apart. */
const SYNC = 'vestibule-sync-';
const ATTEMPT = 'vestibule-attempt-';
const SUFFIX_LENGTH = 8;

/** Cookies of one kind that one request may bring: bounds its lookups. */
const MAX_COOKIES = 8;

/** Sign-ins of one browser at the same time; a further one takes the cookie of the oldest. */
const MAX_SYNCS = 5;

type LifetimeConfig = Pick<Config, 'sessionAbsoluteSeconds' | 'syncSeconds'>;

export class BrowserCookies {
  readonly #cookies: Cookies;
  readonly #config: LifetimeConfig;

  constructor(cookies: Cookies, config: LifetimeConfig) {
    this.#cookies = cookies;
    this.#config = config;
  }

  /** The session id of the cookie; the store decides whether the session is live. */
  sessionId(req: IncomingMessage): string | undefined {
    return this.#cookies.read(req, SESSION);
  }

  /** `SameSite=Strict`, for the absolute lifetime of a session. */
  setSessionId(res: Response, id: string): void {
    this.#cookies.write(res, SESSION, id, { sameSite: 'strict', maxAgeMs: this.#config.sessionAbsoluteSeconds * 1000 });
  }

  clearSessionId(res: Response): void {
    this.#cookies.clear(res, SESSION, 'strict');
  }

  /** Keys of the browser's sign-ins, the oldest first. */
  syncKeys(req: Request): string[] {
    return [...this.#cookies.readAll(req, SYNC).values()].slice(-MAX_COOKIES);
  }

  /** `SameSite=Strict`, for the lifetime of a sign-in. @param known keys of the browser's sign-ins, the oldest first */
  setSyncKey(res: Response, key: string, known: readonly string[]): void {
    const name = SYNC + syncSuffix(key);
    const others = known.filter((other) => other !== key);
    for (const other of others.slice(0, Math.max(others.length - MAX_SYNCS + 1, 0))) this.clearSyncKey(res, other);
    this.#cookies.write(res, name, key, { sameSite: 'strict', maxAgeMs: this.#config.syncSeconds * 1000 });
  }

  clearSyncKey(res: Response, key: string): void {
    this.#cookies.clear(res, SYNC + syncSuffix(key), 'strict');
  }

  /** Ids of the browser's attempts by the suffix of the cookie's name. */
  attempts(req: Request): ReadonlyMap<string, string> {
    return new Map([...this.#cookies.readAll(req, ATTEMPT)].slice(0, MAX_COOKIES));
  }

  /** `SameSite=Lax`: the return is a cross-site navigation. */
  setAttempt(res: Response, id: string): void {
    const maxAgeMs = this.#config.syncSeconds * 1000;
    this.#cookies.write(res, ATTEMPT + id.slice(0, SUFFIX_LENGTH), id, { sameSite: 'lax', maxAgeMs });
  }

  clearAttempt(res: Response, suffix: string): void {
    this.#cookies.clear(res, ATTEMPT + suffix, 'lax');
  }
}

/** Of the public id: the key itself never stands in a name. */
function syncSuffix(key: string): string {
  return syncIdOf(key).slice(0, SUFFIX_LENGTH);
}
