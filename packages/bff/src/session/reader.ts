/** The reader behind a request: whom the cookies name. Reading changes nothing. */

import type { Request, Response } from 'express';
import { randomId } from '../lib/random-id.ts';
import type { Cookies } from '../http/cookies.ts';
import type { Session } from './session.ts';
import type { SessionManager } from './session-manager.ts';

const SESSION_COOKIE = 'vestibule';

/** Of the transaction cookies, one an attempt of the standard variant; the rest of the name tells attempts apart. */
const ATTEMPT_COOKIE = `${SESSION_COOKIE}-attempt-`;

/** More than any browser of ours holds: what is looked up for one request is bounded. */
const MAX_HANDLED_ATTEMPTS = 8;

export interface ReaderSettings {
  readonly sessionAbsoluteSeconds: number;
  readonly syncSeconds: number;
}

/** Reads and writes the identifiers that a browser holds. */
export class ReaderCookies {
  readonly #cookies: Cookies;
  readonly #settings: ReaderSettings;

  constructor(cookies: Cookies, settings: ReaderSettings) {
    this.#cookies = cookies;
    this.#settings = settings;
  }

  /** The session id; whether anything lives under it is the store's to say. */
  sessionId(req: Request): string | undefined {
    return this.#identifiers(req).sessionId;
  }

  setSessionId(res: Response, id: string): void {
    this.#cookies.write(res, SESSION_COOKIE, id, { sameSite: 'strict', maxAgeMs: this.#settings.sessionAbsoluteSeconds * 1000 });
  }

  clearSessionId(res: Response): void {
    this.#cookies.clear(res, SESSION_COOKIE, 'strict');
  }

  /** Ids of the attempts that this browser began, by cookie name suffix. */
  attempts(req: Request): ReadonlyMap<string, string> {
    return this.#identifiers(req).attempts;
  }

  /** A new attempt: its id travels in a `Lax` cookie, because the return comes from another site. */
  addAttempt(res: Response): string {
    const id = randomId();
    const maxAgeMs = this.#settings.syncSeconds * 1000;
    this.#cookies.write(res, ATTEMPT_COOKIE + id.slice(0, 8), id, { sameSite: 'lax', maxAgeMs });
    return id;
  }

  clearAttempt(res: Response, suffix: string): void {
    this.#cookies.clear(res, ATTEMPT_COOKIE + suffix, 'lax');
  }

  /** Every identifier under which something of this browser's may be kept: the session's first. */
  handles(req: Request): string[] {
    const { sessionId, attempts } = this.#identifiers(req);
    const handled = [...attempts.values()].slice(0, MAX_HANDLED_ATTEMPTS);
    return sessionId === undefined ? handled : [sessionId, ...handled];
  }

  /** Read once a request: several parts of it ask. */
  #identifiers(req: Request & { [held]?: HeldIdentifiers }): HeldIdentifiers {
    return req[held] ??= {
      sessionId: this.#cookies.read(req, SESSION_COOKIE),
      attempts: this.#cookies.readAll(req, ATTEMPT_COOKIE),
    };
  }
}

const held = Symbol('the identifiers that the browser holds');

interface HeldIdentifiers {
  readonly sessionId: string | undefined;
  /** By the suffix of the cookie's name. */
  readonly attempts: ReadonlyMap<string, string>;
}

export interface Reader {
  readonly sessionId: string;
  readonly session: Session;
}

/** The signed-in reader of a request; `undefined` where there is none. */
export async function findReader(req: Request, cookies: ReaderCookies, sessions: SessionManager): Promise<Reader | undefined> {
  const sessionId = cookies.sessionId(req);
  const session = sessionId === undefined ? undefined : await sessions.find(sessionId);
  return session && { sessionId: sessionId as string, session };
}
