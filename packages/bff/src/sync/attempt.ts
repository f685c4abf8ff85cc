/**
 * What a sign-in leaves in signed cookies besides its own: authorization attempts, which bind a return to the browser that
 * started it, and the notice of a return without a code. The return carries no `state` (interface 4.3), so it belongs to the
 * newest attempt.
 */

import { randomUUID } from 'node:crypto';
import type { Notice, SyncDisplay } from '@vestibule/shared';
import type { Request, Response } from 'express';
import type { Cookies } from '../http/cookies.ts';
import type { Clock } from '../lib/time.ts';

export interface Attempt {
  /** Unguessable; a repeated return of the attempt gets the same sign-in by it. */
  readonly id: string;
  readonly forum: string;
  /** The page that the reader comes from; empty for a window. */
  readonly returnTo: string;
  readonly display: SyncDisplay;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

const ATTEMPT = 'vestibule-attempt-';
const NOTICE = 'vestibule-notice';
const SYNC = 'vestibule-sync';

/** Attempts of one browser at the same time; a further one replaces the oldest. */
const MAX_ATTEMPTS = 5;

/** How long a notice is repeated. */
const NOTICE_MS = 60_000;

export class SyncCookies {
  readonly #cookies: Cookies;
  readonly #lifetimeMs: number;
  readonly #now: Clock;

  /** @param lifetimeMs of attempts and sign-ins */
  constructor(cookies: Cookies, lifetimeMs: number, now: Clock) {
    this.#cookies = cookies;
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  /** The cookie of the sign-in that waits for validation, as `Syncs` names it. */
  sync(req: Request): string | undefined {
    return this.#cookies.read(req, SYNC);
  }

  /** `SameSite=Lax`: it proves nothing without an origin-checked POST, and a repeated return finds its sign-in. */
  setSync(res: Response, value: string): void {
    this.#cookies.write(res, SYNC, value, { sameSite: 'lax', maxAgeMs: this.#lifetimeMs });
  }

  startAttempt(req: Request, res: Response, attempt: Omit<Attempt, 'id' | 'startedAt'>): void {
    for (const old of this.#attempts(req).slice(MAX_ATTEMPTS - 1)) this.clearAttempt(res, old);
    const started: Attempt = { ...attempt, id: randomUUID(), startedAt: this.#now() };
    this.#cookies.write(res, nameOf(started), encode(started), { sameSite: 'lax', maxAgeMs: this.#lifetimeMs });
  }

  /** The newest attempt of the browser. */
  attempt(req: Request): Attempt | undefined {
    return this.#attempts(req)[0];
  }

  clearAttempt(res: Response, attempt: Attempt): void {
    this.#cookies.clear(res, nameOf(attempt), 'lax');
  }

  /** How a return without a code ended. */
  setNotice(res: Response, notice: Notice): void {
    this.#cookies.write(res, NOTICE, encode(notice), { sameSite: 'strict', maxAgeMs: NOTICE_MS });
  }

  notice(req: Request): Notice | undefined {
    return decode<Notice>(this.#cookies.read(req, NOTICE));
  }

  /** Clears everything that the request brought. */
  clear(req: Request, res: Response): void {
    for (const attempt of this.#attempts(req)) this.clearAttempt(res, attempt);
    if (this.sync(req) !== undefined) this.#cookies.clear(res, SYNC, 'lax');
    if (this.notice(req)) this.#cookies.clear(res, NOTICE, 'strict');
  }

  /** The newest first. */
  #attempts(req: Request): Attempt[] {
    return this.#cookies.readAll(req, ATTEMPT).map(decode<Attempt>).filter((attempt) => attempt !== undefined)
      .filter(({ startedAt }) => this.#now() - startedAt <= this.#lifetimeMs).sort((a, b) => b.startedAt - a.startedAt);
  }
}

function nameOf({ id }: Attempt): string {
  return ATTEMPT + id.slice(0, 8);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** @param text signed by us */
function decode<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(Buffer.from(text, 'base64url').toString()) as T;
}
