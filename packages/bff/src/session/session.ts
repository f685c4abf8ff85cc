/**
 * Sessions: a signed cookie `<id>.<tag>` and an encrypted record with an idle and an absolute lifetime. The tag is a keyed hash
 * of the user id, so limiter and lookup need no other read first, and the sessions of a user are found by it. A session is
 * written once, at the sign-in: a request in progress can neither overwrite a newer session nor bring an ended one back.
 */

import type { IncomingMessage } from 'node:http';
import type { User } from '@vestibule/shared';
import type { Response } from 'express';
import type { Cookies } from '../http/cookies.ts';
import { ProblemError } from '../http/problem.ts';
import { sha256, type UserTags } from '../lib/identifiers.ts';
import type { Clock } from '../lib/time.ts';
import type { Records } from '../store/records.ts';
import { ignoreUnavailableStore } from '../store/store.ts';

/** A user after the token exchange. */
export interface AcceptedUser extends User {
  /** `false`: the exchange returned no `user_id`, so this is the claimed user. Otherwise absent. */
  readonly proven?: false;
}

export interface Session {
  readonly user: AcceptedUser;
  /** From the token exchange (interface 4.4). */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
  /** When the token ends, in milliseconds since the epoch; absent if unknown. */
  readonly tokenEndsAt?: number;
}

/** The signed-in reader of a request. */
export interface Reader extends Session {
  readonly session: SessionId;
}

/** Value of the cookie. */
export interface SessionId {
  /** Unguessable. */
  readonly id: string;
  readonly tag: string;
  /** Whether profile, limits and idempotency keys belong to this session only: the user is unproven. */
  readonly isOwn: boolean;
}

const COOKIE = 'vestibule';

/** For the log, where a cookie is missing. */
export const COOKIES_SETTING = 'VESTIBULE_PUBLIC_URL: its site is that of the pages, and the proxy passes cookies on';

/** The idle expiry moves after this share of the idle lifetime: one write for many requests. */
const TOUCH_AFTER = 0.05;

export interface SessionsDeps {
  readonly cookies: Cookies;
  readonly records: Records<Session>;
  readonly tags: UserTags;
  readonly config: { readonly sessionIdleSeconds: number; readonly sessionAbsoluteSeconds: number };
  readonly now: Clock;
}

export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #idleMs: number;
  readonly #absoluteMs: number;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#idleMs = deps.config.sessionIdleSeconds * 1000;
    this.#absoluteMs = deps.config.sessionAbsoluteSeconds * 1000;
  }

  /** The session that a user's session `id` has. */
  idOf(user: AcceptedUser, id: string): SessionId {
    return { id, tag: this.#deps.tags.tagOf(user.user_id), isOwn: user.proven === false };
  }

  /** What the cookie of a request names; the store decides whether the session is live. */
  named(req: IncomingMessage): SessionId | undefined {
    const [id, tag, own] = this.#deps.cookies.read(req, COOKIE)?.split('.') ?? [];
    return id && tag ? { id, tag, isOwn: own !== undefined } : undefined;
  }

  /** Sets the cookie: `SameSite=Strict`, for the absolute lifetime. */
  setCookie(res: Response, { id, tag, isOwn }: SessionId): void {
    this.#deps.cookies.write(res, COOKIE, `${id}.${tag}${isOwn ? '.own' : ''}`, { sameSite: 'strict', maxAgeMs: this.#absoluteMs });
  }

  clearCookie(res: Response): void {
    this.#deps.cookies.clear(res, COOKIE, 'strict');
  }

  /** Creates the session. Idempotent. */
  async create(session: SessionId, { user, accessToken, expiresIn }: Omit<Session, 'signedInAt'> & { readonly expiresIn?: number | undefined }): Promise<void> {
    const signedInAt = this.#deps.now();
    const tokenEndsAt = expiresIn === undefined ? undefined : signedInAt + expiresIn * 1000;
    const record = { user, accessToken, signedInAt, ...(tokenEndsAt !== undefined && { tokenEndsAt }) };
    await this.#deps.records.put(session, record, this.#lifetimeOf(record));
  }

  /** The live reader of a request, with the idle lifetime extended if the store takes the write. `undefined`: ended, expired, or
   *  never created. @throws {StoreUnavailableError} */
  async find(req: IncomingMessage): Promise<Reader | undefined> {
    const { records, now } = this.#deps;
    const session = this.named(req);
    const found = session && await records.find(session);
    if (!found) return undefined;
    const lifetimeMs = this.#lifetimeOf(found.record);
    if (found.record.signedInAt > now() + this.#absoluteMs || lifetimeMs <= 0) return undefined;
    if (lifetimeMs - found.restMs > this.#idleMs * TOUCH_AFTER) {
      await records.touch(session, lifetimeMs).catch(ignoreUnavailableStore);
    }
    return { ...found.record, session };
  }

  /** @throws {ProblemError} `not-signed-in` */
  async require(req: IncomingMessage): Promise<Reader> {
    const reader = await this.find(req);
    if (reader) return reader;
    const isCookieMissing = this.named(req) === undefined;
    const reason = isCookieMissing ? 'no session cookie arrived' : 'the session expired or was ended';
    throw new ProblemError('not-signed-in', { diagnosis: { reason, setting: isCookieMissing ? COOKIES_SETTING : 'nothing: the reader signs in again' } });
  }

  /** Whether the session is there. */
  async isLive(session: SessionId): Promise<boolean> {
    return await this.#deps.records.find(session) !== undefined;
  }

  async end(session: SessionId): Promise<void> {
    await this.#deps.records.delete(session);
  }

  /** Of a session from now on, in ms. */
  #lifetimeOf({ signedInAt, tokenEndsAt = Infinity }: Session): number {
    return Math.min(this.#idleMs, signedInAt + this.#absoluteMs - this.#deps.now(), tokenEndsAt - this.#deps.now());
  }
}

/** Key of what belongs to a reader: limits, posts and, for an unproven user, the profile. */
export function readerKey({ id, tag, isOwn }: SessionId): string {
  return isOwn ? sha256('session', id) : tag;
}
